/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The base of the C++ classes: texts, ranges, views, and owners. An owner frees its object at the
 * end of its scope. C++17, no exceptions, no RTTI. A view or an owner contains one pointer and
 * nothing else. In C++20 the ranges are views of <ranges>.
 */
#ifndef PMUQ_BASICS_HPP
#define PMUQ_BASICS_HPP

#include <pmuq/pmuq.h>

#include <cstdlib>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#if __cplusplus >= 202002L
#include <version>
#endif
#ifdef __cpp_lib_ranges
#include <ranges>
#endif

namespace pmuq
{

/** NUL-terminated text for a function of the library; nullptr if the C function accepts NULL. */
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

/** A name and its text: a fact about the host, a cap or a plain file of a PMU. */
struct Pair {
	std::string_view name, text;
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

inline std::string_view text(const pmuq_str &text) noexcept
{
	return std::string_view(text.p, text.n);
}

inline std::optional<std::string_view> text_if(const char *text) noexcept
{
	return text ? std::optional<std::string_view>(text) : std::nullopt;
}

inline std::optional<std::string_view> text_if(const pmuq_str &text) noexcept
{
	return text.p ? std::optional<std::string_view>({ text.p, text.n }) : std::nullopt;
}

/** Copy text that the caller owns, and free it; "" if it is NULL. */
inline std::string owned_text(char *text)
{
	const std::unique_ptr<char, Freer<std::free>> owned(text);

	return owned ? std::string(owned.get()) : std::string();
}

template <class T> std::optional<T> value_if(bool has_value, T value) noexcept
{
	return has_value ? std::optional<T>(value) : std::nullopt;
}

inline std::optional<std::size_t> index_if(std::size_t index) noexcept
{
	return value_if(index != PMUQ_NOT_KNOWN, index);
}

/** A count of a record; 0 if there is no record. */
template <class Record>
std::size_t counted(const Record *record, std::size_t Record::*count) noexcept
{
	return record ? record->*count : 0;
}

} // namespace detail

/**
 * A range of elements by index. The elements are small views, returned by value. A range and its
 * iterators are valid as long as the parent object; an iterator does not need the range.
 */
template <class Parent, class Item, Item (*At)(Parent, std::size_t)> class Range
{
      public:
	class iterator
	{
	      public:
		using iterator_category = std::input_iterator_tag; /* elements are values */
		using iterator_concept = std::random_access_iterator_tag;
		using value_type = Item;
		using difference_type = std::ptrdiff_t;
		using pointer = void;
		using reference = Item;

		/** Belongs to no range; it can only be assigned to and compared. */
		iterator() noexcept = default;
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
		Parent parent_{};
		std::size_t index_ = 0;
	};

	Range(Parent parent, std::size_t size) noexcept : parent_(parent), size_(size)
	{
	}
	std::size_t size() const noexcept
	{
		return size_;
	}
	bool empty() const noexcept
	{
		return size_ == 0;
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
		return iterator(parent_, size_);
	}

      private:
	Parent parent_;
	std::size_t size_;
};

namespace detail
{

template <class Item, class T> Item made_of(const T &value) noexcept
{
	if constexpr (std::is_same_v<Item, std::string_view>)
		return text(value);
	else if constexpr (std::is_same_v<Item, Pair>)
		return { text(value.name), text(value.text) };
	else
		return Item(value);
}

/** An element of an array. */
template <class Item, class T> Item element(const T *array, std::size_t index) noexcept
{
	return made_of<Item>(array[index]);
}
template <class Item, class T> using Array = Range<const T *, Item, element<Item, T>>;

/** The element that a C function returns for an object and an index. */
template <class Item, auto Get, class Object>
Item item(const Object *object, std::size_t i) noexcept
{
	return made_of<Item>(Get(object, i));
}
template <class Object, class Item, auto Get>
using Items = Range<const Object *, Item, item<Item, Get, Object>>;

/** The same for functions with two indexes: of a part of the object, and in that part. */
template <class Object> struct Part {
	const Object *object;
	std::size_t index;
};
template <class Item, auto Get, class Object> Item nested(Part<Object> part, std::size_t i) noexcept
{
	return made_of<Item>(Get(part.object, part.index, i));
}
template <class Object, class Item, auto Get>
using Nested = Range<Part<Object>, Item, nested<Item, Get, Object>>;

/** A pointer to an object that another object owns. */
template <class T> class View
{
      public:
	View() noexcept = default;
	explicit View(const T *object) noexcept : object_(object)
	{
	}
	/** The C object, to call functions of the C headers. */
	const T *get() const noexcept
	{
		return object_;
	}
	/** Whether it points to an object. */
	explicit operator bool() const noexcept
	{
		return object_ != nullptr;
	}

      protected:
	const T *object_ = nullptr;
};

/** A C object that is a list. An owner that was moved from is an empty list. */
template <class Derived, class Object, class Item, auto Count, auto Get>
class List : public View<Object>
{
	using All = Items<Object, Item, Get>;

      public:
	using list_view = Derived; /* for the views of <ranges> below: not for owners */
	using View<Object>::View;
	std::size_t size() const noexcept
	{
		return *this ? Count(this->object_) : 0;
	}
	bool empty() const noexcept
	{
		return size() == 0;
	}
	/** The index must be less than the size. */
	Item operator[](std::size_t index) const noexcept
	{
		return made_of<Item>(Get(this->object_, index));
	}
	auto begin() const noexcept
	{
		return typename All::iterator(this->object_, 0);
	}
	auto end() const noexcept
	{
		return typename All::iterator(this->object_, size());
	}
};

/**
 * A view that owns its object and frees it. It can be moved, but not copied. After a move or
 * release() it is empty: it converts to false, and can be destroyed or assigned to.
 */
template <class V, class Object, auto Free> class Owner : public V
{
      public:
	Owner() noexcept = default;
	explicit Owner(Object *owned) noexcept : V(owned)
	{
	}
	Owner(Owner &&other) noexcept : V(other.release())
	{
	}
	Owner &operator=(Owner &&other) noexcept
	{
		Owner moved(std::move(other));

		std::swap(this->object_, moved.object_);
		return *this;
	}
	~Owner()
	{
		Free(get());
	}
	/** The C object, to call functions of the C headers. */
	Object *get() const noexcept
	{
		/* Safe: the constructor got a pointer to a non-const object. */
		return const_cast<Object *>(this->object_);
	}
	/** Return the object and become empty; the caller frees the object. */
	Object *release() noexcept
	{
		Object *object = get();

		this->object_ = nullptr;
		return object;
	}
	V view() const noexcept
	{
		return V(this->object_);
	}
};

} // namespace detail

} // namespace pmuq

#ifdef __cpp_lib_ranges
template <class Parent, class Item, Item (*At)(Parent, std::size_t)>
inline constexpr bool std::ranges::enable_borrowed_range<pmuq::Range<Parent, Item, At>> = true;
template <class Parent, class Item, Item (*At)(Parent, std::size_t)>
inline constexpr bool std::ranges::enable_view<pmuq::Range<Parent, Item, At>> = true;
template <class T>
requires std::same_as<typename T::list_view, T>
inline constexpr bool std::ranges::enable_borrowed_range<T> = true;
template <class T>
requires std::same_as<typename T::list_view, T>
inline constexpr bool std::ranges::enable_view<T> = true;
#endif

#endif
