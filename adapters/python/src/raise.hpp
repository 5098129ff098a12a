// Errors of the library as Python exceptions (bloomery/_errors.py).
#pragma once

#include <string>

#include <bloomery/result.hpp>

#include "python.hpp"

namespace bloomery::py {

// Once, when the module is imported.
void find_exceptions();

// Sets the exception, for functions that return null then.
void set_error(const error& e) noexcept;
// The error of a key that is not of the filter's source.
void set_source_error(const char* text) noexcept;

[[noreturn]] void raise(const error& e);
[[noreturn]] void raise_type(const std::string& text);   // TypeError
[[noreturn]] void raise_value(const std::string& text);  // ValueError
// ChangedFileError.
[[noreturn]] void raise_changed(const std::string& path);
[[noreturn]] void raise_invalid(const std::string& text);

template <class T>
T must(result<T> r) {
  if (!r) raise(r.error());
  return *std::move(r);
}
inline void must(const result<void>& r) {
  if (!r) raise(r.error());
}

}  // namespace bloomery::py
