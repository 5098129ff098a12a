// Any bytes: decode refuses them or gives a filter that encodes to exactly these bytes,
// answers in batches as it does one by one, and reports sensible numbers.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/portable_bloom.hpp>

#include "ask.hpp"
#include "check.hpp"
#include "target.hpp"
#include "test_key.hpp"

BLOOMERY_FUZZ_TARGET(fuzz_decode) {
  using namespace bloomery;
  const auto bytes = std::as_bytes(std::span(data, size));
  auto f = portable_bloom::decode(bytes);
  if (!f) {
    fuzz::check(f.error().code == errc::corrupt, "refused for another reason");
    fuzz::check(f.error().at <= size, "blames a byte beyond the end");
    return 0;
  }
  const auto again = f->encode();
  fuzz::check(again.has_value() && std::ranges::equal(again->bytes(), bytes),
              "encodes to other bytes");

  // A key walks up to m bits where k is absurd: then few keys, for the sake of speed.
  const auto ks = testing::keys(size, f->hashes() <= 64 ? 70 : 2);
  fuzz::check(testing::ask(*f, ks) == testing::ask_one_by_one(*f, ks),
              "a batch answers otherwise than its keys");
  fuzz::check(f->ones() <= f->bits(), "more ones than bits");
  fuzz::check(f->fill() >= 0 && f->fill() <= 1, "fill is no share");
  fuzz::check(f->estimated_keys() >= 0, "a negative number of keys");
  if (f->bits() <= 128) {  // exact: quadratic in the bits
    const double rate = f->realised_fpr();
    fuzz::check(rate >= 0 && rate <= 1, "the rate is no probability");
    fuzz::check((rate == 0) == (f->ones() == 0),
                "the rate of no ones is 0, of any is not");
  }

  f->insert(std::span<const key>(ks));
  fuzz::check(testing::count_maybe(testing::ask(*f, ks)) == ks.size(), "false negative");
  return 0;
}
