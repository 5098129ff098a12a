#include "kit/end_to_end.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>

#include <bloomery/kinds.hpp>

#include "kit/mix.hpp"
#include "kit/schedule.hpp"
#include "kit/user_keys.hpp"

namespace bloomery::bench {
namespace {

// Lookups of one run: too many for a branch predictor, and for large filters too many for
// a cache; fewer for small filters, so that a measurement is short.
constexpr std::uint64_t min_calls = std::uint64_t{1} << 17;
constexpr std::uint64_t max_calls = std::uint64_t{1} << 20;

// No filter holds as many keys: absent ones begin here.
constexpr std::uint64_t absent_from = std::uint64_t{1} << 40;

template <class... Fs>
constexpr auto all_kinds(detail::type_list<Fs...>) noexcept {
  return std::array{user_kind{Fs::kind.name, maker_of<Fs, std::uint64_t>(),
                              maker_of<Fs, std::string_view>(), Fs::kind.hasher}...};
}

constexpr auto table = all_kinds(filter_types{});

const user_filter_maker<std::uint64_t>& maker_for(const user_kind& k, std::uint64_t) {
  return k.of_integers;
}
const user_filter_maker<std::string_view>& maker_for(const user_kind& k,
                                                     std::string_view) {
  return k.of_texts;
}

void add_hashes(std::vector<key>& to, const hasher& h,
                std::span<const std::uint64_t> ks) {
  to.resize(to.size() + ks.size());
  h.of(key_source::integers).hash_u64(ks, std::span(to).last(ks.size()));
}
void add_hashes(std::vector<key>& to, const hasher& h,
                std::span<const std::string_view> ks) {
  to.resize(to.size() + ks.size());
  h.hash(ks, std::span(to).last(ks.size()));
}

// use(keys) of keys 0 .. n-1, some at a time: 10^8 of them need not lie in memory
// together.
template <class Type, class Use>
void for_each_user_key(std::uint64_t n, Use use) {
  constexpr std::uint64_t at_once = 1 << 16;
  for (std::uint64_t first = 0; first < n; first += at_once) {
    const user_keys<Type> some(static_cast<std::size_t>(std::min(at_once, n - first)),
                               [first](std::size_t i) { return first + i; });
    use(some.all());
  }
}

// With all keys.
template <class Type>
auto filled(const user_filter_maker<typename Type::key>& m, const hasher& h,
            std::uint64_t keys, double fpr) {
  if (m.make != nullptr) {
    auto made = m.make(keys, fpr);
    if (made)
      for_each_user_key<Type>(keys, [&](auto ks) { (*made)->insert_batched(ks); });
    return made;
  }
  std::vector<key> all;
  all.reserve(static_cast<std::size_t>(keys));
  for_each_user_key<Type>(keys, [&](auto ks) { add_hashes(all, h, ks); });
  return m.build(all, fpr);
}

template <class Key>
struct user_queries {
  std::span<const Key> fresh, present, absent, mixed;

