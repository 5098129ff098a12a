// bloomery query -- print the keys that FILTER may contain.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "command/commands.hpp"
#include "command/shared_options.hpp"
#include "files/query_filter.hpp"
#include "files/used_files.hpp"
#include "keys/read_ahead.hpp"
#include "text/notices.hpp"
#include "text/output.hpp"

namespace bloomery::cli {
namespace {

struct query_options {
  std::string filter;
  std::vector<std::string> keys;
  std::vector<std::string> files;
  read_request from;
  bool absent = false;
  bool count = false;
  record_format format;
};

// Prints or counts what is selected, batch after batch.
class selector {
 public:
  selector(const query_filter& filter, const query_options& o) : filter_(filter), o_(o) {}

  // `whole`, if not empty, is all of `texts` with their terminators in one piece.
  void take(std::span<const std::string_view> texts,
            std::span<const std::string_view> keys, std::string_view whole) {
    if (room_ < keys.size()) {
      room_ = keys.size();
      answers_ = std::make_unique<bool[]>(room_);
    }
    const std::span<bool> maybe(answers_.get(), keys.size());
    filter_.may_contain(keys, maybe);
    filter_.check_unchanged();
    warn_of_damage();
    // A plain count: its loop is vectorised whatever is inlined around it.
    const auto found = static_cast<std::size_t>(std::ranges::count(maybe, true));
    const std::size_t here = o_.absent ? maybe.size() - found : found;
    selected_ += here;
    if (o_.count || here == 0) return;
    if (here == keys.size() && !whole.empty()) return out_.write(whole);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (maybe[i] == o_.absent) continue;
      out_.write(texts[i]);
      out_.write(o_.format.terminator());
    }
  }

  // Once for files with the same header.
  void take_header(const std::string& header) {
    if (o_.count || header_ == header) return;
    header_ = header;
    out_.write(header);
    out_.write(o_.format.terminator());
  }

  // Once: chunks are checked as keys touch them.
  void warn_of_damage() {
    if (warned_) return;
    const auto damage = filter_.damage();
    if (damage) warn(fmt::format("{}: {}", filter_.path, *damage));
    warned_ = damage.has_value();
  }

  exit_status finish() {
    filter_.check_unchanged();
    if (o_.count) out_.write(fmt::format("{}\n", selected_));
    out_.flush();
    return selected_ != 0 ? yes : no;
  }

 private:
  const query_filter& filter_;
  const query_options& o_;
  std::unique_ptr<bool[]> answers_;
  std::size_t room_ = 0;
  std::uint64_t selected_ = 0;
  bool warned_ = false;
  std::optional<std::string> header_;  // printed last
  output out_;
};

void take_arguments(selector& to, const query_options& o, const record_format& format) {
  std::vector<std::string> spelt;
  for (std::size_t i = 0; !format.is_plain() && i < o.keys.size(); ++i)
    append_key(
        format, o.keys[i],
        [&] { return fmt::format("key {} of the command line", i + 1); },
        spelt.emplace_back());
  const std::vector<std::string_view> texts(o.keys.begin(), o.keys.end());
  const std::vector<std::string_view> keys(spelt.begin(), spelt.end());
  to.take(texts, format.is_plain() ? texts : keys, {});
}

bool reads_keys(const query_options& o) { return o.keys.empty() || !o.files.empty(); }

// What a shell that sends the answers to one of them would destroy, or feed them back to.
std::vector<used_file> inputs_of(const query_options& o) {
  std::vector<used_file> used{{o.filter, "the filter"}};
  if (!o.from.secret_file.empty()) used.push_back({o.from.secret_file, as_secret});
  if (reads_keys(o))
    for (const used_file& f : used_files(o.files, ""))
      used.push_back({f.path, "the keys"});
  return used;
}

exit_status query(const query_options& o) {
  check_not_used("", inputs_of(o));
  name_if_cut(o.filter);
  source from = find_source(o.filter, o.from);
  const query_filter f = open_filter(from);
  const record_format format = spelling(o.format, f.keys);
  selector to(f, o);
  to.warn_of_damage();
  if (!o.keys.empty()) take_arguments(to, o, format);
  if (reads_keys(o)) {
    read_ahead in(o.files, format, "querying");
    while (const record_batch* batch = in.next()) {
      if (batch->header()) to.take_header(*batch->header());
      to.take(batch->texts(), batch->keys(), batch->whole());
    }
  }
  return to.finish();
}

}  // namespace

void add_query(command_line& tool) {
  const auto o = std::make_shared<query_options>();
  command c = tool.add("query", "Print the keys that may be in a filter");
  c.add("FILTER", "FILTER", o->filter, "the filter to ask").required();
  c.add("KEY", "KEY", o->keys, "keys to ask for; none: from standard input");
  c.add("-f,--file", "KEYFILE", o->files, "read keys from this file; may be repeated")
      .one_value();
  c.add_flag("-v,--invert-match", o->absent, "print the keys that are certainly absent");
  c.add_flag("-c,--count", o->count, "print only how many would be printed");
  add_read_options(c, o->from);
  add_record_options(c, o->format);
  c.footer(
      "Ends with 0 if any key was selected, 1 if none, 2 on an error.\n\n"
      "Replace a filter by mv while it is asked, not by cp: containers above 4 MiB and\n"
      "other files above 16 MiB are mapped.  A change in place is seen by the status of\n"
      "the file after each block of keys, before its answers are printed, and ends with\n"
      "2.  It is not seen if it falls into one tick of the file system's clock (up to\n"
      "4 ms) with the write before it, is undone before that, is made through another\n"
      "mapping, or on another machine of a network file system.  A mapped file that is "
      "no\n"
      "container has no checksums: mv, ln and chmod count as changes too.\n\n"
      "A directory is a dump of Redis: its file *.header, then the others by the last "
      "number in\ntheir names (after iter or pos: the iterator, which is checked).\n\n"
      "Examples:\n"
      "  bloomery query users.bloom alice bob\n"
      "  bloomery query -v users.bloom < new.txt > certainly_new.txt\n"
      "  bloomery query -c users.bloom -f requests.txt.gz\n"
      "  bloomery query users.bloom -f visits.csv --csv -F email\n"
      "  bloomery query --dialect portable shared.bloom alice\n"
      "  bloomery query --dialect atomicbloom --key-type u64 ids.bin 42");
  c.run([o] { return query(*o); });
}

}  // namespace bloomery::cli
