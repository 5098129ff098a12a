// bloomery dedup -- print each line the first time it is seen.
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>

#include "command/commands.hpp"
#include "command/deduplicator.hpp"
#include "command/kind_options.hpp"
#include "command/shared_options.hpp"
#include "files/interrupts.hpp"
#include "files/used_files.hpp"
#include "keys/read_ahead.hpp"
#include "sizes/kind_choice.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"
#include "text/numbers.hpp"

namespace bloomery::cli {
namespace {

// When the state is saved.  A line is in the state on disk only if it has been written to
// the output, which is flushed before: after a crash a line may come again, and none is
// lost.
class state_keeper {
 public:
  state_keeper(seen_state& seen, deduplicator& lines, const dedup_options& o)
      : seen_(seen), lines_(lines), o_(o), next_(clock::now() + o.save_every) {
    if (seen_.is_kept()) note_interrupts(last_words());
  }

  // With every line that was taken.
  void save_if_due() {
    // A count is printed at the end.
    if (!seen_.is_kept() || o_.count || o_.save_every.count() == 0 ||
        clock::now() < next_)
      return;
    if (lines_.lines() != saved_lines_) {
      write_lines();
      seen_.save_and_go_on();
      lines_.filter_has_moved();
      saved_lines_ = lines_.lines();
      set_last_words(last_words());
    }
    next_ = clock::now() + o_.save_every;
  }

  void save() {
    write_lines();
    if (lines_.has_changed())
      seen_.save(o_.quiet);
    else
      seen_.keep();
    if (seen_.is_kept())
      set_last_words(fmt::format("{} has all lines of this run", o_.seen.file));
  }

  bool is_interrupted() const { return seen_.is_kept() && interrupt() != 0; }
  [[noreturn]] void end() const {
    note(fmt::format(
        "interrupted: {} has the {} line{} that this run has read, and all "
        "that are new have been printed",
        o_.seen.file, grouped(lines_.lines()), lines_.lines() == 1 ? "" : "s"));
    end_by_interrupt();
  }

 private:
  using clock = std::chrono::steady_clock;

  std::string last_words() const {
    if (saved_lines_ == 0)
      return fmt::format(
          "interrupted: {} is unchanged: lines that this run has printed are not "
          "recorded in it",
          o_.seen.file);
    return fmt::format(
        "interrupted: {} has the first {} lines of this run; later ones that it has "
        "printed are not recorded in it",
        o_.seen.file, grouped(saved_lines_));
  }

  void write_lines() {
    lines_.flush();
    // Pipes and terminals cannot be flushed to a disk.
    if (seen_.is_kept() && ::fdatasync(STDOUT_FILENO) != 0 && errno == EIO)
      throw failure(
          fmt::format("standard output: cannot write: {}", std::strerror(errno)));
  }

