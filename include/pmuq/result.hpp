/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What the C++ wrappers are made of: errors, results (a value or an error, after std::expected),
 * owners (freed at the end of their scope), ranges to loop over. C++17, no exceptions, no RTTI; a
 * wrapper is the pointer that it wraps. In C++20 ranges are views of <ranges>.
 *
 * The rules of pmuq.h hold: who may use what, in which thread, and how long a part lives (as long
 * as its owner, which C++ does not watch over). Texts that may be missing are std::optional.
 */
#ifndef PMUQ_RESULT_HPP
#define PMUQ_RESULT_HPP

#include <pmuq/members.hpp>

#include <cstdlib>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#if __cplusplus >= 202002L
#include <version>
#endif
#ifdef __cpp_lib_ranges
#include <ranges>
#endif

namespace pmuq
{

template <class T> class Result;

/** Text with a NUL behind it, as the library takes it. */
class CString
{
      public:
	CString(const char *text) noexcept : text_(text)
	{
	}
	CString(const std::string &text) noexcept : text_(text.c_str())
	{
	}
	const char *get() const noexcept
	{
		return text_;
	}

      private:
	const char *text_;
};

namespace detail
{

template <auto Free> struct Freer {
	template <class T> void operator()(T *object) const noexcept
	{
		Free(object);
	}
};

inline std::string_view text(const char *text) noexcept
{
	return text ? std::string_view(text) : std::string_view();
}

inline std::optional<std::string_view> text_if(const char *text) noexcept
{
	return text ? std::optional<std::string_view>(text) : std::nullopt;
}

/** Text that the library gave away; "" when it had no memory for it. */
inline std::string owned_text(char *text)
{
	const std::unique_ptr<char, Freer<std::free>> owned(text);

	return owned ? std::string(owned.get()) : std::string();
}

/** An index that says "none", as std::optional. */
inline std::optional<std::size_t> index_if(std::size_t index) noexcept
{
	return index == static_cast<std::size_t>(-1) ? std::nullopt
						     : std::optional<std::size_t>(index);
}

} // namespace detail

/** An error or a warning that belongs to somebody else. */
class ErrorView
{
      public:
	explicit ErrorView(const pmuq_error *error) noexcept : error_(error)
	{
	}
	pmuq_code code() const noexcept
	{
		return pmuq_error_code(error_);
	}
	/** "unknown-term" */
	std::string_view name() const noexcept
	{
		return detail::text(pmuq_error_name(error_));
	}
	/** One sentence without a full stop. */
	std::string_view message() const noexcept
	{
		return detail::text(pmuq_error_message(error_));
	}
	/** What to do about it. */
	std::optional<std::string_view> hint() const noexcept
	{
		return detail::text_if(pmuq_error_hint(error_));
	}
	/** The text that the offset points into. */
	std::optional<std::string_view> input() const noexcept
	{
		return detail::text_if(pmuq_error_input(error_));
	}
	std::size_t offset() const noexcept
	{
		return pmuq_error_offset(error_);
	}
	std::size_t length() const noexcept
	{
		return pmuq_error_length(error_);
	}
	/** The file, directory or database that it is about. */
	std::optional<std::string_view> origin() const noexcept
	{
		return detail::text_if(pmuq_error_origin(error_));
	}
	/** The errno behind it, or 0. */
	int error_number() const noexcept
	{
		return pmuq_error_errno(error_);
	}
	/** All of it, with the caret under the spot. */
	std::string format() const
	{
		return detail::owned_text(pmuq_error_format(error_));
	}
	const pmuq_error *get() const noexcept
	{
		return error_;
	}

