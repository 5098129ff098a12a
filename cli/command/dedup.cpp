// bloomery dedup -- print each line the first time it is seen.
#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "command/commands.hpp"
#include "command/kind_options.hpp"
#include "command/shared_options.hpp"
#include "files/forgetting.hpp"
#include "files/interrupts.hpp"
#include "files/seen_state.hpp"
#include "files/used_files.hpp"
#include "keys/read_ahead.hpp"
#include "sizes/kind_choice.hpp"
#include "sizes/rate_limit.hpp"
#include "sizes/rate_watch.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"
#include "text/numbers.hpp"
#include "text/output.hpp"
#include "text/selected_rows.hpp"

namespace bloomery::cli {
namespace {

struct dedup_options {
  std::vector<std::string> files;
  seen_request seen;
  record_format format;
  bool duplicates = false;
  bool count = false;
  bool force = false;
  bool quiet = false;
};

// "below 0.01", "3.20", "1,234"
std::string in_lines(double expected) {
  return expected < 0.01  ? std::string("below 0.01")
         : expected < 100 ? fmt::format("{:.2f}", expected)
                          : grouped(static_cast<std::uint64_t>(expected + 0.5));
}

class deduplicator {
 public:
  deduplicator(seen_state& seen, const dedup_options& o)
      : seen_(seen),
        o_(o),
        limit_(limit_of(seen.filter(), seen.asked_fpr(), {})),
        watch_(seen.filter(), limit_, o.force) {}

  // False: full, and what follows was not looked at.
  bool take(const record_batch& batch) {
    const std::size_t n = batch.texts().size();
    hashes_.resize(n);
    hash_encoded(seen_.hash(), batch.keys(), hashes_);
    if (room_ < n) absent_ = std::make_unique<bool[]>(room_ = n);
    std::size_t done = 0;
    while (done < n && !watch_.is_full()) done += take(done, n - done);
    const std::span<const bool> absent(absent_.get(), done);
    if (!o_.count)
      write_selected(out_, batch.texts(), absent, !o_.duplicates, !batch.whole().empty(),
                     o_.format.terminator());
    if (done < n) full_at_ = batch.place(done);
    return done == n;
  }

  // The first row of a file with columns: once for files with the same header.
  void take_header(const std::string& header) {
    if (o_.count || header_ == header) return;
    header_ = header;
    out_.write(header);
    out_.write(o_.format.terminator());
  }

  bool has_unwritten() const { return out_.has_unwritten(); }
  void flush() { out_.flush(); }

  void finish() {
    watch_.finish();
    if (o_.count)
      out_.write(fmt::format("{}\n", o_.duplicates ? lines_ - fresh_ : fresh_));
    out_.flush();
  }

  [[noreturn]] void refuse_full() const {
    throw failure(fmt::format(
        "{}: stopped before this line: the filter is full after {} new lines: further "
        "new "
        "lines would be dropped with a probability above {}; start again with a larger "
        "--capacity, or --force{}",
        full_at_, grouped(fresh_), rate(limit_.fpr),
        o_.seen.file.empty()
            ? std::string()
            : fmt::format("; {} has the lines before it", o_.seen.file)));
  }

  // The expected number of mistakes is part of the answer.
  void report() const {
    note(fmt::format(
        "{} line{}: {} new, {} seen before; expected new lines dropped by mistake: {}; "
        "false-positive rate now {}",
        grouped(lines_), lines_ == 1 ? "" : "s", grouped(fresh_),
        grouped(lines_ - fresh_), in_lines(mistakes()), rate(watch_.rate())));
    const std::string forgets = forgetting_text(seen_.filter());
    if (!forgets.empty())
      note(fmt::format("{}; lines that it forgot were printed again", forgets));
  }

 private:
  // Far beyond the limit the model has no bound; the lines that were dropped are one.
  double mistakes() const {
    return std::min(watch_.mistakes(), static_cast<double>(lines_ - fresh_));
  }

  // As many of `n` keys from `first` on as there is room for.
  std::size_t take(std::size_t first, std::size_t n) {
    const auto some = std::min<std::uint64_t>(n, watch_.room());
    const auto keys = std::span<const key>(hashes_).subspan(first, some);
    const std::span<bool> absent(absent_.get() + first, some);
    (void)seen_.filter().insert_if_absent(keys, absent);
    seen_.note_keys(keys);
    const auto fresh = static_cast<std::uint64_t>(std::ranges::count(absent, true));
    watch_.inserted(fresh);
    lines_ += some;
    fresh_ += fresh;
    return some;
  }

  seen_state& seen_;
  const dedup_options& o_;
  rate_limit limit_;
  rate_watch watch_;
  std::vector<key> hashes_;
  std::unique_ptr<bool[]> absent_;
  std::size_t room_ = 0;
  std::uint64_t lines_ = 0, fresh_ = 0;
  std::string full_at_;
  std::optional<std::string> header_;  // printed last
  output out_;
};

void add_forgetting_options(command& c, const std::shared_ptr<dedup_options>& o,
                            const option& capacity) {
  const std::string of = kind_names([](const kind_info& k) { return k.facts.forgets; });
  c.add("--kind", "KIND", o->seen.kind,
        fmt::format("remember in a filter of this kind; {} forget old lines and never "
                    "get full (default: {})",
                    of, kinds().front().facts.name));
  c.add(
       "--gap", "N", [o](const std::string& n) { o->seen.capacity = key_count(n, 1); },
       fmt::format("of {}: a line that comes again within so many is to be recognised",
                   of))
      .excludes(capacity);
  c.add(
      "--memory", "SIZE", [o](const std::string& n) { o->seen.memory = byte_size(n); },
      fmt::format(
          "of {}: size in bytes, or as in 64K, 16MiB (default: what forgets 1 %)",
          kind_names([](const kind_info& k) { return k.facts.rate_beside_size; })));
  add_kind_options(c, o->seen.size, [](const kind_info& k) { return k.facts.forgets; });
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
  if (!o.seen.file.empty())
    note_if_interrupted(fmt::format(
        "interrupted: {} is unchanged: lines that this run has printed are not recorded "
        "in it",
        o.seen.file));
  deduplicator lines(seen, o);
  bool whole = true;
  {
    read_ahead in(o.files, spelling(o.format, seen.keys()), "reading lines", o.quiet);
    // A reader that waits for the lines sees them when no more input is ready.
    const std::function<void()> idle = [&] { lines.flush(); }, none;
    while (const record_batch* batch = in.next(lines.has_unwritten() ? idle : none)) {
      if (batch->header()) lines.take_header(*batch->header());
      if (!(whole = lines.take(*batch))) break;
    }
  }
  lines.finish();
  seen.save(o.quiet);
  if (!whole) lines.refuse_full();
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
      "STATE is replaced at the end of the run.  An interrupted run leaves it unchanged: "
      "lines that\nit printed are new again the next time.  Another dedup or insert of "
      "the same file waits.\n\n"
      "Examples:\n"
      "  bloomery dedup access.log > unique.log\n"
      "  bloomery dedup visits.csv --csv -F email > first_visits.csv\n"
      "  bloomery dedup --filter seen.bloom --capacity 50M today.txt > new.txt\n"
      "  bloomery dedup -v -c today.txt\n"
      "  tail -f access.log | bloomery dedup\n"
      "  tail -f access.log | bloomery dedup --kind window --gap 1M");
  c.run([o] { return dedup(*o); });
}

}  // namespace bloomery::cli