  std::span<const Key> of(operation o) const {
    switch (o) {
      case operation::present:
      case operation::present_batched:
        return present;
      case operation::absent:
      case operation::absent_batched:
        return absent;
      case operation::mixed:
      case operation::mixed_batched:
        return mixed;
      default:
        return fresh;
    }
  }
};

bool is_batched(operation o) {
  return o == operation::insert_batched || o == operation::present_batched ||
         o == operation::absent_batched || o == operation::mixed_batched;
}
bool is_insert(operation o) { return info_of(o).writes; }

// Also the first touch of all that is timed afterwards.
template <class Key>
void check(const user_filter<Key>& full, user_filter<Key>* scratch,
           const user_queries<Key>& q) {
  const auto say = [](bool right, const char* wrong) {
    if (!right) throw std::runtime_error(wrong);
  };
  const auto has_all = [](const user_filter<Key>& f, std::span<const Key> ks) {
    return f.forgets() || f.count_each(ks) == ks.size();
  };
  say(has_all(full, q.present), "bench: the filter lost a key: do not use this build");
  for (const auto ks : {q.present, q.absent, q.mixed})
    say(full.count_batched(ks) == full.count_each(ks),
        "bench: batched and single lookups of a user's keys disagree");
  if (scratch == nullptr) return;
  for (const bool batched : {false, true}) {
    scratch->clear();
    batched ? scratch->insert_batched(q.fresh) : scratch->insert_each(q.fresh);
    say(has_all(*scratch, q.fresh), "bench: inserts lost a key: do not use this build");
  }
}

template <class Key>
task task_of(operation o, const user_filter<Key>& full, user_filter<Key>* scratch,
             std::span<const Key> ks) {
  if (is_insert(o))
    return {ks.size(),
            [=, batched = is_batched(o)] {
              batched ? scratch->insert_batched(ks) : scratch->insert_each(ks);
              return std::uint64_t{0};
            },
            [=] { scratch->clear(); }};
  return {ks.size(), [&full, ks, batched = is_batched(o)] {
            return batched ? full.count_batched(ks) : full.count_each(ks);
          }};
}

template <class Type>
result<user_key_figures> measure(const user_kind& k, std::uint64_t keys, double fpr,
                                 unsigned rounds) {
  using key_type = typename Type::key;
  const auto& maker = maker_for(k, key_type{});
  const auto full = filled<Type>(maker, k.hash(), keys, fpr);
  if (!full) return full.error();
  std::unique_ptr<user_filter<key_type>> scratch;
  if (maker.make != nullptr) {
    auto made = maker.make(keys, fpr);
    if (!made) return made.error();
    scratch = *std::move(made);
  }

  const auto lookups =
      static_cast<std::size_t>(std::clamp(keys / 4, min_calls, max_calls));
  const auto drawn = [keys](std::size_t i) { return scale(splitmix64(~i), keys); };
  const auto other = [](std::size_t i) { return absent_from + i; };
  const user_keys<Type> fresh(static_cast<std::size_t>(std::min(keys, max_calls)),
                              [](std::size_t i) { return i; });
  const user_keys<Type> present(lookups, drawn), absent(lookups, other),
      mixed(lookups,
            [&](std::size_t i) { return splitmix64(i) % 2 == 0 ? drawn(i) : other(i); });
  const user_queries<key_type> q{fresh.all(), present.all(), absent.all(), mixed.all()};
  check(**full, scratch.get(), q);

  user_key_figures f;
  f.label = Type::name();
  f.type = Type::type;
  f.key_bytes = Type::key_bytes;
  f.bits_per_key = 8 * static_cast<double>((*full)->bytes()) / static_cast<double>(keys);
  f.measured_fpr = static_cast<double>((*full)->count_batched(q.absent)) /
                   static_cast<double>(lookups);
  schedule s;
  for (const operation o : user_operations)
    if (!is_insert(o) || scratch != nullptr)
      s.add(task_of(o, **full, scratch.get(), q.of(o)), f.times[o].emplace());
  s.run(rounds);
  return f;
}

}  // namespace

result<std::vector<user_key_figures>> measure_end_to_end(const user_kind& k,
                                                         std::uint64_t keys, double fpr,
                                                         const options& o) {
  std::vector<user_key_figures> all;
  for (const auto measured :
       {measure<u64_key>, measure<text_of_size<8>>, measure<text_of_size<16>>,
        measure<text_of_size<32>>, measure<text_of_size<64>>}) {
    auto f = measured(k, keys, fpr, o.rounds);
    if (!f) return f.error();
    all.push_back(*std::move(f));
  }
  return all;
}

const user_kind& user_kind_of(std::string_view kind) noexcept {
  return *std::ranges::find(table, kind, &user_kind::name);
}

}  // namespace bloomery::bench
