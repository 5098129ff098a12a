// bloomery erase -- delete keys from a filter file.
#include <fmt/core.h>

#include <memory>

#include "command/commands.hpp"
#include "command/shared_options.hpp"
#include "files/erase_keys.hpp"
#include "files/updated_file.hpp"
#include "files/used_files.hpp"
#include "sizes/kind_choice.hpp"
#include "text/json.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"
#include "text/output.hpp"

namespace bloomery::cli {
namespace {

struct erase_options {
  std::string filter;
  std::vector<std::string> files;
  std::string receipts;
  read_request from;
  record_format format;
  bool as_json = false;
  bool quiet = false;
};

void report(const erase_options& o, const erased_keys& all, const any_filter& filter) {
  if (o.as_json) {
    output out;
    out.write(json::object({{"filter", o.filter},
                            {"keys_read", all.read},
                            {"keys_erased", all.erased},
                            {"keys_not_present", all.not_present()},
                            {"keys_erased_before", all.erased_before},
                            {"receipts_expired", all.expired},
                            {"realised_fpr", filter.realised_fpr()}})
                  .dump());
    out.write('\n');
    out.flush();
  }
  if (all.expired != 0)
    warn(
        fmt::format("{}: {} receipt{} expired: too many separate ones have been used to "
                    "remember each; their keys stay in the filter",
                    o.filter, grouped(all.expired), all.expired == 1 ? "" : "s"));
  if (o.quiet) return;
  if (!o.as_json && all.erased_before != 0 && all.erased_before == all.read)
    note(
        fmt::format("{}: this batch of {} receipt{} has been erased before: nothing is "
                    "changed",
                    o.filter, grouped(all.read), all.read == 1 ? "" : "s"));
  else if (!o.as_json)
    note(fmt::format(
        "{}: {} key{} erased, {} not present{}", o.filter, grouped(all.erased),
        all.erased == 1 ? "" : "s", grouped(all.not_present()),
        all.erased_before == 0
            ? ""
            : fmt::format(", {} erased before", grouped(all.erased_before))));
  if (o.receipts.empty() && all.erased != 0)
    note(
        fmt::format("{}: if one of them was never inserted, another key has been deleted "
                    "in its place and is a false negative now; receipts (insert "
                    "--receipts, erase --receipts) rule that out",
                    o.filter));
}

std::vector<used_file> inputs_of(const erase_options& o) {
  if (o.receipts.empty()) return used_files(o.files, o.from.secret_file);
  std::vector<used_file> used{{o.receipts, "the receipts of its keys"}};
  if (!o.from.secret_file.empty()) used.push_back({o.from.secret_file, as_secret});
  return used;
}

exit_status erase(const erase_options& o) {
  if (o.filter == "-")
    throw failure("-: keys are erased from a file: name it instead of standard input");
  if (o.from.part) throw failure("--part: erase changes whole files: leave it out");
  if (!o.receipts.empty() && (!o.files.empty() || !o.format.arguments.empty()))
    throw usage_error("--receipts and KEYFILE or -k: keys are erased by one of the two");
  check_not_used(o.filter, inputs_of(o), "keys are read from another file");
  updated_file file(o.filter, o.from, "changed");
  check_erasable(file.loaded());
  const erased_keys all =
      o.receipts.empty()
          ? erase_keys(file, o.files, spelling(o.format, file.loaded().keys), o.quiet)
          : erase_receipts(file, o.receipts, o.format, o.quiet);
  if (all.erased != 0) file.save(o.quiet);
  report(o, all, std::get<any_filter>(file.loaded().filter));
  return all.not_present() == 0 ? yes : no;
}

}  // namespace

void add_erase(command_line& tool) {
  const auto o = std::make_shared<erase_options>();
  command c = tool.add("erase", "Delete keys from a filter file");
  c.add("FILTER", "FILTER", o->filter, "the filter file to change").required();
  c.add("KEYFILE", "KEYFILE", o->files, "files of keys; none, or -: standard input");
  add_key_option(c, o->format.arguments);
  c.add("--receipts", "FILE", o->receipts,
        "erase the keys of these receipts, which insert --receipts wrote; -: standard "
        "input");
  add_read_options(c, o->from);
  add_record_options(c, o->format);
  add_empty_option(c, o->format);
  c.add_flag("--json", o->as_json, "report as JSON");
  c.add_flag("-q,--quiet", o->quiet, "print only warnings and errors");
  c.footer(fmt::format(
      "Kinds that can delete keys: {}.  One copy of each key that tests positive is "
      "deleted;\nothers are counted as not present.  Exit status: 0 all were erased, 1 "
      "some were not present,\n2 error.\n\n"
      "A filter stores fingerprints, not keys.  A key that was never inserted, but tests "
      "positive\n(with the probability that info calls realised_fpr), deletes the "
      "fingerprint of another key,\nwhich becomes a false negative.  Erase only keys "
      "that "
      "were inserted; where that is not\ncertain, use receipts: insert --receipts FILE "
      "writes one per key, and erase --receipts FILE\ndeletes those keys.  The "
      "filter's file records which receipts were used, in the same step as\nthe "
      "deletion: "
      "a second run, or a line that is there twice, changes nothing.  Receipts of "
      "another\nfilter are refused, and nothing is changed: each filter draws an "
      "identity "
      "when it issues its\nfirst receipt (build --identity N chooses one).  Erase a key "
      "by "
      "its receipt or by its name, not\nby both.  A filter that is restored from an "
      "older "
      "copy knows the receipts of that copy: discard\nthe later ones.\n\n"
      "FILE has one receipt per line: 48 hex digits, then a TAB and the row that the key "
      "came from,\nwhich erase ignores (-0: lines end in a NUL byte).\n\n"
      "The file is replaced when the new one is complete and on disk.  Another writer of "
      "the same\nfile waits.  A damaged filter is refused.\n\n"
      "Examples:\n"
      "  bloomery erase users.bloom left.txt\n"
      "  bloomery erase users.bloom -k alice -k bob\n"
      "  bloomery insert users.bloom new.txt --receipts users.receipts\n"
      "  grep -P '\\talice$' users.receipts | bloomery erase users.bloom --receipts -",
      kind_names([](const kind_info& k) { return k.can.has(capability::erase); })));
  c.run([o] { return erase(*o); });
}

}  // namespace bloomery::cli
