// bloomery query -- print the keys that FILTER may contain.
#include <fmt/format.h>

#include <functional>
#include <memory>

#include "command/commands.hpp"
#include "command/row_selector.hpp"
#include "command/shared_options.hpp"
#include "files/filter_group.hpp"
#include "files/forgetting.hpp"
#include "files/used_files.hpp"
#include "keys/read_ahead.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

struct query_options {
  std::string filter;
  std::vector<std::string> also;
  std::vector<std::string> keys;
  std::vector<std::string> more_keys;  // -k
  std::vector<std::string> files;
  read_request from;
  select_options select;
  bool line_buffered = false;
  record_format format;

  std::vector<std::string> filters() const {
    std::vector<std::string> all{filter};
    all.insert(all.end(), also.begin(), also.end());
    return all;
  }
};

bool take_arguments(row_selector& to, filter_group& filters, const query_options& o) {
  const std::vector<std::string_view> keys(o.keys.begin(), o.keys.end());
  const auto place = [](std::size_t i) {
    return fmt::format("key {} of the command line", i + 1);
  };
  return to.take({keys, keys, {}, {}, 1}, [&](std::size_t i, std::span<bool> out) {
    filters.query_as_written(i, keys, place, out);
  });
}

void take_files(row_selector& to, filter_group& filters, const query_options& o) {
  read_ahead in(o.files, filters.reading(), "querying", o.select.quiet);
  // A program that waits for its answers gets them before it writes the next key.
  const std::function<void()> idle = [&] { to.flush(); }, none;
  while (const record_batch* batch = in.next(to.has_unwritten() ? idle : none)) {
    if (batch->header()) to.take_header(*batch->header());
    const auto place = [&](std::size_t i) { return batch->place(i); };
    const key_rows rows{batch->texts(), batch->keys(), batch->whole(), batch->file(),
                        batch->number(0)};
    const auto ask = [&](std::size_t i, std::span<bool> out) {
      filters.ask(i, rows.keys, place, out);
    };
    if (!to.take(rows, ask)) return;
    if (o.line_buffered) to.flush();
  }
}

bool reads_keys(const query_options& o) { return o.keys.empty() || !o.files.empty(); }

// What a shell that sends the answers to one of them would destroy, or feed them back to.
std::vector<used_file> inputs_of(const query_options& o) {
  std::vector<used_file> used;
  for (const std::string& filter : o.filters()) used.push_back({filter, "the filter"});
  if (!o.from.secret_file.empty()) used.push_back({o.from.secret_file, as_secret});
  if (reads_keys(o))
    for (const used_file& f : used_files(o.files, ""))
      used.push_back({f.path, "the keys"});
  return used;
}

exit_status query(query_options& o) {
  o.keys.insert(o.keys.end(), o.more_keys.begin(), o.more_keys.end());
  if (reads_keys(o))
    check_standard_input(o.filters(),
                         o.files.empty() ? std::vector<std::string>{"-"} : o.files);
  check_not_used("", inputs_of(o));
  report_if_truncated(fmt::format("{}", fmt::join(o.filters(), " or ")));
  o.from.is_shared = !o.also.empty();
  filter_group filters(o.filters(), o.from, o.format);
  o.select.terminator = o.format.terminator();
  o.select.separator = o.format.field.separator();
  o.select.is_csv = o.format.field.quoting == column::quotes::csv;
  row_selector to(filters, o.filters(), o.select);
  to.warn_of_damage();
  for (std::size_t i = 0; i < filters.size(); ++i)
    note_forgetting(filters.filter(i).path, filters.filter(i), o.select.quiet);
  const bool go_on = o.keys.empty() || take_arguments(to, filters, o);
  if (go_on && reads_keys(o)) take_files(to, filters, o);
  return to.finish();
}

