#include <bloomery/concurrent.hpp>

#include <algorithm>
#include <array>

#include <bloomery/detail/kind/quotient/protocol.hpp>
#include <bloomery/detail/kind/quotient/words.hpp>
#include <bloomery/filter.hpp>

#include "kind/quotient/figures.hpp"
#include "kind/quotient/kernel/table.hpp"
#include "kind/quotient/refusal.hpp"

namespace bloomery::inline v1 {

static_assert(filter<concurrent<quotient>>);
static_assert(bounded<concurrent<quotient>> && !insertable<concurrent<quotient>>);
static_assert(erasable<concurrent<quotient>>);
static_assert(counting<concurrent<quotient>>);

namespace {

using access = concurrent_access<quotient>;
using stripes = access::stripes;
using kernel::best_quotient_kernel;
using kernel::quotient_result;

// The bits of a damage_set whose only chunk is damaged.  Nobody writes to them.
constinit std::array<std::byte, 8> everything{std::byte{1}};
constexpr unsigned whole_chunk = 63;

}  // namespace

result<stripes> access::share(quotient& f) noexcept {
  if (!f.damage_.empty())
    return error{errc::corrupt,
                 "bytes of this filter are damaged: threads cannot share it"};
  return stripes::make(atomic_words(f.store_.data()), f.layout_);
}

quotient access::release(quotient f, const stripes& s) noexcept {
  if (s.is_torn()) f.damage_ = damage_set(pages::borrow(everything), 1, whole_chunk);
  return f;
}

bool access::may_contain(const stripes& s, key k) noexcept {
  return best_quotient_kernel().shared.may_contain(s, k.bits());
}

void access::may_contain(const stripes& s, std::span<const key> ks, bool* out) noexcept {
  best_quotient_kernel().shared.query(s, ks.data(), ks.size(), out);
}

std::uint64_t access::count(const stripes& s, key k) noexcept {
  std::uint64_t copies;
  if (!best_quotient_kernel().shared.count(s, k.bits(), copies))
    return quotient::unknown_count;
  return copies;
}

result<void> access::insert(const stripes& s, key k) noexcept {
  const auto why = best_quotient_kernel().shared.insert(s, k.bits());
  if (why != quotient_result::done) [[unlikely]]
    return quotient_refusal(why);
  return {};
}

std::size_t access::insert(const stripes& s, std::span<const key> ks) noexcept {
  return best_quotient_kernel().shared.insert_many(s, ks.data(), ks.size());
}

result<void> access::erase(const stripes& s, key k) noexcept {
  const auto why = best_quotient_kernel().shared.erase(s, k.bits());
  if (why != quotient_result::done) return quotient_refusal(why);
  return {};
}

result<std::size_t> access::erase(const stripes& s, std::span<const key> ks,
                                  bool* erased) noexcept {
  // A batch that meets a torn stripe half-way would have changed something.
  if (s.is_torn()) {
    std::fill_n(erased, ks.size(), false);
    return quotient_refusal(quotient_result::unreadable);
  }
  best_quotient_kernel().shared.erase_many(s, ks.data(), ks.size(), erased);
  return static_cast<std::size_t>(std::count(erased, erased + ks.size(), true));
}

result<void> access::copy(const stripes& s, quotient& to) noexcept {
  if (s.copy(to.store_.data())) return {};
  return quotient_refusal(quotient_result::unreadable);
}

quotient_census access::census(const stripes& s) noexcept {
  const quotient_layout& l = s.layout();
  const shared_quotient<stripes, broadword_select> all(s);
  quotient_census out;
  for (std::uint64_t b = 0; 64 * b < l.quotients; ++b) {
    quotient_census here;
    if (!all.read(b, [&](const auto& runs) noexcept {
          here = out;
          add_block(here, runs, b, [&](std::uint64_t first, std::uint64_t last) noexcept {
            here.used_slots += last - first + 1;
            here.longest_run = std::max(here.longest_run, last - first + 1);
          });
        })) {
      here = out;
      here.unknown_quotients += quotients_of_block(l, b);
    }
    out = here;
  }
  return out;
}

double access::fill(const stripes& s) noexcept { return v1::fill(s.layout(), census(s)); }
double access::estimated_keys(const stripes& s) noexcept {
  return v1::estimated_keys(s.layout(), census(s));
}
double access::realised_fpr(const stripes& s) noexcept {
  return v1::realised_fpr(s.layout(), census(s));
}

}  // namespace bloomery::inline v1