  seen_state& seen_;
  deduplicator& lines_;
  const dedup_options& o_;
  clock::time_point next_;
  std::uint64_t saved_lines_ = 0;
};

// The next lines; null at the end, or when the run is to end.  A reader that waits for
// the lines so far sees them when no more input is ready.
const record_batch* next_lines(read_ahead& in, deduplicator& lines,
                               state_keeper& keeper) {
  using namespace std::chrono_literals;
  keeper.save_if_due();
  if (!in.wait(1ms)) {
    lines.flush();
    do {
      if (keeper.is_interrupted()) return nullptr;
      keeper.save_if_due();
    } while (!in.wait(100ms));
  }
  return keeper.is_interrupted() ? nullptr : in.next();
}

void add_forgetting_options(command& c, const std::shared_ptr<dedup_options>& o,
                            const option& capacity) {
  const std::string of = kind_names([](const kind_info& k) { return k.facts.forgets; });
  c.add("--kind", "KIND", o->seen.kind,
        fmt::format("remember in a filter of this kind: {}; {} grow, {} forget old lines "
                    "and never get full (default: {})",
                    kind_names(remembers_lines),
                    kind_names([](const kind_info& k) { return k.facts.grows; }), of,
                    kinds().front().facts.name))
      .offers(names_of_kinds(remembers_lines));
  c.add(
       "--gap", "N",
       [o](const std::string& n) {
         o->seen.capacity = key_count(n, 1);
         o->seen.gap = true;
       },
       fmt::format("of {}: a line that comes again within so many is to be recognised",
                   of))
      .excludes(capacity);
  c.add(
      "--memory", "SIZE", [o](const std::string& n) { o->seen.memory = byte_size(n); },
      fmt::format(
          "of {}: size in bytes, or as in 64K, 16MiB (default: what forgets 1 %)",
          kind_names([](const kind_info& k) { return k.facts.rate_beside_size; })));
  add_kind_options(c, o->seen.size, remembers_lines);
}

std::vector<used_file> inputs_of(const dedup_options& o) {
  std::vector<used_file> used;
  for (const used_file& f : used_files(o.files, ""))
    used.push_back({f.path, "the lines"});
  return used;
}

void check_files(const dedup_options& o) {
  check_not_used("", inputs_of(o));
  if (o.seen.file == "-")
    throw failure("--filter -: the state is kept in a file: name one");
  if (!o.seen.file.empty())
    check_not_used(o.seen.file, inputs_of(o), "name another file with --filter");
}

exit_status dedup(const dedup_options& o) {
  check_files(o);
  seen_state seen(o.seen, o.files, o.format);
  deduplicator lines(seen, o);
  state_keeper keeper(seen, lines, o);
  bool whole = true;
  {
    read_ahead in(o.files, spelling(o.format, seen.keys()), "reading lines", o.quiet);
    while (const record_batch* batch = next_lines(in, lines, keeper)) {
      if (batch->header()) lines.take_header(*batch->header());
      if (!(whole = lines.take(*batch))) break;
    }
  }
  lines.finish();
  keeper.save();
  if (!whole) lines.refuse_full();
  if (keeper.is_interrupted()) keeper.end();
  if (!o.quiet) lines.report();
  return yes;
}

}  // namespace

void add_dedup(command_line& tool) {
  const auto o = std::make_shared<dedup_options>();
  command c = tool.add("dedup", "Print each line the first time it is seen");
  c.add("FILE", "FILE", o->files, "files of lines; none, or -: standard input");
  const option state =
      c.add("--filter", "STATE", o->seen.file,
            "keep the state in this filter file between runs; created if missing");
  const option capacity = c.add(
      "--capacity", "N",
      [o](const std::string& n) { o->seen.capacity = key_count(n, 1); },
      "distinct lines to make room for, as in 50M (default: see below)");
  c.add(
       "--save-every", "TIME",
       [o](const std::string& text) { o->save_every = duration(text); },
       "save STATE so often, as in 30s, 5m or 1h; 0: only at the end (default: 5m)")
      .needs(state);
  add_forgetting_options(c, o, capacity);
  c.add(
      "--fpr", "P", [o](const std::string& p) { o->seen.fpr = rate_between_0_and_1(p); },
      "the probability that a new line is dropped when the filter is full (default: "
      "1e-6)");
  c.add_flag("-v,--invert-match", o->duplicates,
             "print the lines that were seen before instead");
  c.add_flag("-c,--count", o->count, "print only the number of lines");
  c.add_flag("--force", o->force, "continue when the filter is full, at a rising rate");
  c.add("--secret-file", "F", o->seen.from.secret_file,
        "secret of a STATE with a keyed hash")
      .needs(state);
  add_record_options(c, o->format);
  c.add_flag("-q,--quiet", o->quiet, "print only warnings and errors");
  c.footer(
      "Lines are printed in input order, as they arrive, in constant memory: the filter "
      "plus "
      "less\nthan 16 MiB.  A line that was seen is never printed again.  A new line is "
      "dropped "
      "by mistake\n(a false positive) with a small probability, which reaches P when the "
      "filter is full; the\nsummary reports the expected number.  When the filter is "
      "full "
      "dedup stops and names the\nline; --force continues.\n"
      "Exit status: 0, also if no line is new; 2 if the filter is full, or on an "
      "error.\n\n"
      "Without --capacity a filter is made for as many lines as the input files have, at "
      "most\n100,000,000 (390 MiB at the default rate); for 10,000,000 lines (39 MiB) if "
      "the input is a\npipe or compressed, and for no fewer in a new STATE.\n\n"
      "--kind window remembers exactly the last --gap lines, --kind stable most of them "
      "in "
      "less memory\nor more of them: both for streams without an end.  Lines that were "
      "forgotten are printed again;\nthe summary says how many that may be.  The default "
      "rate of --kind stable is 0.1 %.\n\n"
      "--kind scalable grows with the lines, however many, and keeps its rate.\n\n"
      "STATE is replaced every --save-every, at the end, and when the run is ended by "
      "SIGINT, SIGTERM\nor SIGHUP (a second one ends it at once, and so does the first "
      "if the output is blocked for 5\nseconds).  Each time the lines that are in it "
      "have been written to the output before, so that no\nline is lost.  After a crash "
      "or kill -9, STATE is as it was last saved: the lines printed since\nthen, and no "
      "others, are printed again if they come again.  With -c STATE is replaced at the "
      "end\nonly, when the number is printed.  Another dedup or insert of the same file "
      "waits.\n\n"
      "Examples:\n"
      "  bloomery dedup access.log > unique.log\n"
      "  bloomery dedup visits.csv --csv -F email > first_visits.csv\n"
      "  bloomery dedup --filter seen.bloom --capacity 50M today.txt > new.txt\n"
      "  bloomery dedup -v -c today.txt\n"
      "  tail -f access.log | bloomery dedup\n"
      "  tail -F access.log | bloomery dedup --kind scalable --filter seen.bloom\n"
      "  tail -f access.log | bloomery dedup --kind window --gap 1M");
  c.run([o] { return dedup(*o); });
}

}  // namespace bloomery::cli
