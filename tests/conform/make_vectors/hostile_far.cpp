// Rows of container_hostile.json about quotient filters that were made to be slow: runs
// of keys that lie as far as a lookup goes, and one step farther (spec/filters.md, 15.5).
#include <algorithm>
#include <string>
#include <vector>

#include <bloomery/quotient.hpp>

#include "container_repair.hpp"
#include "make_vectors/hashed.hpp"
#include "make_vectors/hostile_rows.hpp"
#include "must.hpp"
#include "quotient_files.hpp"

namespace bloomery::vectors {
namespace {

using testing::must;
using testing::quotient_payload;

constexpr quotient_layout far_layout{64 * 6000, 2, 6300};
constexpr std::uint64_t max_blocks = 4096, max_run = 1024;

struct place {
  std::uint64_t quotient, remainder;
  std::uint64_t block() const { return quotient / 64; }
  std::uint64_t other() const { return remainder ^ 1; }
};

// Places of k0 .. k9, ascending.
std::vector<place> places() {
  std::vector<place> out;
  for (const key k : hashed("k", 10)) {
    const std::uint64_t f = far_layout.fingerprint(k);
    out.push_back({f >> 2, f & 3});
  }
  std::ranges::sort(out, {}, &place::quotient);
  return out;
}

// A chunk behind all quotients is damaged: then a reader does not check the runs.
void add_row(collector& out, const base_file& base, const quotient_payload& p,
             const std::string& defect) {
  auto file = testing::quotient_container(far_layout, p.bytes());
  const auto facts = must(inspect(file, file.size()));
  file[static_cast<std::size_t>(facts.payload_at) + 8 * 4 * 6200] ^= std::byte{1};
  out.add(base, file, defect, true);
}

void add_long_runs(collector& out, const base_file& base) {
  for (const bool ends_with_it : {false, true}) {
    quotient_payload p(far_layout);
    std::uint64_t length = max_run - 4;
    for (const place& k : places()) {
      p.occupy(k.quotient);
      const std::uint64_t last = k.quotient + length++ - 1;
      p.end(last);
      p.fill(k.quotient, last - 1, k.other());
      p.fill(last, last, ends_with_it ? k.remainder : k.other());
    }
    add_row(out, base, p,
            std::string("runs of 1020 slots and more") +
                (ends_with_it ? ", which end with the key" : ""));
  }
}

// The run of a key behind that of another quotient of its block.
void add_far_runs(collector& out, const base_file& base) {
  const auto all = places();
  const place k =
      *std::ranges::find_if(all, [](const place& x) { return x.quotient % 64 != 0; });
  for (const std::uint64_t beyond : {0, 1}) {
    quotient_payload p(far_layout);
    const std::uint64_t slot = 64 * (k.block() + max_blocks) - 1 + beyond;
    p.occupy(k.quotient - 1);
    p.end(slot - 1);
    p.occupy(k.quotient);
    p.end(slot);
    p.fill(slot, slot, k.other());
    add_row(out, base, p, beyond == 0 ? "a run 4095 blocks away" : "4096 blocks away");
  }
  // Behind that of a quotient of the block before.
  const place& first =
      *std::ranges::find_if(all, [](const place& x) { return x.block() != 0; });
  for (const std::uint64_t beyond : {0, 1}) {
    quotient_payload p(far_layout);
    const std::uint64_t slot = 64 * (first.block() - 1 + max_blocks) - 1 + beyond;
    p.offset(first.block(), 255);
    p.occupy(64 * (first.block() - 1) + 7);
    p.end(slot - 1);
    p.occupy(first.quotient);
    p.end(slot);
    p.fill(slot, slot, first.other());
    add_row(out, base, p,
            std::string("runs of two blocks, ") +
                (beyond == 0 ? "4095 blocks from the first" : "4096"));
  }
}

// Offsets that are no distances, up to a block where one is.
void add_far_offsets(collector& out, const base_file& base) {
  const place k = places().back();
  for (const std::uint64_t back : {max_blocks - 1, max_blocks}) {
    quotient_payload p(far_layout);
    const std::uint64_t from = k.block() - back;
    for (std::uint64_t b = from + 1; b <= k.block(); ++b) p.offset(b, 255);
    p.offset(from, 3);
    p.occupy(k.quotient);
    p.end(k.quotient);
    p.fill(k.quotient, k.quotient, k.other());
    add_row(out, base, p, std::to_string(back) + " offsets of 255");
  }
}

}  // namespace

void far_quotients(collector& out, const base_file& base) {
  add_long_runs(out, base);
  add_far_runs(out, base);
  add_far_offsets(out, base);
}

}  // namespace bloomery::vectors