      private:
	const pmuq_error *error_;
};

/** An error that is freed at the end of its scope. */
class Error
{
      public:
	explicit Error(pmuq_error *owned) noexcept : error_(owned)
	{
	}
	ErrorView view() const noexcept
	{
		return ErrorView(error_.get());
	}
	pmuq_code code() const noexcept
	{
		return view().code();
	}
	std::string_view name() const noexcept
	{
		return view().name();
	}
	std::string_view message() const noexcept
	{
		return view().message();
	}
	std::optional<std::string_view> hint() const noexcept
	{
		return view().hint();
	}
	std::optional<std::string_view> input() const noexcept
	{
		return view().input();
	}
	std::size_t offset() const noexcept
	{
		return view().offset();
	}
	std::size_t length() const noexcept
	{
		return view().length();
	}
	std::optional<std::string_view> origin() const noexcept
	{
		return view().origin();
	}
	int error_number() const noexcept
	{
		return view().error_number();
	}
	std::string format() const
	{
		return view().format();
	}
	const pmuq_error *get() const noexcept
	{
		return error_.get();
	}

      private:
	std::unique_ptr<pmuq_error, detail::Freer<pmuq_error_free>> error_;
};

namespace detail
{

/** A Result with what a function returns, which may be nothing. */
template <class F, class... Args>
auto result_of(F &&f, Args &&...args) -> Result<std::remove_cv_t<std::invoke_result_t<F, Args...>>>
{
	if constexpr (std::is_void_v<std::invoke_result_t<F, Args...>>) {
		std::invoke(std::forward<F>(f), std::forward<Args>(args)...);
		return {};
	} else {
		return std::invoke(std::forward<F>(f), std::forward<Args>(args)...);
	}
}

} // namespace detail

/**
 * A value, or why there is none. To ask for the one that is not there ends the program
 * (std::abort), as there is no exception to throw.
 *
 * Of std::expected it has what is declared here, by the same names, and no more. and_then(),
 * or_else() and transform() move the error on, which cannot be copied: they are for a result that
 * nobody needs afterwards, std::move(result).transform(f). What is taken out of such a one is no
 * reference into it but a value, so that `for (auto event : *machine->encode("cycles"))` loops over
 * what is still there.
 */
template <class T> class [[nodiscard]] Result
{
      public:
	using value_type = T;
	using error_type = Error;

	Result(T value) noexcept(std::is_nothrow_move_constructible_v<T>)
	    : held_(std::in_place_index<0>, std::move(value))
	{
	}
	Result(Error error) noexcept : held_(std::in_place_index<1>, std::move(error))
	{
	}
	bool has_value() const noexcept
	{
		return held_.index() == 0;
	}
	explicit operator bool() const noexcept
	{
		return has_value();
	}
	T &value() &noexcept
	{
		return *there(std::get_if<0>(&held_));
	}
	const T &value() const &noexcept
	{
		return *there(std::get_if<0>(&held_));
	}
	T value() &&noexcept(std::is_nothrow_move_constructible_v<T>)
	{
		return std::move(value());
	}
	T &operator*() &noexcept
	{
		return value();
	}
	const T &operator*() const &noexcept
	{
		return value();
	}
	T operator*() &&noexcept(std::is_nothrow_move_constructible_v<T>)
	{
		return std::move(value());
	}
	T *operator->() noexcept
	{
		return &value();
	}
	const T *operator->() const noexcept
	{
		return &value();
	}
	Error &error() &noexcept
	{
		return *there(std::get_if<1>(&held_));
	}
	const Error &error() const &noexcept
	{
		return *there(std::get_if<1>(&held_));
	}
	Error error() &&noexcept
	{
		return std::move(error());
	}
	template <class U> T value_or(U &&other) const &
	{
		return has_value() ? value() : static_cast<T>(std::forward<U>(other));
	}
	template <class U> T value_or(U &&other) &&
	{
		return has_value() ? std::move(value()) : static_cast<T>(std::forward<U>(other));
	}
	/** What the function makes of the value, a Result too; or the same error. */
	template <class F> auto and_then(F &&f) && -> std::invoke_result_t<F, T &&>
	{
		if (!has_value())
			return std::move(error());
		return std::invoke(std::forward<F>(f), std::move(value()));
	}
	/** The same value; or what the function makes of the error, a Result of the same kind. */
	template <class F> Result or_else(F &&f) &&
	{
		if (has_value())
			return std::move(value());
		return std::invoke(std::forward<F>(f), std::move(error()));
	}
	/** A Result with what the function makes of the value, which may be nothing. */
	template <class F>
	auto transform(F &&f) && -> decltype(detail::result_of(std::forward<F>(f),
							       std::declval<T>()))
	{
		if (!has_value())
			return std::move(error());
		return detail::result_of(std::forward<F>(f), std::move(value()));
	}

      private:
	template <class P> static P *there(P *held) noexcept
	{
		if (!held)
			std::abort();
		return held;
	}

	std::variant<T, Error> held_;
};

/** Done, or why not. */
template <> class [[nodiscard]] Result<void>
{
      public:
	using value_type = void;
	using error_type = Error;

	Result() noexcept = default;
	Result(Error error) noexcept : error_(std::move(error))
	{
	}
	bool has_value() const noexcept
	{
		return !error_;
	}
	explicit operator bool() const noexcept
	{
		return has_value();
	}
	void value() const noexcept
	{
		if (error_)
			std::abort();
	}
	void operator*() const noexcept
	{
		value();
	}
	Error &error() &noexcept
	{
		if (!error_)
			std::abort();
		return *error_;
	}
	const Error &error() const &noexcept
	{
		if (!error_)
			std::abort();
		return *error_;
	}
	Error error() &&noexcept
	{
		return std::move(error());
	}
	/** What the function makes, a Result of any kind; or the same error. */
	template <class F> auto and_then(F &&f) && -> std::invoke_result_t<F>
	{
		if (error_)
			return std::move(error());
		return std::invoke(std::forward<F>(f));
	}
	/** Done; or what the function makes of the error, a Result of the same kind. */
	template <class F> Result or_else(F &&f) &&
	{
		if (!error_)
			return {};
		return std::invoke(std::forward<F>(f), std::move(error()));
	}
	/** A Result with what the function returns, which may be nothing. */
	template <class F>
	auto transform(F &&f) && -> decltype(detail::result_of(std::forward<F>(f)))
	{
		if (error_)
			return std::move(error());
		return detail::result_of(std::forward<F>(f));
	}

      private:
	std::optional<Error> error_;
};

namespace detail
{

/**
 * What owns an object of the library: moved, never copied. One that was moved from, or released,
 * holds none: it is false, and get() is nullptr. It can be destroyed, and be assigned another one;
 * to ask it for anything else is a mistake that the library does not look for. Lists that were
 * moved from are empty ones, too.
 */
template <class Object, auto Free> class Owner
{
      public:
	explicit Owner(Object *owned) noexcept : object_(owned)
	{
	}
	/** For functions of the C headers that have no wrapper. */
	Object *get() const noexcept
	{
		return object_.get();
	}
	/** From now on the caller's, who frees it. */
	Object *release() noexcept
	{
		return object_.release();
	}
	explicit operator bool() const noexcept
	{
		return object_ != nullptr;
	}

      protected:
	std::unique_ptr<Object, Freer<Free>> object_;
};

/** A call whose last parameters are where to put an object, and an error. */
template <class Wrapper, class Object, class F, class... Args>
Result<Wrapper> make(F f, Args... args)
{
	Object *made = nullptr;
	pmuq_error *error = nullptr;

	if (f(args..., &made, &error) < 0)
		return Error(error);
	return Wrapper(made);
}

/** A call that has no result but an error. */
template <class F, class... Args> Result<void> call(F f, Args... args)
{
	pmuq_error *error = nullptr;

	if (f(args..., &error) < 0)
		return Error(error);
	return {};
}

} // namespace detail

/**
 * Things that are counted and got by an index. What is looped over are small views, by value. It
 * and its iterators live as long as what it is a part of; an iterator does not need the range.
 */
template <class Parent, class Item, auto Count, Item (*At)(Parent, std::size_t) = Item::at>
class Range
{
	static_assert(std::is_trivially_copyable_v<Parent>, "a pointer, or a view");

