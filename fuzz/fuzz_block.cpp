// Bytes as a program of operations on a block filter, run beside the specification's own
// wording, with every kernel held to the portable one.
//
//    0  u8   modulo 4: half-line, line, two-lines, split
//    1  u16  blocks - 1, modulo 600
//    3  ..   operations of 11 bytes: u8 what, u16 amount, u64 value
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <bloomery/block_bloom.hpp>
#include <bloomery/split_block_bloom.hpp>

#include "base/byte_reader.hpp"
#include "block_machine.hpp"
#include "check.hpp"
#include "kernel/block.hpp"
#include "target.hpp"

namespace bloomery {
namespace {

// --- kernels ---

struct outcome {
  std::vector<std::byte> bits;
  std::vector<char> answers;
  friend bool operator==(const outcome&, const outcome&) = default;
};

// What a kernel makes of a copy of these bits: answers first, then the keys inserted.
outcome run_kernel(const kernel::block_loops& loops, std::span<const std::byte> bits,
                   std::uint64_t blocks, bool in_cache, const std::vector<key>& ks) {
  auto copy = testing::must(pages::make(bits.size()));
  std::ranges::copy(bits, copy.data());
  const kernel::block_array a{copy.data(), blocks, in_cache};
  const auto out = std::make_unique<bool[]>(ks.size());
  loops.query(a, ks.data(), ks.size(), out.get());
  outcome r{{}, {out.get(), out.get() + ks.size()}};
  std::vector<std::uint64_t> words((ks.size() + 63) / 64);
  loops.query_bits(a, ks.data(), ks.size(), words.data());
  for (std::size_t i = 0; i < ks.size(); ++i)
    fuzz::check((words[i / 64] >> (i % 64) & 1) == static_cast<unsigned>(r.answers[i]),
                "a kernel's bitmap differs from its answers");
  loops.insert(a, ks.data(), ks.size());
  r.bits.assign(copy.bytes().begin(), copy.bytes().end());
  return r;
}

void compare_kernels(block_shape s, std::span<const std::byte> bits,
                     const std::vector<key>& ks) {
  const auto all = kernel::block_kernels();
  const outcome want = run_kernel(all.front()->of(s.profile), bits, s.blocks, true, ks);
  for (const kernel::block_kernel* k : all)
    for (const bool in_cache : {true, false})
      fuzz::check(run_kernel(k->of(s.profile), bits, s.blocks, in_cache, ks) == want,
                  "a kernel differs from the portable one");
}

template <class F>
void run_program(block_shape s, base::byte_reader& in) {
  testing::block_machine<F> machine(s);
  for (int step = 0; step < 48; ++step) {
    testing::op o{};
    o.what = in.read<std::uint8_t>();
    o.amount = in.read<std::uint16_t>();
    o.value = in.read<std::uint64_t>();
    if (!in.ok()) break;
    const std::string wrong = machine.run(o);
    fuzz::check(wrong.empty(), wrong.c_str());
    compare_kernels(machine.filter().shape(), machine.filter().bytes(), machine.batch(o));
  }
}

}  // namespace
}  // namespace bloomery

BLOOMERY_FUZZ_TARGET(fuzz_block) {
  using namespace bloomery;
  if (size == 0) return 0;
  const auto bytes = std::as_bytes(std::span(data, size));
  const unsigned kind = data[0] % 4;
  base::byte_reader in(bytes.subspan(1));
  const block_shape s{in.read<std::uint16_t>() % 600u + 1,
                      static_cast<block_profile>(kind + 1)};
  if (s.profile == block_profile::split)
    run_program<split_block_bloom>(s, in);
  else
    run_program<block_bloom>(s, in);
  return 0;
}
