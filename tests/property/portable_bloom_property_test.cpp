// Random operations and random bytes; a failure shrinks to a small one.  RC_PARAMS sets
// another seed or more cases: RC_PARAMS="seed=7 max_success=10000".
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bloomery/detail/kind/portable/format.hpp>
#include <bloomery/portable_bloom.hpp>

#include "op_machine.hpp"

namespace bloomery::testing {
namespace {

using bytes = std::vector<std::uint8_t>;
using raw_op = std::tuple<std::uint8_t, std::uint16_t, std::uint64_t>;

RC_GTEST_PROP(PortableBloomProperty, AnyOperationsAgreeWithTheTextbook,
              (std::uint16_t bits, std::uint8_t hashes, const std::vector<raw_op>& ops)) {
  op_machine machine({bits % 4000u + 1, hashes % 40u + 1});
  for (const auto& [what, amount, value] : ops)
    RC_ASSERT(machine.run({what, amount, value}) == "");
}

// Decoding must give a filter with exactly these bytes, or refuse them.
void accept_or_refuse(std::span<const std::byte> file) {
  const auto f = portable_bloom::decode(file);
  if (!f) {
    RC_ASSERT(f.error().code == errc::corrupt);
    RC_ASSERT(f.error().at <= file.size());
    return;
  }
  RC_ASSERT(std::ranges::equal(must(f->encode()).bytes(), file));
  const auto ks = keys(1, 70);
  RC_ASSERT(ask(*f, ks) == ask_one_by_one(*f, ks));
}

RC_GTEST_PROP(PortableBloomProperty, AnyBytesDecodeOrAreRefused, (const bytes& file)) {
  accept_or_refuse(std::as_bytes(std::span(file)));
}

// A plausible header: m within a few bits of what the body holds.
RC_GTEST_PROP(PortableBloomProperty, AnyPlausibleBytesDecodeOrAreRefused,
              (std::uint32_t hashes, std::int8_t off, const bytes& body)) {
  const std::uint64_t bits = 8 * body.size() + static_cast<std::uint64_t>(off);
  const auto head = portable_header({bits, hashes});
  std::vector<std::byte> file(head.begin(), head.end());
  for (const std::uint8_t b : body) file.push_back(std::byte{b});
  accept_or_refuse(file);
  const bool fits = hashes != 0 && bits != 0 && bits / 8 + (bits % 8 != 0) == body.size();
  RC_ASSERT(portable_bloom::decode(file).has_value() == fits);
}

RC_GTEST_PROP(PortableBloomProperty, HashesOfAnyStringsAreTheTextbookHashes,
              (const std::vector<std::string>& strings)) {
  const auto some = views(strings);
  std::vector<key> out(some.size());
  hasher::fnv1a_splitmix().hash(some, out);
  for (std::size_t i = 0; i < some.size(); ++i)
    RC_ASSERT(out[i].bits() == textbook_hash(some[i]));
}

}  // namespace
}  // namespace bloomery::testing
