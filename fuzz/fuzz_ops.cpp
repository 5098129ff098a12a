// Bytes as a program of operations on a filter, run beside the textbook version: no
// false negative ever, and the same bits after every step.
//
//    0  u16  bits - 1, modulo 4000       2  u8  hashes - 1, modulo 40
//    3  ..   operations of 11 bytes: u8 what, u16 amount, u64 value
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/byte_reader.hpp"
#include "check.hpp"
#include "op_machine.hpp"
#include "target.hpp"

BLOOMERY_FUZZ_TARGET(fuzz_ops) {
  using namespace bloomery;
  base::byte_reader in(std::as_bytes(std::span(data, size)));
  const std::uint64_t bits = in.read<std::uint16_t>() % 4000u + 1;
  const std::uint32_t hashes = in.read<std::uint8_t>() % 40u + 1;
  testing::op_machine machine({bits, hashes});
  for (int step = 0; step < 64; ++step) {
    testing::op o{};
    o.what = in.read<std::uint8_t>();
    o.amount = in.read<std::uint16_t>();
    o.value = in.read<std::uint64_t>();
    if (!in.ok()) break;
    const std::string wrong = machine.run(o);
    fuzz::check(wrong.empty(), wrong.c_str());
  }
  return 0;
}