      public:
	class iterator
	{
	      public:
		using iterator_category = std::input_iterator_tag; /* it points to no object */
		using iterator_concept = std::random_access_iterator_tag;
		using value_type = Item;
		using difference_type = std::ptrdiff_t;
		using pointer = void;
		using reference = Item;

		/** Behind the last of no range: it can be assigned to, and compared. */
		iterator() noexcept : none_{}
		{
		}
		iterator(Parent parent, std::size_t index) noexcept : parent_(parent), index_(index)
		{
		}
		Item operator*() const noexcept
		{
			return At(parent_, index_);
		}
		Item operator[](difference_type n) const noexcept
		{
			return *(*this + n);
		}
		iterator &operator+=(difference_type n) noexcept
		{
			index_ += static_cast<std::size_t>(n);
			return *this;
		}
		iterator &operator-=(difference_type n) noexcept
		{
			index_ -= static_cast<std::size_t>(n);
			return *this;
		}
		iterator &operator++() noexcept
		{
			return *this += 1;
		}
		iterator &operator--() noexcept
		{
			return *this -= 1;
		}
		iterator operator++(int) noexcept
		{
			const iterator old = *this;

			++*this;
			return old;
		}
		iterator operator--(int) noexcept
		{
			const iterator old = *this;

			--*this;
			return old;
		}
		friend iterator operator+(iterator i, difference_type n) noexcept
		{
			return i += n;
		}
		friend iterator operator+(difference_type n, iterator i) noexcept
		{
			return i += n;
		}
		friend iterator operator-(iterator i, difference_type n) noexcept
		{
			return i -= n;
		}
		friend difference_type operator-(const iterator &a, const iterator &b) noexcept
		{
			return static_cast<difference_type>(a.index_ - b.index_);
		}
		friend bool operator==(const iterator &a, const iterator &b) noexcept
		{
			return a.index_ == b.index_;
		}
		friend bool operator!=(const iterator &a, const iterator &b) noexcept
		{
			return a.index_ != b.index_;
		}
		friend bool operator<(const iterator &a, const iterator &b) noexcept
		{
			return a.index_ < b.index_;
		}
		friend bool operator>(const iterator &a, const iterator &b) noexcept
		{
			return b < a;
		}
		friend bool operator<=(const iterator &a, const iterator &b) noexcept
		{
			return !(b < a);
		}
		friend bool operator>=(const iterator &a, const iterator &b) noexcept
		{
			return !(a < b);
		}

