// Any filter, chosen at run time: a closed variant over kinds.hpp, for tools and
// adapters.
//
// A caller that knows its filter at compile time uses that type instead.  A call that the
// filter's kind does not have returns `unsupported`, naming the kind and the kinds that
// have it; check with `can` in advance.
//
// load_any, decode_any and open_any read a container of any kind.
//
// Inline: the lookup and the insert of one key.  They are templates, for each is code for
// every kind, and files that do not call them need not compile it.  The rest is compiled
// once, in the library.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include <bloomery/container.hpp>
#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/key_calls.hpp>
#include <bloomery/detail/format/input_file.hpp>
#include <bloomery/detail/path_ref.hpp>
#include <bloomery/detail/receipt.hpp>
#include <bloomery/detail/receipt_ledger.hpp>
#include <bloomery/filter.hpp>
#include <bloomery/filter_view.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/kinds.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

namespace detail {
inline namespace BLOOMERY_BY_ISA {

// What one-key calls do with a filter of each kind.  Not lambdas: std::visit makes
// functions that have the type in their names, and two translation units with different
// flags must not share them.
struct ask_its_hasher {
  template <class F>
  hasher operator()(const F& f) const noexcept {
    return f.hasher();
  }
};
struct look_up_one {
  key k;
  template <class F>
  bool operator()(const F& f) const noexcept {
    return f.may_contain(k);
  }
};
struct insert_one {
  key k;
  template <class F>
  result<void> operator()(F& f) const noexcept {
    f.insert(k);
    return {};
  }
};

}  // namespace BLOOMERY_BY_ISA
}  // namespace detail

