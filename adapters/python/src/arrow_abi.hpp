// The Arrow C data interface and its stream: three structs, as the specification of
// Apache Arrow gives them.  The names of their members are part of it.
#pragma once

#include <cstdint>

namespace bloomery::py::arrow {

struct schema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  schema** children;
  schema* dictionary;
  void (*release)(schema*);
  void* private_data;
};

struct array {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  array** children;
  array* dictionary;
  void (*release)(array*);
  void* private_data;
};

struct stream {
  int (*get_schema)(stream*, schema* out);
  int (*get_next)(stream*, array* out);
  const char* (*get_last_error)(stream*);
  void (*release)(stream*);
  void* private_data;
};

// One that is released when it goes out of scope; what is released was moved from.
template <class T>
struct owned : T {
  owned() noexcept : T{} {}
  // Takes it over: the other one counts as released.
  explicit owned(T& from) noexcept : T(from) { from.release = nullptr; }
  ~owned() {
    if (this->release != nullptr) this->release(this);
  }
  owned(const owned&) = delete;
  owned& operator=(const owned&) = delete;
};

}  // namespace bloomery::py::arrow