constexpr const char* query_help =
    "Exit status: 0 if any key was selected, 1 if none, 2 on an error.\n\n"
    "Answers are written when no more keys are ready, so that a program that writes a "
    "key\n"
    "at a time reads each answer before it writes the next; --line-buffered writes them\n"
    "after every read.\n\n"
    "--also queries several filters: every row says which, FILTER:row, in the order of\n"
    "the keys; -c prints FILTER:count for each; the exit status is 0 if any filter\n"
    "selected any key.  --dialect and the other reading options apply to the filters\n"
    "whose format needs them.  Names with a colon or a newline: use --json.\n\n"
    "--annotate prints every row, selected or not, followed by a TAB and true (possibly\n"
    "present) or false (definitely not present).  Rows with fields (-F) get one more\n"
    "field, delimited as the others are, named possibly_present in the header.  With\n"
    "--also there is one such column per filter, named as the filter.  With --json "
    "every\n"
    "row is an object.  The exit status is 0 if any answer is true.\n\n"
    "--json prints one object per line: filter, file and line (or argument), row, and\n"
    "possibly_present.  Bytes that are not UTF-8 are in row_hex instead of row.  With "
    "-c:\n"
    "filter and count.\n\n"
    "FILTER - is standard input: a pipe is read whole into memory.\n\n"
    "Replace a filter by mv while it is queried, not by cp: containers above 4 MiB and\n"
    "other files above 16 MiB are mapped.  A change in place is detected by the status\n"
    "of the file after each block of keys, before its answers are printed: exit status\n"
    "2.  Not detected: a change within one tick of the file system's clock (up to 4 ms)\n"
    "after the previous write, one that is undone before the check, one through another\n"
    "mapping, or on another machine of a network file system.  A mapped file that is no\n"
    "container has no checksums: mv, ln and chmod count as changes too.\n\n"
    "A directory is a dump of Redis: its file *.header, then the others ordered by the\n"
    "last number in each name (after iter or pos: the iterator, which is checked).\n\n"
    "Examples:\n"
    "  bloomery query users.bloom alice bob\n"
    "  bloomery query -v users.bloom < new.txt > definitely_new.txt\n"
    "  bloomery query -c users.bloom -f requests.txt.gz\n"
    "  bloomery query users.bloom -f visits.csv --csv -F email\n"
    "  bloomery query --annotate users.bloom -f requests.txt\n"
    "  bloomery query --annotate users.bloom -f visits.csv --csv -F email > marked.csv\n"
    "  bloomery query -q users.bloom alice && echo possibly present\n"
    "  bloomery query monday.bloom --also tuesday.bloom -f suspects.txt\n"
    "  tail -f ids.log | bloomery query --json users.bloom\n"
    "  ssh host cat users.bloom | bloomery query - alice\n"
    "  bloomery query --dialect portable shared.bloom alice\n"
    "  bloomery query --dialect atomicbloom --key-type u64 ids.bin 42";

}  // namespace

void add_query(command_line& tool) {
  const auto o = std::make_shared<query_options>();
  command c = tool.add("query", "Print the keys that are possibly present in a filter");
  c.add("FILTER", "FILTER", o->filter, "the filter to query; -: standard input")
      .required();
  c.add("KEY", "KEY", o->keys, "keys to look up; none: from standard input");
  add_key_option(c, o->more_keys);
  c.add("-f,--file", "KEYFILE", o->files, "read keys from this file; may be repeated")
      .one_value();
  c.add("--also", "FILTER", o->also, "query this filter too; may be repeated")
      .one_value();
  const option annotate =
      c.add_flag("--annotate", o->select.annotates,
                 "print every row, with its answer as the last column");
  c.add_flag("-v,--invert-match", o->select.absent,
             "print the keys that are definitely not present")
      .excludes(annotate);
  c.add_flag("-c,--count", o->select.count, "print only how many would be printed")
      .excludes(annotate);
  c.add_flag("-q,--quiet", o->select.quiet,
             "print nothing, exit with status 0 at the first key that would be printed")
      .excludes(annotate);
  c.add_flag("-n,--line-number", o->select.numbers,
             "print the line number in its file before each row")
      .excludes(annotate);
  c.add_flag("--json", o->select.as_json, "print one JSON object per line");
  c.add_flag("--line-buffered", o->line_buffered,
             "write answers after every read of keys");
  add_read_options(c, o->from);
  add_record_options(c, o->format);
  c.footer(query_help);
  c.run([o] { return query(*o); });
}

}  // namespace bloomery::cli
