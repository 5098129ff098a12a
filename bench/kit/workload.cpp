#include "kit/workload.hpp"

#include "kit/mix.hpp"

namespace bloomery::bench {
namespace {

// No filter holds as many keys: the absent stream starts here.
constexpr std::uint64_t absent_from = std::uint64_t{1} << 63;

}  // namespace

void text_block::write_text(std::uint64_t index, char* out) noexcept {
  std::uint64_t x = splitmix64(index);
  for (std::size_t i = 0; i < text_size; ++i, x >>= 4)
    out[i] = "0123456789abcdef"[x & 15];
}

std::vector<key> text_block::hashed(const hasher& h) const {
  std::vector<key> out(views_.size());
  h.hash(views_, out);
  return out;
}

workload::workload(std::uint64_t keys, const hasher& h)
    : present_texts(
          queries,
          [&](std::size_t i) { return scale(splitmix64(~std::uint64_t{i}), keys); }),
      absent_texts(queries, [](std::size_t i) { return absent_from + i; }),
      fresh_texts(static_cast<std::size_t>(std::min<std::uint64_t>(keys, queries)),
                  [](std::size_t i) { return i; }),
      present(present_texts.hashed(h)),
      absent(absent_texts.hashed(h)),
      fresh(fresh_texts.hashed(h)) {
  // Strict alternation would suit the branch predictor.
  for (std::size_t i = 0; i < queries; ++i)
    mixed.push_back((splitmix64(i) & 1) != 0 ? present[i] : absent[i]);
}

}  // namespace bloomery::bench
