// Errors and filters as text.
//
//   std::cerr << f.error() << '\n';    cannot open x.bloom: No such file or directory
//   std::cout << *f << '\n';           block filter: 1212480 bytes, for 1000000 keys,
//   xxh3 of bytes log(to_string(*f));
//
// Printing is cheap: it does not read the bits.  So rate and fill are not printed: call
// realised_fpr and fill for those.  Include <ostream> yourself.
#pragma once

#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>

#include <bloomery/detail/error_text.hpp>
#include <bloomery/detail/key_source.hpp>
#include <bloomery/detail/kind_facts.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

namespace detail {

template <class F>
concept plain_to_print = requires {
  { F::kind } -> std::same_as<const kind_facts&>;
};
template <class F>
concept shared_to_print = requires {
  requires plain_to_print<typename F::plain>;
};
template <class F>
concept any_to_print = requires(const F& f) {
  { f.facts() } -> std::same_as<const kind_facts&>;
};

template <class F>
std::string_view kind_name(const F& f) noexcept {
  if constexpr (plain_to_print<F>)
    return F::kind.name;
  else if constexpr (shared_to_print<F>)
    return F::plain::kind.name;
  else
    return f.facts().name;
}

}  // namespace detail

// A filter, alone, shared by threads or of any kind.
template <class F>
concept printable = (detail::plain_to_print<F> || detail::shared_to_print<F> ||
                     detail::any_to_print<F>)&&requires(const F& f) {
  { f.hasher() } -> std::convertible_to<hasher>;
  { f.capacity() } -> std::convertible_to<unsigned long long>;
  { f.size_in_bytes() } -> std::convertible_to<std::size_t>;
};

inline std::string to_string(const error& e) { return std::string(text_of(e)); }

template <printable F>
std::string to_string(const F& f) {
  std::string out(detail::kind_name(f));
  out += detail::shared_to_print<F> ? " filter, shared: " : " filter: ";
  out += std::to_string(f.size_in_bytes()) + " bytes";
  if (f.capacity() != 0) out += ", for " + std::to_string(f.capacity()) + " keys";
  return out + ", " + name_of(f.hasher().id()) + " of " + name_of(f.hasher().source());
}

template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out,
                                             const error& e) {
  return out << text_of(e).c_str();
}
template <class Traits, printable F>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out,
                                             const F& f) {
  return out << to_string(f).c_str();
}

}  // namespace bloomery::inline v1
