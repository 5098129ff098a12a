// Mapped bytes of files that other processes may truncate.
//
// Touching a page behind the new end of a file raises SIGBUS, which would end the
// interpreter.  The handler puts a page of zeros there and returns; the call that read it
// then finds that the file was changed, and raises.  Any other SIGBUS goes to the handler
// that was there before.  The handler is installed when the first file is mapped, and
// again when one is mapped after somebody replaced it.
#pragma once

#include <atomic>
#include <cstddef>
#include <span>

namespace bloomery::py {

// A range of addresses in which a SIGBUS is harmless, for as long as this object lives.
// Made and destroyed under the GIL.
class mapped_bytes {
 public:
  // May be empty: nothing is installed.
  explicit mapped_bytes(std::span<const std::byte> range);
  ~mapped_bytes();
  mapped_bytes(const mapped_bytes&) = delete;
  mapped_bytes& operator=(const mapped_bytes&) = delete;

  // Some page of it was gone.
  bool was_cut() const noexcept;

 private:
  struct place* place_ = nullptr;
};

// While a file is opened its range is not known yet: in this thread every SIGBUS is one
// of its mapping.
class opening_file {
 public:
  opening_file();
  ~opening_file();
  opening_file(const opening_file&) = delete;
  opening_file& operator=(const opening_file&) = delete;
};

}  // namespace bloomery::py