class BLOOMERY_EXPORT any_filter
    : public key_lookups<any_filter>,
      public key_inserts<any_filter, result<void>, result<bool>> {
 public:
  template <listed_filter F>
  any_filter(F f) noexcept : filter_(std::move(f)) {}

  // For what only some kinds have: f.visit([](auto& filter) { ... }).
  template <class Visitor>
  decltype(auto) visit(Visitor&& v) {
    return std::visit(std::forward<Visitor>(v), filter_);
  }
  template <class Visitor>
  decltype(auto) visit(Visitor&& v) const {
    return std::visit(std::forward<Visitor>(v), filter_);
  }

  const kind_facts& facts() const noexcept;
  std::string_view kind() const noexcept { return facts().name; }
  bool can(capability c) const noexcept;
  template <class Any = any_filter>
  BLOOMERY_INLINE bloomery::hasher hasher() const noexcept {
    return as<Any>().visit(detail::ask_its_hasher{});
  }

  // Keys for this filter and for every other with an equal hasher.  REQUIRES: they are of
  // its hasher's source.
  template <class Any = any_filter>
  BLOOMERY_INLINE key hash(std::string_view bytes) const noexcept {
    return as<Any>().hasher().hash(bytes);
  }
  template <class Any = any_filter>
  BLOOMERY_INLINE key hash_u64(std::uint64_t x) const noexcept {
    return as<Any>().hasher().hash_u64(x);
  }
  template <class Any = any_filter>
  BLOOMERY_INLINE key from_hash(std::uint64_t h) const noexcept {
    return as<Any>().hasher().from_hash(h);
  }

  // Integers, bytes, and ranges of keys, in all calls below: key_types.hpp.  Its hasher
  // decides at run time whether keys are integers: of a key that is not of its source
  // lookups answer "possibly present", and inserts return incompatible.
  using key_inserts<any_filter, result<void>, result<bool>>::insert;
  using key_inserts<any_filter, result<void>, result<bool>>::insert_if_absent;
  using key_lookups<any_filter>::hash;
  using key_lookups<any_filter>::may_contain;

  // --- lookups: every kind ---
  template <class Any = any_filter>
  BLOOMERY_INLINE bool may_contain(key k) const noexcept {
    return as<Any>().visit(detail::look_up_one{k});
  }
  template <class Any = any_filter>
  BLOOMERY_INLINE bool may_contain(std::string_view bytes) const noexcept {
    return !detail::takes<std::string_view>(as<Any>()) ||
           as<Any>().may_contain(as<Any>().hash(bytes));
  }
  // REQUIRES: out.size() == ks.size()
  void may_contain(std::span<const std::string_view> ks,
                   std::span<bool> out) const noexcept;
  void may_contain(std::span<const key> ks, std::span<bool> out) const noexcept;

  // --- changing: errors unsupported, and those of the kind's own call ---
  template <class Any = any_filter>
  BLOOMERY_INLINE result<void> insert(key k) noexcept {
    return as<Any>().template call<capability::insert, result<void>>(
        detail::insert_one{k});
  }
  template <class Any = any_filter>
  BLOOMERY_INLINE result<void> insert(std::string_view bytes) noexcept {
    if (!detail::takes<std::string_view>(as<Any>()))
      return detail::no_key_of_it<std::string_view>();
    return as<Any>().insert(as<Any>().hash(bytes));
  }
  result<void> insert(std::span<const std::string_view> ks) noexcept;
  // Uses several threads where the kind can; the bits do not depend on their
  // number.
  // REQUIRES: threads >= 1
  result<void> insert(std::span<const key> ks, unsigned threads = 1) noexcept;
  // Errors: full, too_many_copies; nothing has changed.
  result<void> try_insert(key k) noexcept;
  // The number of keys before the first refused one: they are in, the rest is not.
  result<std::size_t> try_insert(std::span<const key> ks) noexcept;
  result<bool> insert_if_absent(key k) noexcept;
  template <class Any = any_filter>
  BLOOMERY_INLINE result<bool> insert_if_absent(std::string_view bytes) noexcept {
    if (!detail::takes<std::string_view>(as<Any>()))
      return detail::no_key_of_it<std::string_view>();
    return as<Any>().insert_if_absent(as<Any>().hash(bytes));
  }
  // Inserts in order; absent[i]: ks[i] was definitely not present when its turn came.
  // REQUIRES: absent.size() == ks.size()
  result<void> insert_if_absent(std::span<const key> ks, std::span<bool> absent) noexcept;
  // Errors: those of try_insert.
  result<receipt> try_insert_with_receipt(key k) noexcept;
  // The filter and its file remember that it was used: safe however often it is used.
  result<receipt> try_insert_with_numbered_receipt(key k) noexcept;
  // Errors: unsupported.
  result<receipt_state> state_of(const receipt& r) const noexcept;
  // What it knows of its receipts; null if the kind cannot erase.
  const receipt_ledger* receipts() const noexcept;
  // Safe for all other keys: a numbered receipt always, another one the first time
  // (receipt.hpp).  The receipt is used up if it succeeds.
  // Errors: incompatible (a receipt of another filter), not_present (used before),
  // corrupt (bytes of the key are damaged); nothing has changed.
  result<void> erase(receipt&& r) noexcept;
  // REQUIRES: k was inserted, and not erased since.  If it only tests positive, the
  // fingerprint of another key is deleted, which becomes a false negative: use receipts
  // where the caller cannot know.  Errors: not_present, corrupt; nothing has changed.
  result<void> erase_present(key k) noexcept;
  // Key by key, in order; erased[i]: ks[i] was present.  Returns how many were.
  // REQUIRES: as above; erased.size() == ks.size()
  result<std::size_t> erase_present(std::span<const key> ks,
                                    std::span<bool> erased) noexcept;
  result<std::uint64_t> count(key k) const noexcept;
  // each(context, fingerprint, copies)
  result<void> iterate(void (*each)(void*, std::uint64_t, std::uint64_t),
                       void* context) const noexcept;
  result<void> fold(std::uint64_t divisor) noexcept;
  // Folds by the largest divisor that keeps the rate at or below `fpr`; returns it.
  result<std::uint64_t> fold_to_rate(double fpr) noexcept;
  // Twice the size and the same answers.  Errors: unattainable, too_large, corrupt,
  // out_of_memory; nothing has changed.
  result<void> grow() noexcept;
  // The keys that it holds when it is full, for kinds that grow.
  result<std::uint64_t> keys_when_full() const noexcept;
  // Forgets the oldest generation.
  result<void> rotate() noexcept;
  // Empties it.  Errors: unsupported (a kind that is only built).
  result<void> clear() noexcept;

  // Errors: incompatible, of another kind or as the kind's own call says.
  result<void> merge(const any_filter& other) noexcept;
  result<void> intersect(const any_filter& other) noexcept;
  // Union of filters of different sizes, at a higher rate.
  result<void> fold_and_merge(const any_filter& other) noexcept;

  // --- properties and current state: every kind ---
  // An empty filter of the same layout, capacity and hasher.  Errors: out_of_memory.
  result<any_filter> empty_like() const noexcept;
  // A deep copy.  Errors: out_of_memory, corrupt (bytes are damaged).
  result<any_filter> clone() const noexcept;
  // The filter of bits that the same keys make.  Errors: unsupported (a kind without
  // counters), corrupt, out_of_memory.
  result<any_filter> published() const noexcept;
  // What a filter that forgets still finds; none: it forgets nothing.
  std::optional<bloomery::retention> retention() const noexcept;
  // Probability that a key is not found `gap` inserts of other keys after its own.
  // Errors: unsupported (a kind that does not forget keys one by one).
  result<double> forgetting(std::uint64_t gap) const noexcept;
  // False: bits are set that no key of this kind can set.  True where there are none.
  bool padding_is_clear() const noexcept;
  std::uint64_t capacity() const noexcept;
  std::size_t size_in_bytes() const noexcept;
  double fill() const noexcept;
  double estimated_keys() const noexcept;
  double expected_fpr(std::uint64_t keys) const noexcept;
  // As in kinds.hpp.
  std::uint64_t design_keys() const noexcept;
  double design_fpr() const noexcept;
  double realised_fpr() const noexcept;

  // Whether both are of one kind, layout and hasher, with the same bits.
  BLOOMERY_EXPORT friend bool operator==(const any_filter& a,
                                         const any_filter& b) noexcept;

 private:
  // Itself, as a type that depends on a parameter.
  template <class Any>
  Any& as() noexcept {
    return *this;
  }
  template <class Any>
  const Any& as() const noexcept {
    return *this;
  }

  // use(filter) where its kind has the call.
  template <capability c, class Answer, class Use>
  Answer call(Use use) noexcept {
    return visit([&]<class F>(F& f) noexcept -> Answer {
      if constexpr (capabilities_of<F>().has(c))
        return use(f);
      else
        return no_such_call<F, c>();
    });
  }
  template <capability c, class Answer, class Use>
  Answer call(Use use) const noexcept;
  template <capability c, class Use>
  result<void> call_with(const any_filter& other, Use use) noexcept;

  filter_types::apply<std::variant> filter_;
};

