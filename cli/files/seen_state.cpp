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

bool remembers_lines(const kind_info& kind) {
  return kind.can.has(capability::insert_if_absent) ||
         kind.can.has(capability::try_insert);
}

namespace {

// A line dropped by mistake is lost: one in a million at the most, by default.
constexpr double default_fpr = 1e-6;
// The number of lines of a pipe is unknown: 39 MiB at the default rate.
constexpr std::uint64_t default_capacity = 10'000'000;
// Many lines are often few different ones: 390 MiB at the default rate.
constexpr std::uint64_t max_default_capacity = 100'000'000;
// The first level of a filter that grows.
constexpr std::uint64_t default_first_level = 100'000;

// Standard input of a terminal or a pipe, and compressed files, do not say.
std::uint64_t capacity_for(const kind_info& what, const seen_request& r,
                           const std::vector<std::string>& input,
                           const record_format& format) {
  if (r.capacity) return *r.capacity;
  if (what.facts.grows) return default_first_level;
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
  if (!remembers_lines(what))
    throw failure(fmt::format(
        "--kind {}: it is built from all its keys at once, and lines come one by one: "
        "--kind {}",
        r.kind, kind_names(remembers_lines)));
  if (!what.facts.forgets && r.gap)
    throw failure(fmt::format(
        "--gap: a {} filter does not forget, only --kind {} does: --capacity makes room",
        what.facts.name, kind_names([](const kind_info& k) { return k.facts.forgets; })));
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
  return make_sized(what, capacity_for(what, r, input, format), size,
                    what.facts.hasher());
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

// The options of a command that runs every day must not mean two things.
void check_same(const seen_request& r, const container_facts& f) {
  if (r.capacity && *r.capacity != f.capacity)
    throw failure(fmt::format(
        "{}: --capacity {}: it was made for {}: leave the option out, or name another "
        "file",
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
    : asked_(r), asked_fpr_(r.fpr.value_or(default_rate(r))) {
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
  open();
}

// A run that failed leaves no file that it made: another capacity may be wanted.
seen_state::~seen_state() {
  std::error_code ignored;
  if (!created_.empty() && kept_ && kept_->is_in_place())
    std::filesystem::remove(created_, ignored);
}

void seen_state::open() {
  kept_ = std::make_unique<updated_file>(asked_.file, asked_.from, "changed");
  loaded_filter& f = kept_->loaded();
  if (!f.container || !std::holds_alternative<any_filter>(f.filter))
    throw failure(fmt::format(
        "{}: a filter of dialect {}: dedup keeps its state in a native filter",
        asked_.file, name_of(f)));
  refuse_static<capability::insert>(asked_.file, filter(),
                                    "lines cannot be remembered in");
  check_same(asked_, *f.container);
  asked_fpr_ = f.container->asked_fpr;
}

// Another process that opens the file between its rename and the new lock has what was
// saved, and changes it: hence it is read again.  Those that wait for the old lock do not
// come in between.
void seen_state::save_and_go_on() {
  save(true);
  const source still_locked = std::move(*kept_).take_lock();
  kept_.reset();  // before the file is loaded: one filter is in memory, not two
  open();
}

}  // namespace bloomery::cli
