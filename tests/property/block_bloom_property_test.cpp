// Random operations on block filters, and random bytes as files.
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bloomery/block_bloom.hpp>
#include <bloomery/bloom.hpp>
#include <bloomery/split_block_bloom.hpp>

#include "block_machine.hpp"

namespace bloomery::testing {
namespace {

using bytes = std::vector<std::uint8_t>;
using raw_op = std::tuple<std::uint8_t, std::uint16_t, std::uint64_t>;

template <class F>
void run(block_shape s, const std::vector<raw_op>& ops) {
  block_machine<F> machine(s);
  for (const auto& [what, amount, value] : ops)
    RC_ASSERT(machine.run({what, amount, value}) == "");
}

RC_GTEST_PROP(BlockBloomProperty, AnyOperationsAgreeWithTheSpecification,
              (std::uint8_t profile, std::uint16_t blocks,
               const std::vector<raw_op>& ops)) {
  run<block_bloom>({blocks % 400u + 1, static_cast<block_profile>(profile % 3 + 1)}, ops);
}

RC_GTEST_PROP(SplitBlockBloomProperty, AnyOperationsAgreeWithTheSpecification,
              (std::uint16_t blocks, const std::vector<raw_op>& ops)) {
  run<split_block_bloom>({blocks % 400u + 1, block_profile::split}, ops);
}

// Refused with a place to look at, or a filter that denies none of its keys.
template <class F>
void accept_or_refuse(std::span<const std::byte> file, const std::vector<key>& inside) {
  const auto f = F::decode(file);
  if (!f) {
    RC_ASSERT(f.error().at <= file.size());
    return;
  }
  for (const key k : inside) RC_ASSERT(f->may_contain(k));
}

RC_GTEST_PROP(BlockBloomProperty, AnyBytesDecodeOrAreRefused, (const bytes& file)) {
  accept_or_refuse<block_bloom>(std::as_bytes(std::span(file)), {});
  accept_or_refuse<split_block_bloom>(std::as_bytes(std::span(file)), {});
  accept_or_refuse<bloom>(std::as_bytes(std::span(file)), {});
}

// One byte of a real file changed, or some cut off or added.
RC_GTEST_PROP(BlockBloomProperty, AnyDamagedFileDecodesOrIsRefused,
              (std::uint16_t at, std::uint8_t value, std::int8_t grow)) {
  const auto real = must(must(block_bloom::build(keys(1, 50))).encode());
  std::vector<std::byte> file(real.bytes().begin(), real.bytes().end());
  file[at % file.size()] = std::byte{value};
  file.resize(file.size() + static_cast<std::size_t>(grow / 32));
  accept_or_refuse<block_bloom>(file, keys(1, 50));
}

}  // namespace
}  // namespace bloomery::testing
