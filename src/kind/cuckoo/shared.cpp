#include <bloomery/concurrent.hpp>

#include <array>

#include <bloomery/filter.hpp>

#include "base/fetch_to_write.hpp"
#include "kernel/fetch_ahead.hpp"

namespace bloomery::inline v1 {

static_assert(filter<concurrent<cuckoo>>);
static_assert(bounded<concurrent<cuckoo>> && !insertable<concurrent<cuckoo>>);
static_assert(erasable<concurrent<cuckoo>>);
static_assert(counting<concurrent<cuckoo>>);

namespace {

using access = concurrent_access<cuckoo>;
using stripes = access::stripes;

error refusal(cuckoo_insert why) noexcept {
  if (why == cuckoo_insert::too_many_copies)
    return {errc::too_many_copies, "the key, or others like it, is in the filter 8 times",
            0, cuckoo_probe::max_copies + 1, cuckoo_probe::max_copies};
  return {errc::full, "there is no room for the key"};
}

// What a call with a key at this place needs is on its way.
struct to_read {
  template <class Width>
  BLOOMERY_INLINE static void fetch(const stripes& s, Width width,
                                    const cuckoo_probe::place& p) noexcept {
    s.fetch(width, p);
  }
};
struct to_write {
  template <class Width>
  BLOOMERY_INLINE static void fetch(const stripes& s, Width width,
                                    const cuckoo_probe::place& p) noexcept {
    base::fetch_to_write(s.stripe_at(p.first), s.stripe_at(p.second));
    s.fetch_buckets(width, p);
  }
};

// use(i, place) for every key, in order, with its lines on the way; until it is false.
// Returns how many were used.
template <class Purpose, class Width, class Use>
std::size_t for_each_place(const stripes& s, const cuckoo_probe& probe, Width width,
                           std::span<const key> ks, Use use) noexcept {
  constexpr kernel::fetch_plan plan{.group = 16, .ahead = 32};
  constexpr std::size_t room = 64;
  std::array<cuckoo_probe::place, room> places;
  std::size_t done = 0;
  bool go_on = true;
  kernel::fetch_ahead<plan>(
      ks.size(),
      [&](std::size_t first, std::size_t count) noexcept {
        for (std::size_t i = first; i < first + count; ++i) {
          places[i % room] = probe.start(ks[i], width.bits);
          Purpose::fetch(s, width, places[i % room]);
        }
      },
      [&](std::size_t first, std::size_t count) noexcept {
        for (std::size_t i = first; go_on && i < first + count; ++i) {
          go_on = use(i, places[i % room]);
          done += go_on;
        }
      });
  return done;
}

}  // namespace

result<stripes> access::share(cuckoo& f) noexcept {
  if (!f.damage_.empty())
    return error{errc::corrupt,
                 "bytes of this filter are damaged: threads cannot share it"};
  return stripes::make(atomic_words(f.store_.data()), f.probe_);
}

void access::may_contain(const cuckoo& f, const stripes& s, std::span<const key> ks,
                         bool* out) noexcept {
  with_tag_width(f.tag_bits(), [&]<class Width>(Width width) noexcept {
    for_each_place<to_read>(s, f.probe_, width, ks,
                            [&](std::size_t i, const cuckoo_probe::place& p) noexcept {
                              out[i] = s.has(width, p);
                              return true;
                            });
  });
}

std::uint64_t access::count(const cuckoo& f, const stripes& s, key k) noexcept {
  return with_tag_width(f.tag_bits(), [&]<class Width>(Width width) noexcept {
    return s.count(width, f.probe_.start(k));
  });
}

result<void> access::insert(const cuckoo& f, stripes& s, key k) noexcept {
  const auto why = with_tag_width(f.tag_bits(), [&]<class Width>(Width width) noexcept {
    const auto p = f.probe_.start(k);
    to_write::fetch(s, width, p);  // not under the locks
    return s.insert(width, p);
  });
  if (why != cuckoo_insert::done) [[unlikely]]
    return refusal(why);
  return {};
}

std::size_t access::insert(const cuckoo& f, stripes& s,
                           std::span<const key> ks) noexcept {
  return with_tag_width(f.tag_bits(), [&]<class Width>(Width width) noexcept {
    return for_each_place<to_write>(
        s, f.probe_, width, ks, [&](std::size_t, const cuckoo_probe::place& p) noexcept {
          return s.insert(width, p) == cuckoo_insert::done;
        });
  });
}

result<void> access::erase(const cuckoo& f, stripes& s, key k) noexcept {
  const bool done = with_tag_width(f.tag_bits(), [&]<class Width>(Width width) noexcept {
    const auto p = f.probe_.start(k);
    to_write::fetch(s, width, p);
    return s.erase(width, p);
  });
  if (!done) return error{errc::not_present, "the key is not in the filter"};
  return {};
}

std::size_t access::erase(const cuckoo& f, stripes& s, std::span<const key> ks,
                          bool* erased) noexcept {
  std::size_t gone = 0;
  with_tag_width(f.tag_bits(), [&]<class Width>(Width width) noexcept {
    for_each_place<to_write>(s, f.probe_, width, ks,
                             [&](std::size_t i, const cuckoo_probe::place& p) noexcept {
                               gone += erased[i] = s.erase(width, p);
                               return true;
                             });
  });
  return gone;
}

}  // namespace bloomery::inline v1
