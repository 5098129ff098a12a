// One key as Python has it.
//
//   str                           its UTF-8, which Python keeps with the object
//   bytes, bytearray, memoryview  their bytes
//   uuid.UUID                     its 16 bytes, as UUID.bytes has them
//   int                           modulo 2^64, of a filter of integers or hashes; an
//                                 integer that does not fit in 64 bits is refused
//
// Everything else is refused with a hint.  Nothing here runs Python code, so the pointers
// into a list or a str stay valid while the GIL is held.
#pragma once

#include <cstdint>
#include <string_view>

#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>

#include "python.hpp"

namespace bloomery::py {

// Other systems hash the text of a UUID, or its bytes in another order: for their filters
// the caller has to say which.
enum class uuids : bool { refused, taken };

// The bytes of a key; those of a memoryview or UUID are held while this object lives.
class key_text {
 public:
  key_text() noexcept = default;
  ~key_text() {
    if (is_held_) PyBuffer_Release(&held_);
  }
  key_text(const key_text&) = delete;
  key_text& operator=(const key_text&) = delete;

  // False: it is no text, or the exception is set.
  bool take(PyObject* o, uuids u = uuids::taken) noexcept {
    if (PyUnicode_Check(o)) [[likely]] {
#ifndef Py_LIMITED_API
      // Most texts are ASCII, which is UTF-8 as it lies in the object.
      if (PyUnicode_IS_COMPACT_ASCII(o)) [[likely]] {
        text_ = {reinterpret_cast<const char*>(PyUnicode_1BYTE_DATA(o)),
                 static_cast<std::size_t>(PyUnicode_GET_LENGTH(o))};
        return true;
      }
#endif
      Py_ssize_t size;
      const char* const chars = PyUnicode_AsUTF8AndSize(o, &size);
      if (chars == nullptr) return false;
      text_ = {chars, static_cast<std::size_t>(size)};
      return true;
    }
    return take_bytes(o) || (u == uuids::taken && take_uuid(o));
  }
  std::string_view text() const noexcept { return text_; }
  // The text ends with this object.
  bool is_held() const noexcept { return is_held_ || text_.data() == uuid_; }

 private:
  bool take_bytes(PyObject* o) noexcept;
  bool take_uuid(PyObject* o) noexcept;

  std::string_view text_;
  bool is_held_ = false;
  char uuid_[16];
  Py_buffer held_;  // if is_held_: its 80 bytes are not cleared for every key
};

// False: it is no int, or the exception is set.
bool take_integer(PyObject* o, std::uint64_t& x) noexcept;

// Says why `o` is no key of such a filter, unless an exception says so already.
// `position`: in a batch; -1: there is none.
void set_no_key(PyObject* o, key_source source, Py_ssize_t position = -1) noexcept;

// False: the exception is set.
inline bool hash_key(const hasher& h, PyObject* o, key& out) noexcept {
  const key_source source = h.source();
  if (is_hashed_as_bytes(source)) [[likely]] {
    key_text k;
    if (!k.take(o)) [[unlikely]]
      return set_no_key(o, source), false;
    out = h.hash(k.text());
    return true;
  }
  std::uint64_t x;
  if (!take_integer(o, x)) [[unlikely]]
    return set_no_key(o, source), false;
  out = source == key_source::integers ? h.hash_u64(x) : h.from_hash(x);
  return true;
}

}  // namespace bloomery::py
