// Files, read whole or replaced whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/detail/format/input_file.hpp>
#include <bloomery/detail/progress.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::format {

// All bytes of a regular file.  Errors: io, too_large (beyond `max_bytes`),
// out_of_memory, corrupt (it shrank meanwhile).
result<pages> read_whole(const input_file& file, std::uint64_t max_bytes) noexcept;

// Replaces `path` by the concatenation of `parts`, atomically and durably: a temporary
// file beside it, fsync, rename, fsync of the directory.  On error nothing is
// left behind and the old file is as it was; only if the last step fails, which the
// message says, is the new one in place already.  Something that is no regular file (a
// pipe, /dev/stdout) is written to directly.  Errors: io; with `replaces`, also if `path`
// is no longer that file as it was opened.
result<void> write_atomically(const char* path,
                              std::span<const std::span<const std::byte>> parts,
                              progress_call progress = {},
                              const input_file* replaces = nullptr) noexcept;

}  // namespace bloomery::format
