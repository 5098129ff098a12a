// bloomery build -- make a filter from keys.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

#include "build_filter.hpp"
#include "command.hpp"
#include "dialects.hpp"
#include "filter_output.hpp"
#include "messages.hpp"
#include "numbers.hpp"
#include "overfull.hpp"
#include "sized.hpp"

namespace bloomery::cli {
namespace {

const kind& kind_of(const build_options& o) {
  if (o.kind.empty()) return kind_in_dialect(o.dialect);
  const kind& what = kind_named(o.kind);
  if (!o.dialect.empty() && o.dialect != what.dialect)
    throw failure(fmt::format(
        "--kind {} --dialect {}: {} filters are stored in the {} dialect only; leave one "
        "of the two out",
        o.kind, o.dialect, o.kind, what.dialect));
  return what;
}

void report(const build_options& o, const any_filter& filter, const dialect& how) {
  note(fmt::format("{}: {} filter for {} keys, {}, expected rate {}", o.out,
                   filter.kind(), grouped(filter.capacity()),
                   size(filter.size_in_bytes()),
                   rate(filter.expected_fpr(filter.capacity()))));
  if (!how.has_magic && o.dialect.empty())
    note(fmt::format("written in the {0} dialect; name it when reading: --dialect {0}",
                     how.name));
}

exit_status build(const build_options& o) {
  if (!o.dialect.empty()) dialect_named(o.dialect);  // unknown names first
  const kind& what = kind_of(o);
  const dialect& how = dialect_named(what.dialect);
  const hasher hash = choose_hash(what, o.hash);
  check_size_request(what, o.size);
  check_output(o.out, o.files);

  const any_filter filter = build_filter(what, hash, o);
  if (o.capacity) warn_if_overfull(filter, "raise --capacity or leave it out");
  write_filter(filter, how, o.out);
  if (!o.quiet) report(o, filter, how);
  return yes;
}

block_profile profile_named(const std::string& name) {
  using enum block_profile;
  for (const block_profile p : {half_line, line, two_lines})
    if (name == name_of(p)) return p;
  throw CLI::ValidationError(
      "--profile", fmt::format("there is no '{}': half-line, line, two-lines", name));
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
  c.add_option("--kind", o->kind,
               fmt::format("which filter: {} (default: the first)", kind_names()))
      ->type_name("KIND");
  c.add_option("--dialect", o->dialect,
               "which bytes: provisional or, of portable filters, portable")
      ->type_name("D");
  c.add_option_function<std::string>(
       "--profile",
       [o](const std::string& name) { o->size.profile = profile_named(name); },
       "of block: half-line, line, two-lines (default: by the rate)")
      ->type_name("NAME");
  c.add_option("--hash", o->hash.name,
               "of block and bloom: xxh3 (default), xxh64; others have their own")
      ->type_name("H");
  add_count(
      c, "--seed", 0, [o](std::uint64_t n) { o->hash.seed = n; },
      "seed of that hash (default: 0)")
      ->type_name("N");
  c.add_option("--secret-file", o->hash.secret_file,
               "secret of a keyed hash; no dialect of this version can keep one")
      ->type_name("F");
  c.add_option("--threads", o->threads,
               "threads to insert with, for block and split-block (default: 1)")
      ->check(CLI::Range(1u, 1024u).description(""))
      ->type_name("T");
  c.add_flag("--force", o->size.force, "build even if the format cannot keep the rate");
  add_record_options(c, o->format);
  c.add_flag("-q,--quiet", o->quiet, "say nothing but warnings and errors");
  c.footer(
      "The file is the same for any number of threads and any CPU.  Provisional files "
      "are\nread by the version that wrote them; portable ones by every version and "
      "language.\n\n"
      "Examples:\n"
      "  bloomery build keys.txt -o keys.bloom\n"
      "  find . -print0 | bloomery build -0 --fpr 0.001 -o files.bloom\n"
      "  bloomery build --capacity 5000000 --threads 4 -o big.bloom < keys.txt\n"
      "  bloomery build keys.txt --dialect portable -o shared.bloom");
  c.callback([o, &run] { run = [o] { return build(*o); }; });
}

}  // namespace bloomery::cli
