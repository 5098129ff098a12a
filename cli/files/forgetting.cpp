#include "files/forgetting.hpp"

#include <fmt/core.h>

#include <type_traits>
#include <variant>

#include <bloomery/filter.hpp>

#include "sizes/kind_choice.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

template <class F>
std::string in_words(const F& f) {
  if constexpr (!forgetting<F>) {
    return {};
  } else {
    const std::string kind = fmt::format("a {} filter forgets", F::kind.name);
    const retention kept = f.retention();
    if (kept.generations != 0)
      return fmt::format(
          "{}: it finds the keys of its last {} generations, others only by chance", kind,
          kept.generations);
    if (kept.is_exact)
      return fmt::format(
          "{}: it finds the last {} keys that were inserted, older ones only by chance",
          kind, grouped(kept.keys));
    if (kept.age == 0) return kind + ": keys that were inserted long ago";
    return fmt::format("{}: {} of the keys that were inserted {} inserts ago", kind,
                       rate(kept.forgotten), grouped(kept.age));
  }
}

}  // namespace

std::string forgetting_text(const any_filter& f) {
  return f.visit([](const auto& native) { return in_words(native); });
}

std::string forgetting_text(const query_filter& f) {
  if (const auto* view = std::get_if<any_view>(&f.filter))
    return std::visit([](const auto& v) { return in_words(v.filter()); }, *view);
  if (const auto* bare = std::get_if<any_filter>(&f.filter))
    return forgetting_text(*bare);
  return {};
}

template <class F>
void note_forgetting(const std::string& path, const F& f, bool quiet) {
  if (quiet) return;
  if (const std::string words = forgetting_text(f); !words.empty())
    note(fmt::format("{}: {}", path, words));
}
template void note_forgetting(const std::string&, const any_filter&, bool);
template void note_forgetting(const std::string&, const query_filter&, bool);

void refuse_to_check(const std::string& path, const container_facts& f) {
  const kind_info* kind = find_kind(f.kind);
  if (kind == nullptr || !kind->facts.forgets) return;
  throw failure(fmt::format(
      "{}: a {} filter forgets keys, so that a missing one proves nothing: --keys is for "
      "kinds that do not: {}",
      path, kind->facts.name,
      kind_names([](const kind_info& k) { return !k.facts.forgets; })));
}

}  // namespace bloomery::cli
