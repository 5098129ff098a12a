// The name of a file, as callers have it: "x.bloom", std::string, std::filesystem::path.
//
// A parameter type: it owns nothing, and is valid as long as what it was made from.
// Whatever has a zero-terminated c_str() of char converts, so that the headers need
// neither <string> nor <filesystem>.  A std::string_view does not: it may lack the zero.
#pragma once

#include <concepts>
#include <cstddef>

#include <bloomery/detail/probe/words.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

class path_ref {
 public:
  constexpr path_ref(const char* path) noexcept : path_(path) {}
  template <class P>
  requires requires(const P& p) {
    { p.c_str() } -> std::same_as<const char*>;
  }
  constexpr path_ref(const P& p) noexcept : path_(p.c_str()) {}
  path_ref(std::nullptr_t) = delete;

  constexpr const char* c_str() const noexcept { return path_; }

 private:
  const char* path_;
};

namespace detail {
// `r`; if it is an error, one that names the file.
template <class Result>
BLOOMERY_INLINE Result of_file(path_ref file, Result r) noexcept {
  if (!r && r.error().path.empty()) r.error().path = error_path(file.c_str());
  return r;
}
}  // namespace detail

}  // namespace bloomery::inline v1
