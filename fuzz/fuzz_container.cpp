// Any bytes as a container of any kind.  An odd first byte has all checksums made right,
// so that mutations reach what lies behind them.  Refused with a place, or a filter that
// answers in batches as one by one; what was whole is written again byte for byte.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <bloomery/block_bloom.hpp>
#include <bloomery/bloom.hpp>
#include <bloomery/container.hpp>
#include <bloomery/portable_bloom.hpp>
#include <bloomery/split_block_bloom.hpp>

#include "ask.hpp"
#include "base/bits.hpp"
#include "base/byte_reader.hpp"
#include "check.hpp"
#include "container_repair.hpp"
#include "filter_types.hpp"
#include "target.hpp"
#include "test_key.hpp"

namespace {

using namespace bloomery;

template <class T>
void check_refusal(const result<T>& r, std::size_t size) {
  const errc code = r.error().code;
  fuzz::check(code == errc::corrupt || code == errc::unsupported ||
                  code == errc::incompatible || code == errc::invalid_argument,
              "refused for another reason");
  fuzz::check(r.error().at <= size, "blames a byte beyond the end");
}

std::vector<key> sentinels_of(const container_facts& f,
                              std::span<const std::byte> bytes) {
  base::byte_reader in(bytes.subspan(static_cast<std::size_t>(f.tail_at())));
  std::vector<key> out;
  for (unsigned i = 0; i < f.sentinels; ++i)
    out.push_back(key::from_bits(in.read<std::uint64_t>()));
  return out;
}

template <class F>
void check_filter(std::span<const std::byte> bytes) {
  read_report report;
  const auto f = decode_container<F>(bytes, {}, &report);
  if (!f) return check_refusal(f, bytes.size());
  const container_facts& facts = report.facts;
  const auto ks = testing::keys(bytes.size(), facts.hashes <= 64 ? 70 : 2);
  fuzz::check(testing::ask(*f, ks) == testing::ask_one_by_one(*f, ks),
              "a batch answers otherwise than its keys");
  fuzz::check(f->fill() >= 0 && f->fill() <= 1, "fill is no share");
  const auto sentinels = sentinels_of(facts, bytes);
  for (const key k : sentinels) fuzz::check(f->may_contain(k), "denies a sentinel");
  const auto again = encode_container(
      *f, {.asked_fpr = facts.asked_fpr, .keys = facts.keys, .sentinels = sentinels});
  // Cells whose damage is recorded, not shown by their bits, are not written.
  if (!again) {
    fuzz::check(report.damaged_chunks != 0, "whole, but cannot be written");
    return check_refusal(again, bytes.size());
  }
  fuzz::check(decode_container<F>(again->bytes()).has_value(),
              "cannot read what it wrote");
  // Notes and flags of later versions are not kept, and ones are counted anew.
  const auto payload = bytes.subspan(static_cast<std::size_t>(facts.payload_at),
                                     static_cast<std::size_t>(facts.payload_bytes));
  if (report.damaged_chunks == 0 && facts.notes_bytes == 0 && facts.flags == 0 &&
      facts.ones == base::count_ones(payload, 8 * payload.size()))
    fuzz::check(std::ranges::equal(again->bytes(), bytes), "encodes to other bytes");
}

void check_wrapped(std::span<const std::byte> bytes) {
  read_report report;
  const auto f = decode_wrapped(bytes, {}, &report);
  if (!f) return check_refusal(f, bytes.size());
  for (const auto& k : testing::numbered("12345678", 20)) (void)f->may_contain(k);
  const auto again = encode_wrapped(*f);
  if (!again) {
    fuzz::check(report.damaged_chunks != 0, "whole, but cannot be written");
    return check_refusal(again, bytes.size());
  }
  const auto reread = decode_wrapped(again->bytes());
  fuzz::check(reread.has_value(), "cannot read what it wrote");
  for (const auto& k : testing::numbered("12345678", 20))
    fuzz::check(reread->may_contain(k) == f->may_contain(k), "answers otherwise");
}

}  // namespace

BLOOMERY_FUZZ_TARGET(fuzz_container) {
  if (size == 0) return 0;
  const auto rest = std::as_bytes(std::span(data, size)).subspan(1);
  std::vector<std::byte> bytes(rest.begin(), rest.end());
  if (data[0] % 2 != 0) testing::repair_container(bytes);
  if (const auto facts = inspect(bytes, bytes.size()); !facts)
    return check_refusal(facts, bytes.size()), 0;
  testing::for_each_type(filter_types{},
                         [&]<class F>(std::type_identity<F>) { check_filter<F>(bytes); });
  check_wrapped(bytes);
  return 0;
}