	      private:
		/* A view of nothing does not exist, an iterator of nothing must. */
		union {
			unsigned char none_[sizeof(Parent)];
			Parent parent_;
		};
		std::size_t index_ = 0;
	};

	explicit Range(Parent parent) noexcept : parent_(parent)
	{
	}
	std::size_t size() const noexcept
	{
		return Count(parent_);
	}
	bool empty() const noexcept
	{
		return size() == 0;
	}
	/** The index must be less than the size. */
	Item operator[](std::size_t index) const noexcept
	{
		return At(parent_, index);
	}
	iterator begin() const noexcept
	{
		return iterator(parent_, 0);
	}
	iterator end() const noexcept
	{
		return iterator(parent_, size());
	}

      private:
	Parent parent_;
};

namespace detail
{

/**
 * An object of the library that is a list: it owns what it is looped over. One that was moved from
 * is empty.
 */
template <class Object, auto Free, class Item, auto Count,
	  Item (*At)(const Object *, std::size_t) = Item::at>
class List : public Owner<Object, Free>
{
	using All = Range<const Object *, Item, Count, At>;

      public:
	using Owner<Object, Free>::Owner;
	std::size_t size() const noexcept
	{
		return *this ? Count(this->get()) : 0;
	}
	bool empty() const noexcept
	{
		return size() == 0;
	}
	/** The index must be less than the size. */
	Item operator[](std::size_t index) const noexcept
	{
		return At(this->get(), index);
	}
	auto begin() const noexcept
	{
		return typename All::iterator(this->get(), 0);
	}
	auto end() const noexcept
	{
		return typename All::iterator(this->get(), size());
	}
};

} // namespace detail

} // namespace pmuq

#ifdef __cpp_lib_ranges
template <class Parent, class Item, auto Count, Item (*At)(Parent, std::size_t)>
inline constexpr bool std::ranges::enable_borrowed_range<pmuq::Range<Parent, Item, Count, At>> =
	true;
template <class Parent, class Item, auto Count, Item (*At)(Parent, std::size_t)>
inline constexpr bool std::ranges::enable_view<pmuq::Range<Parent, Item, Count, At>> = true;
#endif

#endif
