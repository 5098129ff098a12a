// Takes and compares the stamps of open files.
#pragma once

#include <sys/stat.h>

#include <bloomery/detail/format/file_stamp.hpp>

namespace bloomery::format {

file_stamp stamp_of(const struct stat& status) noexcept;
// Zeros, which no file has, if the status cannot be read.
file_stamp stamp_of(int fd) noexcept;

file_change change_between(const file_stamp& then, const file_stamp& now) noexcept;

// What happened to the file behind `fd` since the stamp was taken.
file_change change_since(const file_stamp& then, int fd) noexcept;

// Whether the next write to a file of this stamp shows in its ctime: the tick of the
// clock that the ctime is from is over.
bool will_show_changes(const file_stamp& now) noexcept;

}  // namespace bloomery::format
