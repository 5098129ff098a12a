// Any bytes as a filter of any dialect (dialect_input.hpp): refused with a place, or a
// filter that answers in batches as one by one, writes the bytes it was read from, holds
// what is inserted, and loses nothing when it is united with itself.
#include <sys/prctl.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <bloomery/foreign_filter.hpp>

#include "base/crc32c.hpp"
#include "check.hpp"
#include "dialect_input.hpp"
#include "target.hpp"
#include "test_key.hpp"

namespace {

using namespace bloomery;

// A filter that grew beyond this by its own header, which is allowed, is not tested
// further, to save time.
constexpr std::size_t max_bytes = std::size_t{1} << 20;

using answers = std::array<bool, 20>;

answers ask(const foreign_filter& f) {
  static const auto strings = testing::numbered("12345678", 20);
  static const auto keys = testing::views(strings);
  answers out{};
  f.may_contain(keys, out);
  for (std::size_t i = 0; i < keys.size(); ++i)
    fuzz::check(f.may_contain(keys[i]) == out[i], "a batch answers otherwise");
  return out;
}

void check_numbers(const foreign_filter& f) {
  fuzz::check(f.fill() >= 0 && f.fill() <= 1, "fill is no share");
  fuzz::check(f.estimated_keys() >= 0, "a negative number of keys");
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(f.parts(), 3); ++i) {
    const auto part = f.part(i);
    fuzz::check(part.offset <= f.size_in_bytes() &&
                    part.length <= f.size_in_bytes() - part.offset,
                "a part outside the file");
  }
  // 2^18 lookups: for a few inputs only.
  if (base::crc32c(f.bytes()) % 8192 != 0) return;
  const double rate = f.realised_fpr();
  fuzz::check(rate >= 0 && rate <= 1, "the rate is no probability");
}

// What it writes is what it was read from.  Only datasketches counts its bits anew.
void check_encoding(const foreign_filter& f, std::span<const std::byte> image) {
  const auto bytes = f.encode();
  fuzz::check(bytes.has_value(), "cannot be written");
  const auto again = foreign_filter::decode(f.dialect(), bytes->bytes(), f.options());
  fuzz::check(again.has_value(), "cannot read what it wrote");
  const auto twice = again->encode();
  fuzz::check(twice && std::ranges::equal(twice->bytes(), bytes->bytes()),
              "writes other bytes the second time");
  fuzz::check(f.dialect() == "datasketches" || std::ranges::equal(bytes->bytes(), image),
              "encodes to other bytes");
  fuzz::check(ask(*again) == ask(f), "answers otherwise once it is written");
}

bool implies(const answers& before, const answers& after) {
  for (std::size_t i = 0; i < before.size(); ++i)
    if (before[i] && !after[i]) return false;
  return true;
}

void check_merge(const foreign_filter& f, std::span<const std::byte> image,
                 const foreign_options& o) {
  auto sum = foreign_filter::decode(f.dialect(), image, o);
  fuzz::check(sum.has_value(), "read once, not twice");
  if (const auto done = sum->merge(f); !done) {
    fuzz::check(done.error().code != errc::corrupt && done.error().code != errc::io,
                "a strange reason not to unite");
    return;
  }
  fuzz::check(implies(ask(f), ask(*sum)), "a union has a false negative");
}

void check_insert(foreign_filter& f) {
  if (f.bits() > 8 * max_bytes) return;  // some give a filter its bits only now
  const std::string key = "inserted";    // eight bytes: an integer, too
  const answers before = ask(f);
  if (!f.insert(key)) return;
  fuzz::check(f.may_contain(key), "inserted, but not found");
  if (f.size_in_bytes() > max_bytes) return;
  fuzz::check(implies(before, ask(f)), "an insertion makes it deny another key");
  const auto bytes = f.encode();
  fuzz::check(bytes.has_value(), "cannot be written after an insertion");
  const auto again = foreign_filter::decode(f.dialect(), bytes->bytes(), f.options());
  fuzz::check(again.has_value(), "cannot be read after an insertion");
  fuzz::check(again->may_contain(key), "inserted and written, but not found");
}

}  // namespace

// A filter that its header makes grow to gigabytes is touched in a thousand places: of 4
// KiB each, not of 2 MiB.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  (void)prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
  return 0;
}

BLOOMERY_FUZZ_TARGET(fuzz_dialects) {
  if (size < fuzz::dialect_input_header || size > max_bytes) return 0;
  const auto in = fuzz::read_dialect_input(std::as_bytes(std::span(data, size)));
  for (std::size_t i = 0; i < dialect_count(); ++i) (void)could_be(i, in.image);
  auto f = foreign_filter::decode(dialect_at(in.row).name, in.image, in.options);
  if (!f) {
    const errc code = f.error().code;
    fuzz::check(code == errc::corrupt || code == errc::unsupported ||
                    code == errc::invalid_argument,
                "refused for another reason");
    fuzz::check(f.error().at <= in.image.size(), "blames a byte beyond the end");
    return 0;
  }
  check_numbers(*f);
  check_encoding(*f, in.image);
  check_merge(*f, in.image, in.options);
  check_insert(*f);
  return 0;
}
