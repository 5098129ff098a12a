#include "kit/portable_bench.hpp"

#include <bloomery/portable_bloom.hpp>

#include "kit/textbook_subject.hpp"

namespace bloomery::bench {

result<figures> measure_portable(std::uint64_t keys, double fpr, const options& o) {
  plan p{"portable", "portable", keys, fpr, {}, {}};
  using made_subject = std::unique_ptr<subject>;
  p.make = [=]() -> result<made_subject> {
    auto made = portable_bloom::make({.keys = keys, .fpr = fpr});
    if (!made) return made.error();
    return made_subject(new filter_subject(*std::move(made)));
  };
  p.make_textbook = [=]() -> result<made_subject> {
    const auto layout = size_by_rate(keys, fpr);
    if (!layout) return layout.error();
    return made_subject(new textbook_subject(*layout));
  };
  return measure(p, o);
}

}  // namespace bloomery::bench
