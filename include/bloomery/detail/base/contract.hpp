// Calls that break their contract end the program with a sentence, in every build.
//
// For mistakes of the calling code that a call cannot report and must not survive:
// writing past a caller's array, or hashing a key as another source, which would be a
// permanent false negative.  Nothing that comes from outside the program may end here.
#pragma once

#include <cstddef>

#include <bloomery/detail/export.hpp>

namespace bloomery::inline v1::detail {

// Prints "bloomery: SENTENCE" to standard error and aborts.
[[noreturn]] BLOOMERY_EXPORT void contract_broken(const char* sentence) noexcept;

constexpr void require(bool kept, const char* sentence) noexcept {
  if (!kept) [[unlikely]]
    contract_broken(sentence);
}

// A batch of keys has as many answers: with fewer a lookup would write past their end,
// and of more the last would be nobody's.  One comparison per batch.
constexpr void require_answers(std::size_t keys, std::size_t answers) noexcept {
  require(keys == answers, "a batch must have exactly as many answers as keys");
}
// The same for answers that are bits: 64 of them in each word, which may be more.
constexpr void require_answer_words(std::size_t keys, std::size_t words) noexcept {
  require(words >= keys / 64 + (keys % 64 != 0),
          "a batch must have at least as many bits for answers as keys");
}

}  // namespace bloomery::inline v1::detail
