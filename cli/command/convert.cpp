// bloomery convert -- the same bits in another file.
#include <fmt/core.h>

#include <memory>

#include <bloomery/build.hpp>

#include "command/commands.hpp"
#include "command/shared_options.hpp"
#include "files/convert_filter.hpp"
#include "files/filter_output.hpp"
#include "files/find_keys.hpp"
#include "files/forgetting.hpp"
#include "files/loaded_filter.hpp"
#include "sizes/kind_choice.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

struct convert_options {
  std::string filter;
  std::string out;
  std::string to = "native";
  std::string kind;
  std::string to_variant;
  std::vector<std::string> key_files;
  read_request from;
  record_format format;
  bool quiet = false;
};

// Sentinels of other systems' filters are under the default hash: those take no keys.
hasher hasher_of(const loaded_filter& f) {
  const auto* native = std::get_if<any_filter>(&f.filter);
  return native != nullptr ? native->hasher().of(f.keys.source) : hasher::xxh3();
}

// The sentinels.  All keys are found, so `f` can be their filter.
sentinel_picker check_keys(const loaded_filter& f, const convert_options& o,
                           bool is_unclear) {
  sentinel_picker sentinels;
  std::vector<key> hashes;
  const hasher hash = hasher_of(f);
  record_format format = spelling(o.format, f.keys);
  format.quiet = o.quiet;
  const findings found = find_keys(
      o.key_files, format,
      [&](key_batch some, std::span<bool> out) { f.may_contain(some, out); },
      [&](key_batch some) {
        hashes.resize(some.size());
        hash_encoded(hash, some, hashes);
        sentinels.add(hashes);
      });
  if (found.missing != 0)
    throw failure(fmt::format(
        "{}: refused: {} of {} keys are missing, the first is {}; it is not "
        "the filter of "
        "these keys, or is not what --from and --key-type say{}",
        o.filter, grouped(found.missing), grouped(found.checked), found.examples.front(),
        is_unclear ? "; if its integers were hashed as their 8 bytes, as "
                     "this tool once did, rebuild it from the keys"
                   : ""));
  return sentinels;
}

// Whether --keys can give the file sentinels.
bool keeps_sentinels(const loaded_filter& f) {
  const auto* native = std::get_if<any_filter>(&f.filter);
  return native == nullptr || native->facts().keeps_sentinels;
}
// --keys proves nothing about such a filter.
bool forgets(const loaded_filter& f) {
  const auto* native = std::get_if<any_filter>(&f.filter);
  return native != nullptr && native->facts().forgets;
}

void check(const convert_options& o, const loaded_filter& f, const dialect& to) {
  if (to.of != family::container && !o.kind.empty())
    throw failure(
        fmt::format("--kind {}: only a container has kinds: --to native", o.kind));
  if (to.of == family::container && f.container && o.kind.empty() &&
      o.to_variant.empty() && o.key_files.empty())
    throw failure(fmt::format(
        "{}: is native already; cp copies it, {}--to takes it out of its container",
        o.filter, keeps_sentinels(f) ? "--keys F gives it sentinels, " : ""));
}

// A file that does not say what its 64-bit integers are may hold either of two things;
// what is written says one of them, so that it must be known.
void settle_meaning(loaded_filter& f, const convert_options& o) {
  if (f.keys.in_both_meanings && o.key_files.empty() && !forgets(f))
    throw failure(fmt::format(
        "{}: it does not say what its keys are, and 64-bit integers have had two "
        "meanings: --keys F settles it",
        o.filter));
  f.keys.in_both_meanings = false;
}

exit_status convert(const convert_options& o) {
  const dialect& to = dialect_named(o.to);
  if (!o.kind.empty()) (void)kind_named(o.kind);  // unknown names first
  check_standard_input({o.filter}, o.key_files);
  check_output(o.out, o.key_files.empty()
                          ? std::vector<used_file>{{o.from.secret_file, as_secret}}
                          : used_files(o.key_files, o.from.secret_file));
  check_not_in_dump(o.out, o.filter);
  loaded_filter f = load_filter(o.filter, o.from, "converted");
  check(o, f, to);
  const bool is_unclear = f.keys.in_both_meanings;
  settle_meaning(f, o);
  const std::string before = name_of(f);
  convert_filter(f, {&to, o.kind, o.to_variant});
  write_notes notes;
  if (f.container)
    notes = {.asked_fpr = f.container->asked_fpr, .keys = f.container->keys};
  sentinel_picker sentinels;
  if (!o.key_files.empty() && f.container) refuse_to_check(f.path, *f.container);
  if (!o.key_files.empty()) sentinels = check_keys(f, o, is_unclear);
  notes.sentinels = sentinels.all();
  std::visit(
      [&](const auto& filter) {
        if (to.of == family::container)
          write_container(filter, notes, o.out, o.quiet);
        else
          write_bare(filter, o.out);
      },
      f.filter);
  if (o.quiet) return yes;
  const auto* foreign = std::get_if<foreign_filter>(&f.filter);
  note(fmt::format("{}: {} from {}{}", o.out, dialect_name(to, foreign), before,
                   notes.sentinels.empty()
                       ? std::string()
                       : fmt::format(", {} sentinels", notes.sentinels.size())));
  return yes;
}

}  // namespace

void add_convert(command_line& tool) {
  const auto o = std::make_shared<convert_options>();
  command c = tool.add("convert",
                       "Put a filter into a container, take it out, or change its form");
  c.add("FILTER", "FILTER", o->filter, "the filter to convert").required();
  add_output_option(c, o->out);
  add_read_options(c, o->from, "--from,--dialect");
  c.add("--to", "D", o->to, "format to write (default: native)")
      .offers(names_of_dialects());
  c.add("--to-variant", "V", o->to_variant, "variant of that format (default: as it is)")
      .offers(names_of_variants());
  c.add("--kind", "KIND", o->kind,
        "split-block: make a Parquet filter a native one in the container")
      .offers(names_of_kinds([](const kind_info& k) {
        return k.bare != nullptr && k.bare->dialect != nullptr;
      }));
  c.add("--keys", "KEYFILE", o->key_files,
        "keys that must all be found, to record sentinels in the container; may be "
        "repeated")
      .one_value();
  add_record_options(c, o->format);
  add_empty_option(c, o->format);
  c.add_flag("-q,--quiet", o->quiet, "print only warnings and errors");
  c.footer(
      "Conversion is lossless: a filter of any dialect gains checksums in a container "
      "and "
      "comes out\nof it byte for byte.  Where a key would have other bits the conversion "
      "is refused, with the\nreason: rebuild from the keys.  Damaged filters are "
      "refused.  "
      "OUT may be FILTER itself: it is\nreplaced when the new file is complete.\n\n"
      "Examples:\n"
      "  bloomery convert --from portable shared.bloom -o safe.bloom --keys keys.txt\n"
      "  bloomery convert safe.bloom --to portable -o shared.bloom\n"
      "  bloomery convert --from portable ids.bin --key-type u64 -o ids.bloom");
  c.run([o] { return convert(*o); });
}

}  // namespace bloomery::cli
