// Rows of container_hostile.json about the record of numbered receipts
// (spec/container.md, section 7).
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "make_vectors/hostile_rows.hpp"

namespace bloomery::vectors {
namespace {

constexpr std::uint64_t all = ~std::uint64_t{0};

using numbers = std::vector<std::uint64_t>;

void put(image_bytes& to, std::uint64_t v, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) to.push_back(static_cast<std::byte>(v >> (8 * i)));
}

// How many were issued, and ranges; `cut` bytes are missing at its end.
image_bytes record(const numbers& words, unsigned cut = 0) {
  image_bytes out;
  put(out, 3, 2);
  put(out, 0, 2);
  put(out, 8 * words.size() - cut, 4);
  for (const std::uint64_t w : words) put(out, w, 8);
  out.resize(out.size() - cut);
  return out;
}

// Header and notes have room for it: with_notes writes one byte of their length.
image_bytes with_record(const base_file& base, const image_bytes& r) {
  image_bytes file = base.bytes;
  file.insert(file.end() - 4, r.begin(), r.end());
  for (unsigned i = 0; i < 4; ++i)
    file[96 + i] = static_cast<std::byte>(r.size() >> (8 * i));
  testing::repair_container(file);
  return file;
}

numbers many_ranges(std::uint64_t count) {
  numbers out{3 * count};
  for (std::uint64_t i = 0; i < count; ++i) {
    out.push_back(1 + 3 * i);
    out.push_back(2 + 3 * i);
  }
  return out;
}

}  // namespace

void receipt_records(collector& out, const base_file& base, bool of_many) {
  const auto row = [&](const numbers& words, const char* what, unsigned cut = 0) {
    out.add(base, with_record(base, record(words, cut)), std::string("receipts: ") + what,
            true);
  };
  row({1}, "one, not used");
  row({5, 1, 6}, "all used");
  row({9, 1, 2, 3, 4, 9, 10}, "ranges");
  row({all - 1, all - 1, all}, "the largest number");
  row({}, "no number");
  row({1}, "a number cut off", 1);
  row({0}, "none issued");
  row({0, 1, 2}, "none issued, one used");
  row({all}, "2^64 - 1");
  row({9, 1}, "half a range");
  row({9, 1, 2}, "a range cut off", 1);
  row({9, 0, 1}, "number 0");
  row({9, 2, 2}, "an empty range");
  row({9, 3, 2}, "a range backwards");
  row({9, 1, 11}, "more than were issued");
  row({9, 12, 13}, "one that was not issued");
  row({9, 1, all}, "far more than were issued");
  row({9, 1, 3, 3, 4}, "ranges that touch");
  row({9, 1, 4, 3, 5}, "ranges that overlap");
  row({9, 5, 6, 1, 2}, "ranges that descend");
  row({9, 1, 2, 1, 2}, "a range twice");
  if (of_many) {
    row(many_ranges(4095), "4095 ranges");
    row(many_ranges(4096), "4096 ranges");
  }
  // Behind another record, to which the offset does not belong.
  image_bytes two;
  put(two, 7, 2);
  put(two, 0, 2);
  put(two, 1, 4);
  put(two, 0x61, 1);
  const image_bytes wrong = record({9, 1, 11});
  two.insert(two.end(), wrong.begin(), wrong.end());
  out.add(base, with_record(base, two), "receipts: behind another record", true);
  // No identity: then no receipt was issued.
  image_bytes nobody = with_record(base, record({1}));
  for (std::size_t i = 100; i < 108; ++i) nobody[i] = std::byte{0};
  testing::repair_container(nobody);
  out.add(base, nobody, "receipts: of no identity", true);
  // A damaged chunk is no reason to believe it.
  image_bytes damaged = with_record(base, record({9, 5, 6, 1, 2}));
  damaged[140] ^= std::byte{1};
  out.add(base, damaged, "receipts: a damaged chunk", true);
}

void receipts_elsewhere(collector& out, const base_file& base) {
  out.add(base, with_record(base, record({0})), "receipts: of a kind without them", true);
}

}  // namespace bloomery::vectors
