// Xor and binary fuse filters as xor_singleheader builds them: the same seeds, sizes and
// order of peeling, and so the same bytes.
//
// Its slots that no key needs are 0 in fuse filters, and whatever was in memory in xor
// filters; here they are 0 in both.  Where its builder gives up, so does this one.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::format {

// Length of a segment and number of slots for so many keys, by the owner's rule.
struct fuse_size {
  std::uint64_t segment, slots;
};
fuse_size fastfilter_fuse_size(std::uint32_t keys) noexcept;

// The file of a filter of these numbers, of which those that come twice are one; they are
// sorted here.  Memory: 32 bytes per number.  Errors: unattainable (the owner's builder
// finds no solution in 100 rounds), too_large, out_of_memory.
// REQUIRES: variant is one of the dialect's
result<pages> build_fastfilter(std::string_view variant,
                               std::span<std::uint64_t> numbers) noexcept;

}  // namespace bloomery::format
