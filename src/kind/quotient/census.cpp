// The state of a quotient filter, counted from its slots (spec/model.md, section 15).
#include <bloomery/quotient.hpp>

#include <algorithm>

#include "kind/quotient/cursor.hpp"
#include "kind/quotient/damage.hpp"
#include "kind/quotient/figures.hpp"
#include "kind/quotient/stream.hpp"

namespace bloomery::inline v1 {
namespace {

// Clusters: slots in use without an empty one between.
class clusters {
 public:
  void add_run(quotient_census& to, std::uint64_t first, std::uint64_t last) noexcept {
    to.used_slots += last - first + 1;
    to.longest_run = std::max(to.longest_run, last - first + 1);
    if (first != end_) start_ = first;
    end_ = last + 1;
    to.longest_cluster = std::max(to.longest_cluster, end_ - start_);
  }

 private:
  std::uint64_t start_ = 0, end_ = ~std::uint64_t{0};
};

// Which runs a lookup goes through.  It begins with the last block, at or before that of
// the quotient, whose offset is a distance.
class distances {
 public:
  using runs = quotient_runs<plain_words<const std::byte>, broadword_select>;

  explicit distances(const quotient_layout& l, const std::byte* data) noexcept
      : runs_(l, {data}) {}

  // In the order of the quotients.
  bool is_near(std::uint64_t q, std::uint64_t first, std::uint64_t last) noexcept {
    for (; block_ < q / 64;)
      if (runs_.offset(++block_) != runs::saturated) from_ = block_;
    return runs::is_near({run_state::found, first, last, from_});
  }

 private:
  runs runs_;
  std::uint64_t block_ = 0, from_ = 0;
};

quotient_census of_damaged(const quotient& f) noexcept {
  quotient_census out;
  clusters runs_of;
  const quotient_layout& l = f.layout();
  const auto runs = damaged_runs(l, f.bytes().data(), f.damage());
  for (std::uint64_t b = 0; 64 * b < l.quotients; ++b) {
    if (f.damage().touches(8 * b * l.block_words(), 8 * l.block_words())) {
      out.unknown_quotients += quotients_of_block(l, b);
      continue;
    }
    add_block(out, runs, b, [&](std::uint64_t first, std::uint64_t last) noexcept {
      runs_of.add_run(out, first, last);
    });
  }
  return out;
}

}  // namespace

quotient_census quotient::census() const noexcept {
  if (!damage_.empty()) return of_damaged(*this);
  quotient_census out;
  clusters runs_of;
  distances to_runs(layout_, store_.data());
  std::uint64_t last = ~std::uint64_t{0};
  bool is_far = false;
  for (quotient_cursor c(layout_, store_.data()); c.next();) {
    add_copies(out, c.count());
    if (c.last() != last) {
      runs_of.add_run(out, c.first(), c.last());
      is_far = !to_runs.is_near(c.fingerprint() >> layout_.remainder_bits, c.first(),
                                c.last());
      out.far_quotients += is_far;
    }
    out.far_fingerprints += is_far;
    last = c.last();
  }
  return out;
}

double quotient::estimated_keys() const noexcept {
  return v1::estimated_keys(layout_, census());
}
double quotient::fill() const noexcept { return v1::fill(layout_, census()); }
double quotient::realised_fpr() const noexcept {
  return v1::realised_fpr(layout_, census());
}

void quotient::for_each(void (*visit)(void*, std::uint64_t, std::uint64_t),
                        void* context) const noexcept {
  if (!damage_.empty()) return;
  quotient_stream all(layout_, store_.data());
  for (std::uint64_t f = all.top(); f != quotient_stream::none; f = all.top())
    visit(context, f, all.take());
}

}  // namespace bloomery::inline v1
