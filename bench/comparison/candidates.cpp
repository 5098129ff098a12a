#include "comparison/candidates.hpp"

#include <bloomery/kinds.hpp>

#include "comparison/native_filter.hpp"
#include "kit/v3.hpp"
#include "peers/peers.hpp"

namespace bloomery::bench {
namespace {

// The same filter, queried by a program built for x86-64-v3: its one-key calls only, the
// rest does not depend on how the caller was built.
candidate v3_build_of(const candidate& plain, const bloomery_v3_loops& loops) {
  candidate c = plain;
  c.name += ", v3 build";
  c.about = "its one-key calls in a program built for x86-64-v3";
  c.calls.insert = loops.insert;
  c.calls.count = loops.count;
  c.calls.ticks = loops.ticks;
  c.calls.insert_batched = nullptr;
  c.calls.count_batched = nullptr;
  c.one_key_only = true;
  c.erases = {};
  return c;
}

template <class F>
void add_kind(std::vector<candidate>& all) {
  const candidate plain{.name = F::kind.name,
                        .about = F::kind.summary + std::string("; built for any CPU"),
                        .calls = native_filter<F>::calls(),
                        .ours = true,
                        .forgets = forgetting<F>,
                        .erases = native_filter<F>::erases()};
  all.push_back(plain);
  if (const auto* loops = v3_loops_of(static_cast<unsigned>(F::kind.number)))
    all.push_back(v3_build_of(plain, *loops));
}

template <class... Fs>
void add_kinds(std::vector<candidate>& all, detail::type_list<Fs...>) {
  (add_kind<Fs>(all), ...);
}

}  // namespace

std::vector<candidate> candidates() {
  std::vector<candidate> all;
  add_kinds(all, filter_types{});
  for (const bloomery_peer* p : peers()) all.push_back({p->name, p->about, *p});
  return all;
}

}  // namespace bloomery::bench
