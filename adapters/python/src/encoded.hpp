// Filters as bytes and files, in three forms: "container" (the default), "portable" (the
// bare bytes of portable filters) and "bitset" (the bare bits of split-block filters).
#pragma once

#include <memory>
#include <string>

#include <bloomery/pages.hpp>

#include "filter.hpp"
#include "options.hpp"
#include "python.hpp"
#include "slots.hpp"

namespace bloomery::py {

// With the notes of its builder; or with these.
pages encoded(const filter_object& f, const std::string& form);
pages encoded(const filter_object& f, const std::string& form,
              const builder_notes& notes);
nb::bytes as_bytes(const pages& p);
void save(const filter_object& f, const std::string& path, const std::string& form);

// `data`: anything with the buffer protocol.
filter_object decoded(nb::handle data, const std::string& form, const reading& how);
filter_object loaded(const std::string& path, const std::string& form,
                     const reading& how);

// The container, for pickle.  Refused where a secret would be needed to read it.
nb::bytes state_of(const filter_object& f);

// Bytes that somebody else holds, for as long as this lives.  Raises TypeError.
class byte_argument {
 public:
  explicit byte_argument(nb::handle o) {
    if (PyObject_GetBuffer(o.ptr(), &buffer_, PyBUF_SIMPLE) != 0) {
      buffer_.obj = nullptr;
      throw nb::python_error();
    }
  }
  ~byte_argument() {
    if (buffer_.obj != nullptr) PyBuffer_Release(&buffer_);
  }
  byte_argument(const byte_argument&) = delete;
  byte_argument& operator=(const byte_argument&) = delete;

  std::span<const std::byte> bytes() const noexcept {
    return {static_cast<const std::byte*>(buffer_.buf),
            static_cast<std::size_t>(buffer_.len)};
  }

 private:
  Py_buffer buffer_{};
};

// --- the buffer protocol: a read-only copy of the container, as it is at that moment ---
int fill_encoded(Py_buffer* view, PyObject* self, std::unique_ptr<pages> bytes,
                 int flags) noexcept;
void release_encoded(PyObject*, Py_buffer* view) noexcept;

template <class Object>
int get_encoded(PyObject* self, Py_buffer* view, int flags) noexcept {
  view->obj = nullptr;
  Object* const f = instance<Object>(self);
  if (f == nullptr) return -1;
  try {
    return fill_encoded(view, self, std::make_unique<pages>(encoded(*f, "container")),
                        flags);
  } catch (nb::python_error& e) {
    e.restore();
  } catch (...) {
    PyErr_NoMemory();
  }
  return -1;
}

}  // namespace bloomery::py
