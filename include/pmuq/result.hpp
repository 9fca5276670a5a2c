/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Result: a value or an error, like std::expected of C++23. No exceptions.
 */
#ifndef PMUQ_RESULT_HPP
#define PMUQ_RESULT_HPP

#include <pmuq/views.hpp>

#include <functional>
#include <variant>

namespace pmuq
{

namespace detail
{

/** Call a function and return its result, or void, as a Result. */
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
 * A value, or the error that explains why there is none. Reading the one that it does not contain
 * ends the program (std::abort), since there are no exceptions.
 *
 * The members have the names and the meaning that they have in std::expected; its other members are
 * missing. An error cannot be copied, so and_then(), or_else() and transform() move it. They need a
 * temporary, or std::move(result).transform(f). value() and operator* of a temporary return a value
 * and not a reference, so `for (auto event : *machine->encode("cycles"))` is safe.
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
	/** Call the function, which returns a Result, with the value; or return the same error. */
	template <class F> auto and_then(F &&f) && -> std::invoke_result_t<F, T &&>
	{
		if (!has_value())
			return std::move(error());
		return std::invoke(std::forward<F>(f), std::move(value()));
	}
	/** Return the same value; or call the function, which returns a Result of this type, with
	 * the error. */
	template <class F> Result or_else(F &&f) &&
	{
		if (has_value())
			return std::move(value());
		return std::invoke(std::forward<F>(f), std::move(error()));
	}
	/** Call the function with the value, and return what it returns (perhaps void) as a Result;
	 * or return the same error. */
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

/** Success, or the error that explains why not. */
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
	/** Call the function, which returns a Result of any type; or return the same error. */
	template <class F> auto and_then(F &&f) && -> std::invoke_result_t<F>
	{
		if (error_)
			return std::move(error());
		return std::invoke(std::forward<F>(f));
	}
	/** Return success; or call the function, which returns a Result of this type, with the
	 *  error. */
	template <class F> Result or_else(F &&f) &&
	{
		if (!error_)
			return {};
		return std::invoke(std::forward<F>(f), std::move(error()));
	}
	/** Call the function, and return what it returns (perhaps void) as a Result; or return the
	 *  same error. */
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

/** Call a C function whose last two parameters return a new object and an error. */
template <class Wrapper, class Object, class F, class... Args>
Result<Wrapper> make(F f, Args... args)
{
	Object *made = nullptr;
	pmuq_error *error = nullptr;

	if (f(args..., &made, &error) < 0)
		return Error(error);
	return Wrapper(made);
}

/** Call a C function whose last parameter returns an error. */
template <class F, class... Args> Result<void> call(F f, Args... args)
{
	pmuq_error *error = nullptr;

	if (f(args..., &error) < 0)
		return Error(error);
	return {};
}

} // namespace detail

} // namespace pmuq

#endif
