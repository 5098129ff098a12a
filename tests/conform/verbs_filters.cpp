// Verbs on filters.
#include <algorithm>
#include <concepts>
#include <memory>

#include "hex.hpp"
#include "interpreter.hpp"
#include "script_keys.hpp"

namespace bloomery::conform {
namespace {

std::uint32_t small(std::uint64_t n) {
  if (n > 0xffffffff) throw bad_script("more than 32 bits");
  return static_cast<std::uint32_t>(n);
}

// A call for each key: bytes as bytes, so that both ways into a filter are taken.
template <class F>
result<void> insert_one(F& f, const script_key& k) {
  const auto put = [&](auto x) -> result<void> {
    if constexpr (insertable<F>)
      return f.insert(x), result<void>();
    else if constexpr (bounded<F>)
      return f.try_insert(x);
    else
      return no_such_call<F, capability::insert>();
  };
  if (const auto* bytes = std::get_if<std::string>(&k))
    return put(std::string_view(*bytes));
  return put(hashed(f.hasher(), k));
}
template <class F>
bool ask_one(const F& f, const script_key& k) {
  if (const auto* bytes = std::get_if<std::string>(&k))
    return f.may_contain(std::string_view(*bytes));
  return f.may_contain(hashed(f.hasher(), k));
}

template <class F>
std::vector<key> all_hashed(const F& f, const std::vector<script_key>& keys) {
  std::vector<key> out;
  for (const script_key& k : keys) out.push_back(hashed(f.hasher(), k));
  return out;
}

std::string_view bytes_only(const script_key& k) {
  const auto* bytes = std::get_if<std::string>(&k);
  if (bytes == nullptr) throw bad_script("a foreign filter takes bytes only");
  return *bytes;
}

std::string digits(const bool* answers, std::size_t n) {
  std::string out;
  for (std::size_t i = 0; i < n; ++i) out += answers[i] ? '1' : '0';
  return out;
}

std::string ask(const any_filter& f, const std::vector<script_key>& keys, bool batch) {
  const auto out = std::make_unique<bool[]>(keys.size());
  const std::span<bool> answers(out.get(), keys.size());
  if (batch)
    f.may_contain(all_hashed(f, keys), answers);
  else
    f.visit([&](const auto& own) {
      for (std::size_t i = 0; i < keys.size(); ++i) answers[i] = ask_one(own, keys[i]);
    });
  return digits(out.get(), keys.size());
}

std::string ask(const foreign_filter& f, const std::vector<script_key>& keys,
                bool batch) {
  const auto out = std::make_unique<bool[]>(keys.size());
  if (batch) {
    std::vector<std::string_view> views;
    for (const script_key& k : keys) views.push_back(bytes_only(k));
    f.may_contain(views, {out.get(), keys.size()});
  } else {
    for (std::size_t i = 0; i < keys.size(); ++i)
      out[i] = f.may_contain(bytes_only(keys[i]));
  }
  return digits(out.get(), keys.size());
}

std::string ask(const packed_set& set, const std::vector<script_key>& keys,
                std::uint64_t member) {
  if (member >= set.size()) throw bad_script("no such member");
  std::string out;
  for (const script_key& k : keys)
    out += set.may_contain(member, hashed(set.hasher(), k)) ? '1' : '0';
  return out;
}

// Options of the kind, by their names; the cells of a counting filter lie as its
// `profile` says.
void set_options(size_request& size, const kind_info& kind, const line& l) {
  for (const kind_option& o : kind.options) {
    const char* const word = std::string_view(o.name) == "layout" ? "profile" : o.name;
    if (!l.has(word)) continue;
    if (!set_option(size, o.name, std::string_view(l.option(word))))
      throw bad_script("no value of " + std::string(word) + ": " + l.option(word));
  }
}

// Byte 20 of its header.
template <class F>
std::uint32_t header_hashes(const F& f) {
  return find_kind(F::kind.number)->files.describe(&f).hashes;
}

}  // namespace

// By exact layout, in the units of the kind (bits=, blocks=, ...), or by rate.
std::string interpreter::make(const line& l) {
  const kind_info* const kind = find_kind(l.word(2));
  if (kind == nullptr) throw bad_script("no such kind: " + l.word(2));
  size_request size;
  std::uint64_t keys = l.number_or("capacity", 0);
  if (l.has("fpr")) {
    keys = l.number("keys");
    size.fpr = l.real("fpr");
    size.force = l.number_or("force", 0) != 0;
  } else {
    size.exact = {l.number(kind->facts.units), small(l.number_or("hashes", 0))};
    set_options(size, *kind, l);
  }
  const hasher h = l.has("hash") ? parse_hasher(l.option("hash")) : kind->facts.hasher();
  auto made = kind->make(keys, size, h.of(l.source().value_or(key_source::bytes)));
  if (!made) return shown(made.error());
  const std::string said = made->visit([](const auto& f) {
    return "ok bits=" + std::to_string(f.bits()) +
           " hashes=" + std::to_string(header_hashes(f));
  });
  keep(l.word(1), *std::move(made));
  return said;
}

std::string interpreter::insert(const line& l, bool batch) {
  any_filter& f = own_filter(l.word(1));
  const auto keys = l.keys(2);
  if (!takes(f.hasher(), keys)) return other_keys;
  if (batch && f.can(capability::insert)) {
    const auto done = f.insert(all_hashed(f, keys));
    return done ? "ok" : shown(done.error());
  }
  // A full filter has the keys before the refused one.
  std::size_t first = 0;
  if (batch)
    if (const auto in = f.try_insert(all_hashed(f, keys))) first = *in;
  return f.visit([&](auto& own) -> std::string {
    for (std::size_t i = first; i < keys.size(); ++i)
      if (const auto done = insert_one(own, keys[i]); !done) return shown(done.error());
    return "ok";
  });
}

std::string interpreter::query(const line& l, bool batch) {
  const auto at = filters_.find(l.word(1));
  if (at == filters_.end()) throw bad_script("no filter: " + l.word(1));
  const auto keys = l.keys(2);
  if (const auto* set = std::get_if<packed_set>(&at->second))
    return takes(set->hasher(), keys) ? ask(*set, keys, l.number("member")) : other_keys;
  if (const auto* foreign = std::get_if<foreign_filter>(&at->second))
    return ask(*foreign, keys, batch);
  const auto& own = std::get<any_filter>(at->second);
  return takes(own.hasher(), keys) ? ask(own, keys, batch) : other_keys;
}

std::string interpreter::count(const line& l) {
  const std::string answers = query(l, true);
  return answers == other_keys ? answers
                               : std::to_string(std::ranges::count(answers, '1'));
}

std::string interpreter::info(const line& l) {
  const any_filter& any = own_filter(l.word(1));
  return any.visit([&](const auto& f) {
    return "kind=" + std::string(any.kind()) + " bits=" + std::to_string(f.bits()) +
           " hashes=" + std::to_string(header_hashes(f)) +
           " capacity=" + std::to_string(f.capacity()) +
           " ones=" + std::to_string(f.ones()) +
           " bytes=" + std::to_string(f.size_in_bytes()) +
           " hash=" + name_of(f.hasher().id()) +
           " check=" + testing::to_hex(f.hasher().check());
  });
}

std::string interpreter::source(const line& l) {
  return name_of(own_filter(l.word(1)).hasher().source());
}

std::string interpreter::rate(const line& l) {
  const any_filter& f = own_filter(l.word(1));
  return "realised=" + shown(f.realised_fpr()) + " keys=" + shown(f.estimated_keys());
}

std::string interpreter::expect(const line& l) {
  return shown(own_filter(l.word(1)).expected_fpr(l.number(2)));
}

std::string interpreter::merge(const line& l) {
  const auto done = own_filter(l.word(1)).merge(own_filter(l.word(2)));
  return done ? "ok" : shown(done.error());
}

std::string interpreter::fold(const line& l) {
  const std::uint64_t n = l.number(2);
  return own_filter(l.word(1)).visit([&]<class F>(F& f) -> std::string {
    if constexpr (foldable<F>) {
      const auto done = f.fold(n);
      return done ? "ok blocks=" + std::to_string(f.shape().blocks) : shown(done.error());
    } else {
      throw bad_script("this kind does not fold");
    }
  });
}

std::string interpreter::clear(const line& l) {
  if (!own_filter(l.word(1)).clear()) throw bad_script("this kind is only built");
  return "ok";
}

std::string interpreter::equal(const line& l) {
  return own_filter(l.word(1)) == own_filter(l.word(2)) ? "yes" : "no";
}

}  // namespace bloomery::conform
