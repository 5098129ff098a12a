#include "files/seen_state.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "files/filter_output.hpp"
#include "files/static_refusal.hpp"
#include "keys/line_count.hpp"
#include "sizes/kind_choice.hpp"
#include "sizes/make_sized.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

// A line dropped by mistake is lost: one in a million at the most, by default.
constexpr double default_fpr = 1e-6;
// The number of lines of a pipe is unknown: 39 MiB at the default rate.
constexpr std::uint64_t default_capacity = 10'000'000;
// Many lines are often few different ones: 390 MiB at the default rate.
constexpr std::uint64_t max_default_capacity = 100'000'000;

// Standard input of a terminal or a pipe, and compressed files, do not say.
std::uint64_t capacity_for(const seen_request& r, const std::vector<std::string>& input,
                           const record_format& format) {
  if (r.capacity) return *r.capacity;
  const auto lines = count_lines(input, format.terminator());
  if (!lines) return default_capacity;
  const auto wanted = std::min(*lines, max_default_capacity);
  // The lines of the next days go into the same file.
  return r.file.empty() ? wanted : std::max(wanted, default_capacity);
}

// Filters that forget take far more memory for a low rate: a line in a thousand.
double default_rate(const seen_request& r) {
  return !r.kind.empty() && kind_named(r.kind).facts.rate_beside_size ? 1e-3
                                                                      : default_fpr;
}

const kind_info& kind_of(const seen_request& r) {
  const kind_info& what = kind_named(r.kind);
  if (!r.kind.empty() && &what != &kind_named("") && !what.facts.forgets)
    throw failure(fmt::format(
        "--kind {}: dedup remembers every line in a {} filter, or forgets old ones in "
        "one of --kind {}",
        r.kind, kind_named("").facts.name,
        kind_names([](const kind_info& k) { return k.facts.forgets; })));
  if (what.facts.forgets && !r.capacity)
    throw failure(fmt::format(
        "--kind {}: it forgets: say how many lines back it must remember: --gap N",
        r.kind));
  if (!what.facts.rate_beside_size && r.memory)
    throw failure(fmt::format(
        "--memory: a {} filter is sized by its lines and its rate: --capacity and --fpr",
        what.facts.name));
  return what;
}

any_filter make(const seen_request& r, double fpr, const std::vector<std::string>& input,
                const record_format& format) {
  const kind_info& what = kind_of(r);
  size_request size = r.size;
  size.fpr = fpr;
  size.memory = r.memory;
  check_size_request(what, size);
  return make_sized(what, capacity_for(r, input, format), size, what.facts.hasher());
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

// The options of a command that runs every day must not mean two things.
void check_same(const seen_request& r, const container_facts& f) {
  if (r.capacity && *r.capacity != f.capacity)
    throw failure(fmt::format(
        "{}: --capacity {}: it was made for {}, and a filter cannot grow: leave the "
        "option out, or name another file",
        r.file, *r.capacity,
        f.capacity != 0 ? grouped(f.capacity) + " keys" : "an unknown number of keys"));
  if (!r.kind.empty() && r.kind != name_of(f.kind))
    throw failure(fmt::format(
        "{}: --kind {}: it is a {} filter: leave the option out, or name another file",
        r.file, r.kind, name_of(f.kind)));
  if (r.fpr && std::abs(*r.fpr - f.asked_fpr) > 1e-9 * *r.fpr)
    throw failure(fmt::format(
        "{}: --fpr {:g}: it was made for {}: leave the option out, "
        "or name another file",
        r.file, *r.fpr, f.asked_fpr > 0 ? rate(f.asked_fpr) : "no recorded rate"));
}

}  // namespace

seen_state::seen_state(const seen_request& r, const std::vector<std::string>& input,
                       const record_format& format)
    : asked_fpr_(r.fpr.value_or(default_rate(r))) {
  if (r.file.empty()) {
    fresh_ = make(r, asked_fpr_, input, format);
    return;
  }
  if (!exists(r.file)) {
    if (!r.from.secret_file.empty())
      throw failure(fmt::format(
          "{}: does not exist: make it with the secret first: bloomery build --hash "
          "siphash13 --secret-file F --capacity N --allow-empty -o {} < /dev/null",
          r.file, r.file));
    check_output(r.file, {});
    // Another process that wants to create it waits, and then finds it.
    const folder_lock alone(r.file);
    if (!exists(r.file)) {
      write_container(make(r, asked_fpr_, input, format), {.asked_fpr = asked_fpr_},
                      r.file, true);
      created_ = r.file;
    }
  }
  open(r);
}

// A run that failed leaves no file that it made: another capacity may be wanted.
seen_state::~seen_state() {
  std::error_code ignored;
  if (!created_.empty() && kept_ && kept_->is_in_place())
    std::filesystem::remove(created_, ignored);
}

void seen_state::open(const seen_request& r) {
  kept_ = std::make_unique<updated_file>(r.file, r.from, "changed");
  loaded_filter& f = kept_->loaded();
  if (!f.container || !std::holds_alternative<any_filter>(f.filter))
    throw failure(fmt::format(
        "{}: a filter of dialect {}: dedup keeps its state in a native filter", r.file,
        name_of(f)));
  refuse_static<capability::insert_if_absent>(r.file, filter(),
                                              "lines cannot be remembered in");
  if (const auto can = filter().insert_if_absent({}, {}); !can)
    throw failure(describe(r.file, can.error()));
  check_same(r, *f.container);
  asked_fpr_ = f.container->asked_fpr;
}

}  // namespace bloomery::cli
