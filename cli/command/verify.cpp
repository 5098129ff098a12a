// bloomery verify -- is a filter whole, and does it know its keys?
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "command/commands.hpp"
#include "command/shared_options.hpp"
#include "files/find_keys.hpp"
#include "files/forgetting.hpp"
#include "files/query_filter.hpp"
#include "files/source.hpp"
#include "files/used_files.hpp"
#include "text/json.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"
#include "text/output.hpp"

namespace bloomery::cli {
namespace {

struct verify_options {
  std::vector<std::string> filters;
  std::string filter;  // the one being verified
  std::vector<std::string> key_files;
  read_request from;
  record_format format;
  bool as_json = false;
};

// What is known of a file before any key is looked up.
struct verdict {
  std::string dialect;
  std::optional<read_report> report;  // of containers
  std::optional<std::string> damage;
  std::optional<query_filter> filter;
  std::string why_not_asked;  // why there is no filter
};

// A reason without the path it begins with.
std::string reason_of(const failure& f, const std::string& path) {
  const std::string text = f.what();
  return text.starts_with(path + ": ") ? text.substr(path.size() + 2) : text;
}

verdict examine(source& from) {
  verdict v;
  v.dialect = from.how->facts.name;
  if (from.container) v.report = check_container(from);
  const bool damaged = v.report && v.report->damaged_chunks != 0;
  if (damaged) v.damage = damage_in_words(*v.report);
  if (from.lacks_secret()) {
    v.why_not_asked = "its hash is keyed: queries need its secret: --secret-file F";
    if (damaged) v.damage = damaged_chunks_in_words(*v.report);
    return v;
  }
  try {
    v.filter.emplace(open_filter(from));
  } catch (const failure& f) {
    if (!damaged) throw;
    v.damage = damaged_chunks_in_words(*v.report);
    v.why_not_asked = reason_of(f, from.path());
    return v;
  }
  v.dialect = v.filter->dialect_name();
  if (!damaged) v.damage = v.filter->damage();
  return v;
}

// Which of the sentinels are among the keys that were given.
struct sentinels_met {
  sentinel_keys sentinels;
  std::array<bool, 8> met{};

