#include <bloomery/any_filter.hpp>

#include "format/kind/row.hpp"

namespace bloomery::inline v1 {

template <capability c, class Answer, class Use>
Answer any_filter::call(Use use) const noexcept {
  return visit([&]<class F>(const F& f) noexcept -> Answer {
    if constexpr (capabilities_of<F>().has(c))
      return use(f);
    else
      return no_such_call<F, c>();
  });
}

template <capability c, class Use>
result<void> any_filter::call_with(const any_filter& other, Use use) noexcept {
  if (filter_.index() != other.filter_.index())
    return error{errc::incompatible, "the filters differ in kind"};
  return call<c, result<void>>(
      [&]<class F>(F& mine) { return use(mine, *std::get_if<F>(&other.filter_)); });
}

bool any_filter::can(capability c) const noexcept {
  return visit([c]<class F>(const F&) noexcept { return capabilities_of<F>().has(c); });
}

const kind_facts& any_filter::facts() const noexcept {
  return visit([]<class F>(const F&) noexcept -> const kind_facts& { return F::kind; });
}

void any_filter::may_contain(std::span<const std::string_view> ks,
                             std::span<bool> out) const noexcept {
  if (!detail::takes<std::string_view>(*this)) {
    detail::require_answers(ks.size(), out.size());
    for (bool& answer : out) answer = true;
    return;
  }
  visit([&](const auto& f) noexcept { f.may_contain(ks, out); });
}

void any_filter::may_contain(std::span<const key> ks,
                             std::span<bool> out) const noexcept {
  visit([&](const auto& f) noexcept { f.may_contain(ks, out); });
}

result<void> any_filter::insert(std::span<const std::string_view> ks) noexcept {
  if (!detail::takes<std::string_view>(*this))
    return detail::no_key_of_it<std::string_view>();
  return call<capability::insert, result<void>>([&](auto& f) -> result<void> {
    f.insert(ks);
    return {};
  });
}

result<void> any_filter::insert(std::span<const key> ks, unsigned threads) noexcept {
  return call<capability::insert, result<void>>([&]<class F>(F& f) -> result<void> {
    if constexpr (insertable_by_threads<F>)
      f.insert(ks, threads);
    else
      f.insert(ks);
    return {};
  });
}

result<void> any_filter::try_insert(key k) noexcept {
  return call<capability::try_insert, result<void>>(
      [&](auto& f) { return f.try_insert(k); });
}

result<std::size_t> any_filter::try_insert(std::span<const key> ks) noexcept {
  return call<capability::try_insert, result<std::size_t>>(
      [&](auto& f) { return f.try_insert(ks); });
}

result<bool> any_filter::insert_if_absent(key k) noexcept {
  return call<capability::insert_if_absent, result<bool>>(
      [&](auto& f) { return f.insert_if_absent(k); });
}

result<void> any_filter::insert_if_absent(std::span<const key> ks,
                                          std::span<bool> absent) noexcept {
  return call<capability::insert_if_absent, result<void>>([&](auto& f) -> result<void> {
    f.insert_if_absent(ks, absent);
    return {};
  });
}

result<receipt> any_filter::try_insert_with_receipt(key k) noexcept {
  return call<capability::erase, result<receipt>>(
      [&](auto& f) { return f.try_insert_with_receipt(k); });
}

result<receipt> any_filter::try_insert_with_numbered_receipt(key k) noexcept {
  return call<capability::erase, result<receipt>>(
      [&](auto& f) { return f.try_insert_with_numbered_receipt(k); });
}

result<receipt_state> any_filter::state_of(const receipt& r) const noexcept {
  return call<capability::erase, result<receipt_state>>(
      [&](const auto& f) { return f.state_of(r); });
}

const receipt_ledger* any_filter::receipts() const noexcept {
  return visit([]<class F>(const F& f) noexcept -> const receipt_ledger* {
    if constexpr (keeps_receipts<F>)
      return &f.receipts();
    else
      return nullptr;
  });
}

result<void> any_filter::erase(receipt&& r) noexcept {
  return call<capability::erase, result<void>>(
      [&](auto& f) { return f.erase(std::move(r)); });
}

result<void> any_filter::erase_present(key k) noexcept {
  return call<capability::erase, result<void>>(
      [&](auto& f) { return f.erase_present(k); });
}

result<std::size_t> any_filter::erase_present(std::span<const key> ks,
                                              std::span<bool> erased) noexcept {
  return call<capability::erase, result<std::size_t>>(
      [&](auto& f) { return f.erase_present(ks, erased); });
}

result<std::uint64_t> any_filter::count(key k) const noexcept {
  return call<capability::count, result<std::uint64_t>>(
      [&](const auto& f) { return f.count(k); });
}

result<void> any_filter::iterate(void (*each)(void*, std::uint64_t, std::uint64_t),
                                 void* context) const noexcept {
  return call<capability::iterate, result<void>>([&](const auto& f) -> result<void> {
    f.for_each(each, context);
    return {};
  });
}

result<void> any_filter::fold(std::uint64_t divisor) noexcept {
  return call<capability::fold, result<void>>([&](auto& f) { return f.fold(divisor); });
}

result<std::uint64_t> any_filter::fold_to_rate(double fpr) noexcept {
  return call<capability::fold, result<std::uint64_t>>(
      [&](auto& f) { return f.fold_to_rate(fpr); });
}

result<void> any_filter::grow() noexcept {
  return call<capability::grow, result<void>>([](auto& f) { return f.grow(); });
}

result<std::uint64_t> any_filter::keys_when_full() const noexcept {
  return call<capability::grow, result<std::uint64_t>>(
      [](const auto& f) { return f.keys_when_full(); });
}

result<void> any_filter::rotate() noexcept {
  return call<capability::rotate, result<void>>([](auto& f) -> result<void> {
    f.rotate();
    return {};
  });
}

result<double> any_filter::forgetting(std::uint64_t gap) const noexcept {
  return call<capability::forgetting, result<double>>(
      [&](const auto& f) { return f.forgetting(gap); });
}

result<void> any_filter::clear() noexcept {
  return visit([]<class F>(F& f) noexcept -> result<void> {
    if constexpr (clearable<F>) {
      f.clear();
      return {};
    } else {
      return error{errc::unsupported, "a filter that is only built cannot be cleared"};
    }
  });
}

result<void> any_filter::merge(const any_filter& other) noexcept {
  return call_with<capability::merge>(
      other, [](auto& mine, const auto& theirs) { return mine.merge(theirs); });
}

result<void> any_filter::intersect(const any_filter& other) noexcept {
  return call_with<capability::intersect>(
      other, [](auto& mine, const auto& theirs) { return mine.intersect(theirs); });
}

result<void> any_filter::fold_and_merge(const any_filter& other) noexcept {
  return call_with<capability::fold>(
      other, [](auto& mine, const auto& theirs) { return mine.fold_and_merge(theirs); });
}

result<any_filter> any_filter::empty_like() const noexcept {
  return visit([](const auto& f) noexcept { return format::as_any(f.empty_like()); });
}

result<any_filter> any_filter::clone() const noexcept {
  return visit([](const auto& f) noexcept { return format::as_any(f.clone()); });
}

result<any_filter> any_filter::published() const noexcept {
  return call<capability::publish, result<any_filter>>(
      [](const auto& f) -> result<any_filter> {
        auto made = f.published();
        if (!made) return made.error();
        return std::visit([](auto& bits) { return any_filter(std::move(bits)); }, *made);
      });
}

std::optional<retention> any_filter::retention() const noexcept {
  return visit([]<class F>(const F& f) noexcept -> std::optional<bloomery::retention> {
    if constexpr (bloomery::forgetting<F>)
      return f.retention();
    else
      return std::nullopt;
  });
}

bool any_filter::padding_is_clear() const noexcept {
  return visit([]<class F>(const F& f) noexcept {
    if constexpr (padded<F>)
      return f.padding_is_clear();
    else
      return true;
  });
}

std::uint64_t any_filter::capacity() const noexcept {
  return visit([](const auto& f) noexcept { return f.capacity(); });
}

std::size_t any_filter::size_in_bytes() const noexcept {
  return visit([](const auto& f) noexcept { return f.size_in_bytes(); });
}

double any_filter::fill() const noexcept {
  return visit([](const auto& f) noexcept { return f.fill(); });
}

double any_filter::estimated_keys() const noexcept {
  return visit([](const auto& f) noexcept { return f.estimated_keys(); });
}

double any_filter::expected_fpr(std::uint64_t keys) const noexcept {
  return visit([&](const auto& f) noexcept { return f.expected_fpr(keys); });
}

std::uint64_t any_filter::design_keys() const noexcept {
  return visit([](const auto& f) noexcept { return bloomery::design_keys(f); });
}

double any_filter::design_fpr() const noexcept {
  return visit([](const auto& f) noexcept { return bloomery::design_fpr(f); });
}

double any_filter::realised_fpr() const noexcept {
  return visit([](const auto& f) noexcept { return f.realised_fpr(); });
}

bool operator==(const any_filter& a, const any_filter& b) noexcept {
  return a.visit([&]<class F>(const F& mine) noexcept {
    const F* theirs = std::get_if<F>(&b.filter_);
    return theirs != nullptr && mine == *theirs;
  });
}

namespace {

error unknown_form() noexcept {
  return {errc::unsupported, "no kind of filter has a form of that name"};
}
error no_such_form() noexcept {
  return {errc::incompatible, "this kind of filter has no such form"};
}

result<const bare_form*> form_of(const any_filter& f, std::string_view name) noexcept {
  if (find_form(name) == nullptr) return unknown_form();
  const bare_form* const own = find_kind(f.facts().number)->bare;
  if (own == nullptr || name != own->name) return no_such_form();
  return own;
}

const void* address_of(const any_filter& f) noexcept {
  return f.visit([](const auto& own) noexcept -> const void* { return &own; });
}

}  // namespace

result<std::uint64_t> bare_size(const any_filter& f, std::string_view form) noexcept {
  const auto as = form_of(f, form);
  if (!as) return as.error();
  return (*as)->size(address_of(f));
}

result<pages> encode_bare(const any_filter& f, std::string_view form) noexcept {
  const auto as = form_of(f, form);
  if (!as) return as.error();
  return (*as)->encode(address_of(f));
}

result<any_filter> decode_bare(std::string_view form, std::span<const std::byte> bytes,
                               key_source source) noexcept {
  const bare_form* const as = find_form(form);
  if (as == nullptr) return unknown_form();
  return as->decode(bytes, source);
}

result<any_filter> load_bare(std::string_view form, const input_file& file,
                             key_source source) noexcept {
  const bare_form* const as = find_form(form);
  if (as == nullptr || !as->has_files()) return unknown_form();
  return as->load(file, source);
}

result<any_filter> load_bare(std::string_view form, path_ref path,
                             key_source source) noexcept {
  const auto file = input_file::open(path);
  if (!file) return file.error();
  return detail::of_file(path, load_bare(form, *file, source));
}

result<void> save_bare(const any_filter& f, std::string_view form, path_ref path,
                       const input_file* replaces) noexcept {
  const auto as = form_of(f, form);
  if (!as) return as.error();
  if (!(*as)->has_files()) return unknown_form();
  return (*as)->save(address_of(f), path, replaces);
}

}  // namespace bloomery::inline v1
