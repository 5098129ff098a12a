// Takes and compares the stamps of open files.
#pragma once

#include <sys/stat.h>

#include <bloomery/detail/format/file_stamp.hpp>

namespace bloomery::format {

file_stamp stamp_of(const struct stat& status) noexcept;

// What happened to the file behind `fd` since the stamp was taken.
file_change change_since(const file_stamp& then, int fd) noexcept;

// The same where nothing but the status can tell.  Whether a file was written to is in
// doubt if its ctime alone differs, unless its number of links does too: a file that is
// replaced by a rename loses one.
bool is_unchanged_since(const file_stamp& then, int fd) noexcept;

}  // namespace bloomery::format