  void see(std::span<const key> keys) {
    for (const key k : keys)
      for (unsigned i = 0; i < sentinels.count; ++i) met[i] |= sentinels.keys[i] == k;
  }
  std::size_t count() const {
    return static_cast<std::size_t>(std::ranges::count(met, true));
  }
};

// A file without a container has none.
bool has_checksums(const verdict& v) { return v.filter && v.filter->is_checked(); }

json in_json(const verify_options& o, const verdict& v, const findings& found,
             const std::optional<sentinels_met>& met, bool good) {
  json j;
  const bool asked = v.filter.has_value();
  j["filter"] = o.filter;
  j["dialect"] = v.dialect;
  j["checksum"] = v.report           ? json(v.report->damaged_chunks == 0)
                  : has_checksums(v) ? json(true)
                                     : json(nullptr);
  if (v.report) {
    j["chunks"] = v.report->facts.chunks();
    j["damaged_chunks"] = v.report->damaged_chunks;
    j["sentinels"] = v.report->facts.sentinels;
  }
  if (met) j["sentinels_among_keys"] = met->count();
  j["damage"] = v.damage ? json(*v.damage) : json(nullptr);
  j["not_asked"] = asked ? json(nullptr) : json(v.why_not_asked);
  j["keys_checked"] = asked ? json(found.checked) : json(nullptr);
  j["keys_missing"] = asked ? json(found.missing) : json(nullptr);
  j["examples"] = found.examples;
  j["verdict"] = good;
  return j;
}

std::string counted(std::uint64_t n, std::string_view what) {
  return fmt::format("{} {}{}", grouped(n), what, n == 1 ? "" : "s");
}

bool is_wrapped(const verdict& v) {
  return v.report && v.report->facts.kind == container_kind::foreign;
}

// The sentinels of a native filter are looked up when it is opened.  Another system's
// filter hashes keys in another way, and its file only lists them.
bool checks_sentinels(const verdict& v) { return !is_wrapped(v) && v.filter; }

std::string in_words(const verify_options& o, const verdict& v, const findings& found,
                     const std::optional<sentinels_met>& met) {
  const bool with_keys = !o.key_files.empty();
  const std::string name = one_line(o.filter);
  std::string text =
      v.damage   ? fmt::format("{}: damaged: {}\n", name, *v.damage)
      : v.report ? fmt::format("{}: intact: {}, {} {}\n", name,
                               counted(v.report->facts.chunks(), "chunk"),
                               counted(v.report->facts.sentinels, "sentinel"),
                               checks_sentinels(v) ? "found" : "noted")
      : has_checksums(v)
          ? fmt::format("{}: the checksums of its filters are right{}\n", name,
                        with_keys ? "" : "; check its keys with --keys")
          : fmt::format(
                "{}: header and length agree (the {} dialect has no "
                "checksum{})\n",
                name, v.dialect, with_keys ? "" : "; check its keys with --keys");
  if (!v.filter)
    text += fmt::format("{}: cannot be queried{}: {}\n", name,
                        with_keys ? ", no key was checked" : "", v.why_not_asked);
  for (const std::string& example : found.examples)
    text += fmt::format("missing: {}\n", example);
  if (with_keys && v.filter)
    text += fmt::format("{}: {} of {} keys found, {} missing{}\n", name,
                        grouped(found.checked - found.missing), grouped(found.checked),
                        grouped(found.missing),
                        met ? fmt::format("; {} of {} sentinels are among them",
                                          met->count(), met->sentinels.count)
                            : "");
  return text;
}

// A wrapped filter cannot be queried for them: only its keys can show them.
std::optional<sentinels_met> sentinels_to_meet(const source& from, const verdict& v) {
  if (!is_wrapped(v) || v.report->facts.sentinels == 0) return std::nullopt;
  const auto sentinels = read_sentinels(from.open_file());
  if (!sentinels)
    throw failure(describe(from.path(), sentinels.error(), context::reading_container));
  return sentinels_met{*sentinels};
}

findings look_up_keys(const verify_options& o, const verdict& v,
                      std::optional<sentinels_met>& met) {
  std::vector<key> hashes;
  const auto see = [&](key_batch some) {
    hashes.resize(some.size());
    hasher::xxh3().hash(some, hashes);
    met->see(hashes);
  };
  return find_keys(
      o.key_files, spelling(o.format, v.filter->keys),
      [&](key_batch some, std::span<bool> out) {
        v.filter->may_contain(some, out);
        v.filter->check_unchanged();
      },
      met ? std::function<void(key_batch)>(see) : nullptr);
}

// What a shell that sends the report to one of them would destroy.
std::vector<used_file> inputs_of(const verify_options& o) {
  std::vector<used_file> used;
  for (const std::string& filter : o.filters) used.push_back({filter, "the filter"});
  if (!o.from.secret_file.empty()) used.push_back({o.from.secret_file, as_secret});
  for (const std::string& file : o.key_files) used.push_back({file, "the keys"});
  return used;
}

exit_status verify_one(const verify_options& o) {
  report_if_truncated(o.filter);
  source from = find_source(o.filter, o.from, need::to_check);
  const verdict v = examine(from);
  const bool with_keys = !o.key_files.empty();
  if (with_keys && v.report) refuse_to_check(o.filter, v.report->facts);
  // Damage is an answer; that keys could not be checked is none.
  if (with_keys && !v.filter && !v.damage)
    throw failure(fmt::format("{}: {}; --keys cannot be checked without", o.filter,
                              v.why_not_asked));
  std::optional<sentinels_met> met;
  findings found;
  if (with_keys && v.filter) {
    met = sentinels_to_meet(from, v);
    found = look_up_keys(o, v, met);
  }
  check_unchanged(from, v.filter ? &*v.filter : nullptr);
  const bool good = !v.damage && found.missing == 0;
  output out;
  if (o.as_json) {
    const json j = in_json(o, v, found, met, good);
    out.write((o.filters.size() == 1 ? j.dump() : j.dump_line()) + "\n");
  } else {
    out.write(in_words(o, v, found, met));
  }
  out.flush();
  if (met && found.checked != 0 && met->count() == 0)
    warn(
        fmt::format("{}: none of its sentinels is among these keys: it was made from "
                    "other keys, or from keys in another encoding",
                    o.filter));
  return good ? yes : no;
}

void check_keys_once(const verify_options& o) {
  if (o.filters.size() > 1 && std::ranges::find(o.key_files, "-") != o.key_files.end())
    throw usage_error(
        "--keys -: standard input is read once, and there are several filters: --keys "
        "KEYFILE");
}

exit_status verify(verify_options& o) {
  check_standard_input(o.filters, o.key_files);
  check_keys_once(o);
  check_not_used("", inputs_of(o));
  o.from.is_shared = o.filters.size() > 1;
  exit_status worst = yes;
  for (const std::string& filter : o.filters) {
    o.filter = filter;
    try {
      worst = std::max(worst, verify_one(o));
    } catch (const failure& f) {
      if (o.filters.size() == 1) throw;
      if (o.as_json) {
        output out;
        out.write(error_report(filter, f.what()).dump_line() + "\n");
        out.flush();
      }
      note(f.what());
      worst = trouble;
    }
  }
  return worst;
}

}  // namespace

void add_verify(command_line& tool) {
  const auto o = std::make_shared<verify_options>();
  command c = tool.add("verify", "Check a filter for damage and for missing keys");
  c.add("FILTER", "FILTER", o->filters, "filters to check; -: standard input").required();
  c.add("--keys", "KEYFILE", o->key_files,
        "keys that must all be found; -: standard input; may be repeated")
      .one_value();
  add_read_options(c, o->from);
  add_record_options(c, o->format);
  add_empty_option(c, o->format);
  c.add_flag("--json", o->as_json, "for programs");
  c.footer(
      "Checks every checksum of a container and that its sentinels are found; of table "
      "files (.ldb, .sst)\nthose of the filters.  Other dialects have no checksum: check "
      "them with --keys.  Without the secret of a "
      "keyed "
      "hash checksums are\nchecked, but no key is looked up.\n"
      "Exit status: 0 if intact, 1 if damaged or a key is missing, 2 if unreadable or if "
      "the file\nwas changed meanwhile: see bloomery query --help.  With several filters "
      "the highest status;\n--json prints one object per line.\n\n"
      "Examples:\n"
      "  bloomery verify users.bloom --keys users.txt\n"
      "  bloomery verify backup/*.bloom\n"
      "  bloomery verify --dialect portable shared.bloom --keys users.txt --json");
  c.run([o] { return verify(*o); });
}

}  // namespace bloomery::cli
