// bloomery build -- make a filter from keys.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cmath>
#include <memory>
#include <optional>

#include "command.hpp"
#include "dialects.hpp"
#include "distinct.hpp"
#include "filter_output.hpp"
#include "kinds.hpp"
#include "messages.hpp"
#include "numbers.hpp"
#include "read_ahead.hpp"

namespace bloomery::cli {
namespace {

struct build_options {
  std::vector<std::string> files;
  std::string out;
  size_request size;
  std::optional<std::uint64_t> capacity;
  std::string kind = "portable";
  std::string dialect;
  std::string hash;
  std::optional<std::uint64_t> seed;
  std::string secret_file;
  unsigned threads = 1;
  record_format format;
  bool quiet = false;
};

void check_hash(const build_options& o, const kind& what) {
  const std::string_view fixed = name_of(what.hasher().id());
  if (!o.hash.empty() && o.hash != fixed)
    throw failure(fmt::format("--hash {}: the {} filter is defined with {}", o.hash,
                              what.name, fixed));
  if (o.seed || !o.secret_file.empty())
    throw failure(
        fmt::format("the {} filter is defined with {}, which takes no --seed and "
                    "no --secret-file",
                    what.name, fixed));
}

// Sized beforehand: keys go into the filter as they are read.
any_filter build_sized(const kind& what, const build_options& o) {
  any_filter filter = what.make(*o.capacity, o.size);
  read_ahead in(o.files, o.format, "building", o.quiet);
  while (const record_batch* batch = in.next()) filter.insert(batch->keys());
  return filter;
}

// Sized by counting: hashes are kept until all distinct keys are known.
any_filter build_counted(const kind& what, const build_options& o) {
  distinct_keys distinct;
  {
    const hasher hash = what.hasher();
    std::vector<key> keys;
    read_ahead in(o.files, o.format, "counting keys", o.quiet);
    while (const record_batch* batch = in.next()) {
      keys.resize(batch->keys().size());
      hash.hash(batch->keys(), keys);
      distinct.add(keys);
    }
  }
  const auto all = distinct.all();
  any_filter filter = what.make(std::max<std::uint64_t>(1, all.size()), o.size);
  filter.insert(all);
  return filter;
}

// More keys than planned, more false positives than promised: say so.  The estimate
// scatters by less than the square root of the keys.
void report_overflow(const any_filter& filter) {
  const double keys = filter.estimated_keys();
  const auto capacity = static_cast<double>(filter.capacity());
  if (keys <= 1.05 * capacity + 2 * std::sqrt(capacity)) return;
  const std::string many = std::isfinite(keys)
                               ? fmt::format("about {:.0f} distinct keys went", keys)
                               : std::string("so many keys that every bit is set went");
  warn(fmt::format(
      "{} into a filter for {}: it has a rate of {}, not {}; raise --capacity "
      "or leave it out",
      many, grouped(filter.capacity()), rate(filter.realised_fpr()),
      rate(filter.expected_fpr(filter.capacity()))));
}

exit_status build(const build_options& o) {
  const kind& what = kind_named(o.kind);
  const dialect& how = dialect_named(o.dialect.empty() ? what.dialect : o.dialect);
  check_hash(o, what);
  check_output(o.out, o.files);

  const any_filter filter = o.capacity ? build_sized(what, o) : build_counted(what, o);
  report_overflow(filter);
  write_filter(filter, how, o.out);
  if (o.quiet) return yes;
  note(fmt::format("{}: {} filter for {} keys, {}, expected rate {}", o.out, what.name,
                   grouped(filter.capacity()), size(filter.size_in_bytes()),
                   rate(filter.expected_fpr(filter.capacity()))));
  if (o.dialect.empty())
    note(fmt::format("written in the {0} dialect; name it when reading: --dialect {0}",
                     how.name));
  return yes;
}

}  // namespace

void add_build(CLI::App& app, action& run) {
  const auto o = std::make_shared<build_options>();
  CLI::App& c = *app.add_subcommand("build", "Make a filter from keys, one a line");
  c.add_option("KEYFILE", o->files, "files of keys; none, or -: standard input")
      ->type_name("KEYFILE");
  c.add_option("-o,--output", o->out,
               "the filter to write, replaced only when whole; -: standard output")
      ->required()
      ->type_name("OUT");
  auto* fpr = c.add_option("--fpr", o->size.fpr, "false-positive rate (default: 0.01)")
                  ->type_name("P");
  auto* bits =
      c.add_option("--bits-per-key", o->size.bits_per_key, "size by bits per key")
          ->type_name("B")
          ->excludes(fpr);
  add_size(
      c, "--memory", [o](std::uint64_t n) { o->size.memory = n; },
      "size in bytes, or as in 64K, 16MiB, 1G")
      ->type_name("SIZE")
      ->excludes(fpr)
      ->excludes(bits);
  add_count(
      c, "--capacity", 1, [o](std::uint64_t n) { o->capacity = n; },
      "keys to make room for (default: the distinct keys read, counted first)")
      ->type_name("N");
  c.add_option("--kind", o->kind, "which filter: portable")->type_name("KIND");
  c.add_option("--dialect", o->dialect, "which bytes: portable")->type_name("D");
  c.add_option("--hash", o->hash, "which hash; portable has its own: fnv1a-splitmix")
      ->type_name("H");
  add_count(
      c, "--seed", 0, [o](std::uint64_t n) { o->seed = n; },
      "seed of the hash; portable takes none")
      ->type_name("N");
  c.add_option("--secret-file", o->secret_file,
               "secret of a keyed hash; portable takes none")
      ->type_name("F");
  c.add_option("--threads", o->threads, "threads to build with; portable uses one")
      ->check(CLI::Range(1u, 1024u).description(""))
      ->type_name("T");
  c.add_flag("--force", o->size.force, "build even if the format cannot keep the rate");
  add_record_options(c, o->format);
  c.add_flag("-q,--quiet", o->quiet, "say nothing but warnings and errors");
  c.footer(
      "Examples:\n"
      "  bloomery build keys.txt --dialect portable -o keys.bloom\n"
      "  find . -print0 | bloomery build -0 --dialect portable --fpr 0.001 -o "
      "files.bloom\n"
      "  bloomery build --dialect portable --capacity 5000000 -o big.bloom < keys.txt");
  c.callback([o, &run] { run = [o] { return build(*o); }; });
}

}  // namespace bloomery::cli
