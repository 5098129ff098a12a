// The status of an open file, as far as it shows whether somebody wrote to the file.
#pragma once

#include <cstdint>

namespace bloomery::inline v1 {

struct file_stamp {
  std::uint64_t device = 0, inode = 0, size = 0;
  std::uint64_t written_ns = 0;  // mtime
  std::uint64_t status_ns = 0;   // ctime, which nobody can set back
};

enum class file_change : std::uint8_t {
  none,
  // The ctime alone differs: renamed, linked, unlinked, another mode or owner; or written
  // to by a program that set the mtime back, as cp -p and rsync -t do.
  status,
  // Written to, or the status cannot be read.
  contents,
};

}  // namespace bloomery::inline v1
