// The state of a quotient filter, counted from its slots (spec/model.md, section 15).
#include <bloomery/quotient.hpp>

#include <algorithm>
#include <bit>
#include <limits>

#include "filter/quotient_cursor.hpp"
#include "filter/quotient_damage.hpp"
#include "filter/quotient_stream.hpp"

namespace bloomery::inline v1 {
namespace {

void add_copies(quotient_census& to, std::uint64_t count) noexcept {
  ++to.fingerprints;
  // Only bytes that no writer wrote come near.
  to.copies = count > ~to.copies ? ~std::uint64_t{0} : to.copies + count;
  to.most_copies = std::max(to.most_copies, count);
}

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

quotient_census of_damaged(const quotient& f) noexcept {
  quotient_census out;
  clusters runs_of;
  const quotient_layout& l = f.layout();
  const auto runs = damaged_runs(l, f.bytes().data(), f.damage());
  for (std::uint64_t b = 0; 64 * b < l.quotients; ++b) {
    if (f.damage().touches(8 * b * l.block_words(), 8 * l.block_words())) {
      out.unknown_quotients += std::min<std::uint64_t>(64, l.quotients - 64 * b);
      continue;
    }
    for (std::uint64_t left = runs.occupieds(b); left != 0; left &= left - 1) {
      const std::uint64_t q = 64 * b + static_cast<unsigned>(std::countr_zero(left));
      if (q >= l.quotients) break;
      const quotient_run run = runs.find(q);
      if (run.state != run_state::found) {
        ++out.unknown_quotients;
        continue;
      }
      runs_of.add_run(out, run.first, run.last);
      for (std::uint64_t i = run.first; i <= run.last;) {
        const quotient_group g = runs.group_at(i, run.last);
        add_copies(out, g.count);
        i = g.end;
      }
    }
  }
  return out;
}

// Of the quotients, those that can be followed.
double known_share(const quotient& f, const quotient_census& c) noexcept {
  return 1 -
         static_cast<double>(c.unknown_quotients) / static_cast<double>(f.quotients());
}

}  // namespace

quotient_census quotient::census() const noexcept {
  if (!damage_.empty()) return of_damaged(*this);
  quotient_census out;
  clusters runs_of;
  std::uint64_t last = ~std::uint64_t{0};
  for (quotient_cursor c(layout_, store_.data()); c.next();) {
    add_copies(out, c.count());
    if (c.last() != last) runs_of.add_run(out, c.first(), c.last());
    last = c.last();
  }
  return out;
}

double quotient::estimated_keys() const noexcept {
  const quotient_census c = census();
  const double known = known_share(*this, c);
  if (known <= 0) return std::numeric_limits<double>::infinity();
  return static_cast<double>(c.copies) / known;
}

double quotient::fill() const noexcept {
  const quotient_census c = census();
  const double known = known_share(*this, c);
  if (known <= 0) return 1;
  return std::min(
      1.0, static_cast<double>(c.used_slots) / known / static_cast<double>(quotients()));
}

double quotient::realised_fpr() const noexcept {
  const quotient_census c = census();
  return std::min(1.0, 1 - known_share(*this, c) +
                           static_cast<double>(c.fingerprints) /
                               static_cast<double>(layout_.fingerprints()));
}

void quotient::for_each(void (*visit)(void*, std::uint64_t, std::uint64_t),
                        void* context) const noexcept {
  if (!damage_.empty()) return;
  quotient_stream all(layout_, store_.data());
  for (std::uint64_t f = all.top(); f != quotient_stream::none; f = all.top())
    visit(context, f, all.take());
}

}  // namespace bloomery::inline v1