// Containers whose kind is known only when they are opened.
//
// Errors: as load_container<F>; incompatible (a foreign filter, or a packed set).
BLOOMERY_EXPORT result<any_filter> load_any(const input_file& file,
                                            const read_options& o = {},
                                            read_report* report = nullptr) noexcept;
BLOOMERY_EXPORT result<any_filter> load_any(path_ref path, const read_options& o = {},
                                            read_report* report = nullptr) noexcept;
BLOOMERY_EXPORT result<any_filter> decode_any(std::span<const std::byte> bytes,
                                              const read_options& o = {},
                                              read_report* report = nullptr) noexcept;
BLOOMERY_EXPORT result<pages> encode_any(const any_filter& f,
                                         const write_notes& notes = {}) noexcept;
BLOOMERY_EXPORT result<void> save_any(const any_filter& f, path_ref path,
                                      const write_notes& notes = {}) noexcept;

// --- forms of one kind beside the container (kinds.hpp: bare_form) ---
// By the name of the form: "portable", "bitset".  Errors: unsupported (no form of that
// name, or one without files), incompatible (a filter of another kind), and those of the
// kind's own call.
BLOOMERY_EXPORT result<std::uint64_t> bare_size(const any_filter& f,
                                                std::string_view form) noexcept;
BLOOMERY_EXPORT result<pages> encode_bare(const any_filter& f,
                                          std::string_view form) noexcept;
BLOOMERY_EXPORT result<any_filter> decode_bare(
    std::string_view form, std::span<const std::byte> bytes,
    key_source source = key_source::bytes) noexcept;
BLOOMERY_EXPORT result<any_filter> load_bare(
    std::string_view form, const input_file& file,
    key_source source = key_source::bytes) noexcept;
BLOOMERY_EXPORT result<any_filter> load_bare(
    std::string_view form, path_ref path, key_source source = key_source::bytes) noexcept;
// Only if `path` is still the file `replaces`, if that is given.
BLOOMERY_EXPORT result<void> save_bare(const any_filter& f, std::string_view form,
                                       path_ref path,
                                       const input_file* replaces = nullptr) noexcept;

inline namespace BLOOMERY_BY_ISA {

// A filter_view of any kind.
using any_view = filter_types::map<filter_view>::apply<std::variant>;

// Opens the file at a path, or takes an open one.  A template: it is code for every kind,
// and programs that do not call it do not compile it.
// Errors: as filter_view<F>::open; incompatible (a foreign filter, or a packed set).
template <class File, class View = any_view>
requires std::same_as<File, input_file> || std::convertible_to<const File&, path_ref>
    result<View> open_any(const File& file, const read_options& o = {})
noexcept {
  if constexpr (std::same_as<File, input_file>) {
    const auto facts = inspect(file);
    if (!facts) return facts.error();
    if (!is_filter(facts->kind))
      return error{errc::incompatible, "a container of another kind of filter", 10};
    return with_kind(facts->kind, [&]<class F>(std::type_identity<F>) -> result<View> {
      auto view = filter_view<F>::open(file, o);
      if (!view) return view.error();
      return View(*std::move(view));
    });
  } else {
    const path_ref path = file;
    const auto opened = input_file::open(path);
    if (!opened) return opened.error();
    return detail::of_file(path, open_any<input_file, View>(*opened, o));
  }
}

}  // namespace BLOOMERY_BY_ISA
}  // namespace bloomery::inline v1
