// Answers from a mapped file are used only while its bytes are those that were opened.
#pragma once

namespace bloomery::py {

// An object that answers from a file it watches (watched_file.hpp).
template <class Object>
concept watching = requires(const Object& o) {
  o.file.unchanged();
  o.file.check();
};

// Raises ChangedFileError if answers of a mapped file may be from other bytes than it was
// opened with: after they were read, before they are used.
template <class Object>
void check_unchanged(const Object& o) {
  if constexpr (watching<Object>) o.file.check();
}

}  // namespace bloomery::py
