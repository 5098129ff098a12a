// bloomery query -- print the keys that FILTER may contain.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "command/commands.hpp"
#include "command/shared_options.hpp"
#include "files/filter_group.hpp"
#include "files/used_files.hpp"
#include "keys/read_ahead.hpp"
#include "text/notices.hpp"
#include "text/row_printer.hpp"

namespace bloomery::cli {
namespace {

struct query_options {
  std::string filter;
  std::vector<std::string> also;
  std::vector<std::string> keys;
  std::vector<std::string> files;
  read_request from;
  bool absent = false;
  bool count = false;
  bool quiet = false;
  bool numbers = false;
  bool as_json = false;
  bool line_buffered = false;
  record_format format;

  std::vector<std::string> filters() const {
    std::vector<std::string> all{filter};
    all.insert(all.end(), also.begin(), also.end());
    return all;
  }
};

// Some keys, and the rows to print for those that are selected.
struct key_rows {
  std::span<const std::string_view> texts;
  std::span<const std::string_view> keys;
  std::string_view whole;  // if not empty: all texts with their terminators in one piece
  std::string_view file;   // empty: the command line
  std::uint64_t first;     // number of the first
};

// Prints or counts what is selected, batch after batch.
class selector {
 public:
  selector(filter_group& filters, const query_options& o)
      : filters_(filters),
        o_(o),
        out_(o.filters(),
             {!o.also.empty(), o.numbers, o.as_json, o.absent, o.format.terminator()}),
        answers_(filters.size()),
        selected_(filters.size()),
        warned_(filters.size()) {}

  // False: nothing more needs to be asked.
  template <class Ask>
  bool take(const key_rows& rows, Ask ask) {
    if (room_ < rows.keys.size()) {
      room_ = rows.keys.size();
      for (auto& some : answers_) some = std::make_unique<bool[]>(room_);
    }
    std::uint64_t here = 0;
    for (std::size_t i = 0; i < filters_.size(); ++i) {
      const std::span<bool> maybe(answers_[i].get(), rows.keys.size());
      ask(i, maybe);
      std::uint64_t of_filter = 0;
      for (const bool m : maybe) of_filter += m != o_.absent;
      selected_[i] += of_filter;
      here += of_filter;
    }
    warn_of_damage();
    if (o_.quiet) return here == 0;
    if (!o_.count && here != 0) print(rows, here);
    return true;
  }

  // Once for each: chunks are checked as keys touch them.
  void warn_of_damage() {
    for (std::size_t i = 0; i < filters_.size(); ++i) {
      if (warned_[i]) continue;
      const auto damage = filters_.filter(i).damage();
      if (damage) warn(fmt::format("{}: {}", filters_.filter(i).path, *damage));
      warned_[i] = damage.has_value();
    }
  }

  void flush() { out_.flush(); }

  exit_status finish() {
    for (std::size_t i = 0; i < filters_.size(); ++i)
      filters_.filter(i).check_unchanged();
    for (std::size_t i = 0; o_.count && !o_.quiet && i < filters_.size(); ++i)
      out_.print_count(i, selected_[i]);
    out_.flush();
    return std::ranges::any_of(selected_, [](std::uint64_t n) { return n != 0; }) ? yes
                                                                                  : no;
  }

 private:
  // Row by row, each for every filter that selects it.
  void print(const key_rows& rows, std::uint64_t here) {
    if (here == rows.keys.size() && out_.is_plain() && !rows.whole.empty())
      return out_.print_whole(rows.whole);
    for (std::size_t k = 0; k < rows.keys.size(); ++k)
      for (std::size_t i = 0; i < filters_.size(); ++i)
        if (answers_[i][k] != o_.absent)
          out_.print(i, {rows.texts[k], rows.first + k, rows.file});
  }

