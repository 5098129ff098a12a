// Calls that break their contract end the program with a sentence, in every build.
//
// For mistakes of the calling code that a call cannot report and must not survive:
// writing past a caller's array, or hashing a key as what it is not, which would deny it
// for ever.  Nothing that comes from outside the program may end here.
#pragma once

#include <bloomery/export.hpp>

namespace bloomery::inline v1::detail {

// Prints "bloomery: SENTENCE" to standard error and aborts.
[[noreturn]] BLOOMERY_EXPORT void contract_broken(const char* sentence) noexcept;

constexpr void require(bool kept, const char* sentence) noexcept {
  if (!kept) [[unlikely]]
    contract_broken(sentence);
}

}  // namespace bloomery::inline v1::detail
