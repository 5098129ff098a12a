// Bytes as a program of operations on a block filter, run beside the specification's own
// wording, with every kernel held to the portable one; or as a provisional file.
//
//    0  u8   modulo 5: half-line, line, two-lines, split; 4: what follows is a file
//    1  u16  blocks - 1, modulo 600
//    3  ..   operations of 11 bytes: u8 what, u16 amount, u64 value
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include <bloomery/bloom.hpp>

#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "block_machine.hpp"
#include "check.hpp"
#include "kernel/block.hpp"

namespace bloomery {
namespace {

// --- kernels ---------------------------------------------------------------------------

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

// --- files -----------------------------------------------------------------------------

template <class F>
void decode_as(std::span<const std::byte> bytes) {
  auto f = F::decode(bytes);
  if (!f) {
    fuzz::check(f.error().code == errc::corrupt || f.error().code == errc::out_of_memory,
                "refused for another reason");
    fuzz::check(f.error().at <= bytes.size(), "blames a byte beyond the end");
    return;
  }
  const auto again = f->encode();
  fuzz::check(again.has_value() && std::ranges::equal(again->bytes(), bytes),
              "encodes to other bytes");
  fuzz::check(f->ones() <= f->bits(), "more ones than bits");
  const double rate = f->realised_fpr();
  fuzz::check(rate >= 0 && rate <= 1, "the rate is no probability");
  const auto ks = testing::keys(bytes.size(), 70);
  fuzz::check(testing::ask(*f, ks) == testing::ask_one_by_one(*f, ks),
              "a batch answers otherwise than its keys");
  f->insert(std::span<const key>(ks));
  fuzz::check(testing::count_maybe(testing::ask(*f, ks)) == ks.size(), "false negative");
}

void decode_all(std::span<const std::byte> bytes) {
  decode_as<block_bloom>(bytes);
  decode_as<split_block_bloom>(bytes);
  decode_as<bloom>(bytes);
}

// The checks in a header that no random bytes would pass, made to pass.
std::vector<std::byte> with_checks(std::span<const std::byte> bytes) {
  std::vector<std::byte> file(bytes.begin(), bytes.end());
  std::memcpy(file.data(), "BLMprov1", 8);
  std::uint64_t seed = 0;
  for (unsigned i = 0; i < 8; ++i)
    seed |= static_cast<std::uint64_t>(file[32 + i]) << (8 * i);
  const bool xxh64 = file[10] == static_cast<std::byte>(hash_id::xxh64);
  const std::span<std::byte> head(file.data(), 64);
  base::byte_writer check(head.subspan(40, 8));
  check.write((xxh64 ? hasher::xxh64(seed) : hasher::xxh3(seed)).check());
  base::byte_writer sum(head.subspan(56, 8));
  sum.write(hasher::xxh64().hash(std::span<const std::byte>(head.first(56))).bits());
  return file;
}

}  // namespace
}  // namespace bloomery

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bloomery;
  if (size == 0) return 0;
  const auto bytes = std::as_bytes(std::span(data, size));
  const unsigned kind = data[0] % 5;
  if (kind == 4) {
    decode_all(bytes.subspan(1));
    if (size >= 1 + 64) decode_all(with_checks(bytes.subspan(1)));
    return 0;
  }
  base::byte_reader in(bytes.subspan(1));
  const block_shape s{in.read<std::uint16_t>() % 600u + 1,
                      static_cast<block_profile>(kind + 1)};
  if (s.profile == block_profile::split)
    run_program<split_block_bloom>(s, in);
  else
    run_program<block_bloom>(s, in);
  return 0;
}