  filter_group& filters_;
  const query_options& o_;
  row_printer out_;
  std::vector<std::unique_ptr<bool[]>> answers_;
  std::size_t room_ = 0;
  std::vector<std::uint64_t> selected_;
  std::vector<bool> warned_;
};

bool take_arguments(selector& to, filter_group& filters, const query_options& o) {
  const std::vector<std::string_view> keys(o.keys.begin(), o.keys.end());
  const auto place = [](std::size_t i) {
    return fmt::format("key {} of the command line", i + 1);
  };
  return to.take({keys, keys, {}, {}, 1}, [&](std::size_t i, std::span<bool> out) {
    filters.ask_written(i, keys, place, out);
  });
}

void take_files(selector& to, filter_group& filters, const query_options& o) {
  read_ahead in(o.files, filters.reading(), "querying", o.quiet);
  // Whoever waits for the next key to be asked sees the answers so far.
  const auto idle = [&] { to.flush(); };
  while (const record_batch* batch = in.next(idle)) {
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

void check_standard_input(const query_options& o) {
  const auto filters = o.filters();
  if (std::ranges::find(filters, "-") == filters.end() || !reads_keys(o)) return;
  if (o.files.empty() || std::ranges::find(o.files, "-") != o.files.end())
    throw usage_error(
        "standard input cannot be both the filter and the keys: name the keys, or -f "
        "KEYFILE");
}

exit_status query(query_options& o) {
  check_standard_input(o);
  check_not_used("", inputs_of(o));
  name_if_cut(fmt::format("{}", fmt::join(o.filters(), " or ")));
  o.from.is_shared = !o.also.empty();
  filter_group filters(o.filters(), o.from, o.format);
  selector to(filters, o);
  to.warn_of_damage();
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
    "selected any key.  --dialect and the other options of reading are for those "
    "filters\n"
    "whose bytes do not tell.  Names with a colon or a newline: use --json.\n\n"
    "--json prints one object per line: filter, file and line (or argument), row, and\n"
    "possibly_present.  Bytes that are not UTF-8 are in row_hex instead of row.  With "
    "-c:\n"
    "filter and count.\n\n"
    "FILTER - is standard input: a pipe is read whole into memory.\n\n"
    "Replace a filter by mv while it is asked, not by cp: containers above 4 MiB and\n"
    "other files above 16 MiB are mapped.  A change in place is seen by the status of\n"
    "the file after each block of keys, before its answers are printed, and ends with\n"
    "2.  It is not seen if it falls into one tick of the file system's clock (up to\n"
    "4 ms) with the write before it, is undone before that, is made through another\n"
    "mapping, or on another machine of a network file system.  A mapped file that is no\n"
    "container has no checksums: mv, ln and chmod count as changes too.\n\n"
    "A directory is a dump of Redis: its file *.header, then the others by the last "
    "number in\ntheir names (after iter or pos: the iterator, which is checked).\n\n"
    "Examples:\n"
    "  bloomery query users.bloom alice bob\n"
    "  bloomery query -v users.bloom < new.txt > certainly_new.txt\n"
    "  bloomery query -c users.bloom -f requests.txt\n"
    "  bloomery query -q users.bloom alice && echo possibly present\n"
    "  bloomery query monday.bloom --also tuesday.bloom -f suspects.txt\n"
    "  tail -f ids.log | bloomery query --json users.bloom\n"
    "  ssh host cat users.bloom | bloomery query - alice\n"
    "  bloomery query --dialect portable shared.bloom alice\n"
    "  bloomery query --dialect atomicbloom --key-type u64 ids.bin 42";

}  // namespace

void add_query(command_line& tool) {
  const auto o = std::make_shared<query_options>();
  command c = tool.add("query", "Print the keys that may be in a filter");
  c.add("FILTER", "FILTER", o->filter, "the filter to ask; -: standard input").required();
  c.add("KEY", "KEY", o->keys, "keys to ask for; none: from standard input");
  c.add("-f,--file", "KEYFILE", o->files, "read keys from this file; may be repeated")
      .one_value();
  c.add("--also", "FILTER", o->also, "query this filter too; may be repeated")
      .one_value();
  c.add_flag("-v,--invert-match", o->absent, "print the keys that are certainly absent");
  c.add_flag("-c,--count", o->count, "print only how many would be printed");
  c.add_flag("-q,--quiet", o->quiet,
             "print nothing, end with 0 at the first key that would be printed");
  c.add_flag("-n,--line-number", o->numbers,
             "print the line number in its file before each row");
  c.add_flag("--json", o->as_json, "print one JSON object per line");
  c.add_flag("--line-buffered", o->line_buffered,
             "write answers after every read of keys");
  add_read_options(c, o->from);
  add_record_options(c, o->format);
  c.footer(query_help);
  c.run([o] { return query(*o); });
}

}  // namespace bloomery::cli
