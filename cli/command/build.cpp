// bloomery build -- make a filter from keys.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <span>
#include <type_traits>

#include <bloomery/kinds.hpp>

#include "command/commands.hpp"
#include "command/shared_options.hpp"
#include "files/build_filter.hpp"
#include "files/build_foreign.hpp"
#include "files/dialects.hpp"
#include "files/filter_output.hpp"
#include "files/forgetting.hpp"
#include "files/source.hpp"
#include "sizes/kind_choice.hpp"
#include "sizes/make_sized.hpp"
#include "sizes/overfull.hpp"
#include "sizes/static_choice.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"
#include "text/numbers.hpp"

namespace bloomery::cli {
namespace {

// --dialect decides the bytes, --kind the filter in them.
const kind_info& kind_of(const build_options& o, const dialect& how) {
  const kind_info& named = o.kind == static_kind ? any_static_kind() : kind_named(o.kind);
  if (o.fast && o.kind != static_kind)
    throw failure("--fast: only --kind static has a choice of kinds");
  if (how.of == family::container) return named;
  const kind_info& bare = kind_named(portable_bloom::kind.name);
  if (!o.kind.empty() && &named != &bare)
    throw failure(
        fmt::format("--kind {0} --dialect {1}: that dialect holds {1} filters only; "
                    "without --dialect the container holds a {0} filter",
                    o.kind, bare.facts.name));
  return bare;
}

// How far back a filter that forgets must remember cannot be counted.
void check_gap(const kind_info& what, const build_options& o) {
  const char* const forgetful = "--gap";
  if (!what.facts.forgets && o.gap)
    throw failure(fmt::format(
        "{} {}: a {} filter does not forget, only --kind {} does: --capacity makes room",
        forgetful, *o.capacity, what.facts.name,
        kind_names([](const kind_info& k) { return k.facts.forgets; })));
  if (what.facts.forgets && !o.capacity)
    throw failure(fmt::format(
        "--kind {}: it forgets: say how many inserts back it must remember: --gap N",
        what.facts.name));
  if (o.size.fpr && o.size.memory && !what.facts.takes_rate_and_memory)
    throw usage_error("--memory excludes --fpr");
}

void build_native(build_options o, const dialect& how) {
  const native_keys keys =
      how.of == family::container ? keys_to_insert(o.form.key_type) : bare_keys(o.form);
  o.format = spelling(o.format, keys);
  const kind_info& what = kind_of(o, how);
  if (o.form.hashes || o.form.bits || !o.form.variant.empty())
    throw failure(fmt::format(
        "{}: only other systems' dialects take it; --fpr, --bits-per-key or --memory "
        "size a {} filter",
        o.form.shape_option(), what.facts.name));
  const hasher hash =
      choose_hash(what, {o.hash, o.form.seed, o.form.secret_file}).of(keys.source);
  check_size_request(what, o.size);
  check_gap(what, o);

  const built_filter b = build_filter(what, hash, o);
  if (o.capacity && !what.facts.takes_growth && !what.facts.forgets)
    warn_if_overfull(b.filter, "raise --capacity or leave it out");
  if (how.of == family::container)
    write_container(b.filter, b.notes(), o.out, o.quiet);
  else
    write_bare(b.filter, o.out);
  if (o.quiet) return;
  if (what.facts.takes_growth) {
    note(fmt::format("{}: {} filter, {}, {}, realised rate {}", o.out, b.filter.kind(),
                     about_keys(b.filter.estimated_keys()),
                     size(b.filter.size_in_bytes()), rate(b.filter.realised_fpr())));
    return;
  }
  say_how_it_forgets(o.out, b.filter, o.quiet);
  const std::uint64_t keys_for = o.capacity ? b.filter.capacity() : b.keys;
  note(fmt::format("{}: {} filter for {} key{}, {}, expected rate {}", o.out,
                   b.filter.kind(), grouped(keys_for), keys_for == 1 ? "" : "s",
                   size(b.filter.size_in_bytes()), rate(design_rate(b.filter))));
  if (how.of != family::container && !keys.encoding.is_plain())
    note(fmt::format("its bytes do not say what keys are: read it with --key-type {}",
                     o.form.key_type));
}

// Options that reading it takes; some of them follow from the sizing.
std::string reading_options(const foreign_filter& f, const dialect_facts& facts) {
  std::string text(facts.name);
  for (const std::string& option : needs_of(facts))
    text += option == "--variant"  ? fmt::format(" --variant {}", f.variant())
            : option == "--hashes" ? fmt::format(" --hashes {}", f.hashes())
            : option == "--bits"   ? fmt::format(" --bits {}", f.bits())
            : option == "--seed"   ? fmt::format(" --seed {}", f.seed())
                                   : " " + option;
  return text;
}

void build_other(const build_options& o, const dialect& how) {
  if (!o.kind.empty())
    throw failure(fmt::format(
        "--kind {} --dialect {}: that dialect holds its owner's filters only; leave one "
        "of the two out",
        o.kind, how.facts.name));
  const foreign_filter filter = build_foreign(how, o);
  write_bare(filter, o.out);
  if (o.quiet) return;
  note(fmt::format("{}: {} filter, {}, {}, realised rate {}", o.out, filter.dialect(),
                   about_keys(filter.estimated_keys()), size(filter.size_in_bytes()),
                   rate(filter.realised_fpr())));
  if (!how.facts.needs.empty())
    note(fmt::format("the format does not record everything: read it with --dialect {}",
                     reading_options(filter, how.facts)));
}

exit_status build(const build_options& o) {
  const dialect& how = dialect_named(o.form.dialect.empty() ? "native" : o.form.dialect);
  check_output(o.out, used_files(o.files, o.form.secret_file));
  check_seed(o.form, how.facts);
  if (how.of == family::foreign) {
    build_other(o, how);
  } else {
    build_native(o, how);
  }
  return yes;
}

// Whether more threads help.
bool uses_threads(const kind_info& k) {
  const auto has = []<class F>(std::type_identity<F>) -> result<bool> {
    if constexpr (build_only<F>)
      return requires(std::span<const key> keys, typename F::params p) {
        F::build(keys, p, 2u);
      };
    else
      return requires(F & f, std::span<const key> keys) { f.insert(keys, 2u); };
  };
  const result<bool> answer = with_kind(k.facts.number, has);
  return answer && *answer;
}

block_profile profile_named(const std::string& name) {
  using enum block_profile;
  for (const block_profile p : {half_line, line, two_lines, lanes16})
    if (name == name_of(p)) return p;
  throw usage_error(
      fmt::format("there is no '{}': half-line, line, two-lines, lanes16", name));
}

unsigned cell_width(const std::string& text) {
  for (const unsigned bits : {4u, 8u, 32u})
    if (text == std::to_string(bits)) return bits;
  throw usage_error(fmt::format("there are no counters of '{}' bits: 4, 8, 32", text));
}

cell_layout layout_named(const std::string& name) {
  for (const cell_layout l : {cell_layout::line, cell_layout::flat})
    if (name == name_of(l)) return l;
  throw usage_error(fmt::format("there is no '{}': line, flat", name));
}

unsigned window_width(const std::string& text) {
  for (const unsigned slots : {64u, 128u})
    if (text == std::to_string(slots)) return slots;
  throw usage_error(fmt::format("there are no windows of '{}' slots: 64, 128", text));
}

unsigned slots_per_key(const std::string& text) {
  for (const unsigned n : {3u, 4u})
    if (text == std::to_string(n)) return n;
  throw usage_error(
      fmt::format("there are no filters of '{}' slots per key: 3, 4", text));
}

void add_arity_option(command& c, const std::shared_ptr<build_options>& o) {
  c.add(
      "--arity", "N", [o](const std::string& n) { o->size.arity = slots_per_key(n); },
      fmt::format("slots per key of {}: 3 (default), 4 (5 % smaller, slower)",
                  kind_names([](const kind_info& k) { return k.facts.takes_arity; })));
}

unsigned growth_factor(const std::string& text) {
  for (const unsigned n : {2u, 4u, 8u, 16u})
    if (text == std::to_string(n)) return n;
  throw usage_error(fmt::format("a filter does not grow by '{}': 2, 4, 8, 16", text));
}

void add_growth_options(command& c, const std::shared_ptr<build_options>& o) {
  const std::string of =
      kind_names([](const kind_info& k) { return k.facts.takes_growth; });
  c.add(
      "--growth", "Nx",
      [o](const std::string& n) { o->size.growth.max_growth = growth_number(n); },
      fmt::format(
          "of {}: keep the rate up to N times --capacity (default: without limit, "
          "with more bits per key)",
          of));
  c.add(
      "--growth-factor", "S",
      [o](const std::string& n) { o->size.growth.growth = growth_factor(n); },
      fmt::format("of {}: each level is S times as large as the one before: 2 "
                  "(default), 4, 8, 16",
                  of));
  c.add_flag("--dynamic", o->size.growth.dynamic,
             fmt::format("of {}: each level has the whole rate: smaller, and the rate "
                         "grows with every level",
                         of));
}

void add_forgetting_options(command& c, const std::shared_ptr<build_options>& o,
                            const option& capacity) {
  c.add(
       "--gap", "N",
       [o](const std::string& n) {
         o->capacity = key_count(n, 1);
         o->gap = true;
       },
       fmt::format("of {}: a key that comes again within so many is to be recognised",
                   kind_names([](const kind_info& k) { return k.facts.forgets; })))
      .excludes(capacity);
  c.add(
      "--generations", "N",
      [o](const std::string& n) {
        o->size.generations =
            static_cast<unsigned>(std::min<std::uint64_t>(whole_number(n, 2), 100'000));
      },
      fmt::format(
          "of {}: 2 to 1024 parts that are forgotten one after the other (default: 4)",
          kind_names([](const kind_info& k) { return k.facts.takes_generations; })));
}

void add_cell_options(command& c, const std::shared_ptr<build_options>& o) {
  const std::string of =
      kind_names([](const kind_info& k) { return k.facts.takes_cells; });
  c.add(
      "--cells", "BITS",
      [o](const std::string& bits) { o->size.cell_bits = cell_width(bits); },
      fmt::format("bits per counter of {}: 4 (default), 8, 32", of));
  c.add(
      "--layout", "NAME",
      [o](const std::string& name) { o->size.cells = layout_named(name); },
      fmt::format("counters of {}: line (one cache line per key), flat (smaller at low "
                  "rates; default: by the rate)",
                  of));
  c.add(
      "--ribbon-width", "SLOTS",
      [o](const std::string& slots) { o->size.ribbon_width = window_width(slots); },
      fmt::format(
          "window of {}: 64 (default), 128 (the smallest; slower)",
          kind_names([](const kind_info& k) { return k.facts.takes_ribbon_width; })));
}

}  // namespace

void add_build(command_line& tool) {
  const auto o = std::make_shared<build_options>();
  command c = tool.add("build", "Make a filter from keys, one per line");
  c.add("KEYFILE", "KEYFILE", o->files, "files of keys; none, or -: standard input");
  add_output_option(c, o->out);
  const option fpr = c.add(
      "--fpr", "P", [o](const std::string& p) { o->size.fpr = rate_number(p); },
      "false-positive rate, as in 0.01 or 1% (default: 1%, or the owner's: see "
      "formats)");
  const option bits =
      c.add("--bits-per-key", "B", o->size.bits_per_key, "size by bits per key")
          .excludes(fpr);
  // With --fpr too: of kinds that forget, which is found out when the kind is known.
  c.add(
       "--memory", "SIZE", [o](const std::string& n) { o->size.memory = byte_size(n); },
       "size in bytes, or as in 64K, 16MiB, 1G")
      .excludes(bits);
  const option capacity = c.add(
      "--capacity", "N", [o](const std::string& n) { o->capacity = key_count(n, 1); },
      "keys to make room for, as in 5000000, 5M or 5e6; k, M, G: powers of ten "
      "(default: the distinct keys read, counted first; 1000 where the filter grows)");
  add_forgetting_options(c, o, capacity);
  c.add("--kind", "KIND", o->kind,
        fmt::format("which filter: {} (default: the first); static: the smallest of {}",
                    kind_names(), kind_names([](const kind_info& k) {
                      return k.can.has(capability::build);
                    })));
  c.add_flag("--fast", o->fast, "of --kind static: rather fast lookups than small size");
  c.add("--dialect", "D", o->form.dialect,
        "format to write: native (default), portable, or another system's: see bloomery "
        "formats");
  c.add(
      "--profile", "NAME",
      [o](const std::string& name) { o->size.profile = profile_named(name); },
      fmt::format("profile of {}: half-line, line, two-lines, lanes16 (default: by the "
                  "rate, never lanes16)",
                  kind_names([](const kind_info& k) { return k.facts.takes_profile; })));
  add_cell_options(c, o);
  add_arity_option(c, o);
  add_growth_options(c, o);
  c.add("--hash", "H", o->hash,
        fmt::format("hash of {}: xxh3 (default), xxh64, siphash13; others are fixed",
                    kind_names([](const kind_info& k) { return k.facts.takes_hasher; })));
  add_seed_option(c, o->form, "seed of the hash (default: 0)");
  c.add("--secret-file", "F", o->form.secret_file,
        "secret of siphash13: 16 bytes, or 32 hex digits; it is not stored");
  c.add(
      "--identity", "N",
      [o](const std::string& n) { o->size.identity = whole_number(n, 0); },
      fmt::format(
          "number that its receipts are for, so that filters of one size and hash "
          "refuse each other's: kinds {} (default: 0)",
          kind_names([](const kind_info& k) { return k.can.has(capability::erase); })));
  add_shape_options(c, o->form);
  add_key_type_option(c, o->form);
  const option limit = c.add(
      "--memory-limit", "SIZE",
      [o](const std::string& n) { o->memory_limit = byte_size(n); },
      "memory for keys and filter together; keys beyond that are sorted in temporary "
      "files "
      "(default: no limit, 8 bytes per distinct key)");
  c.add("--temp-dir", "DIR", o->temp_dir,
        "directory of those files (default: $TMPDIR, or else that of OUT)")
      .needs(limit);
  c.add("--threads", "T", o->threads, 1, 1024,
        fmt::format("threads to build with, for {} (default: 1); sorting on disk uses "
                    "them for every kind",
                    kind_names(uses_threads)));
  c.add_flag("--force", o->size.force, "build even if the format cannot reach the rate");
  add_record_options(c, o->format);
  add_empty_option(c, o->format);
  c.add_flag("-q,--quiet", o->quiet, "print only warnings and errors");
  c.footer(
      "The file is the same for any number of threads and any CPU.  Native files hold "
      "checksums,\nand the 8 smallest hashes of the keys (sentinels), by which a reader "
      "checks that file and\nhash match.  Lookups in damaged parts answer \"possibly "
      "present\".  Filters of other systems\nare sized by their own rules; without "
      "--capacity their keys are kept in memory until they\nare counted.\n\n"
      "With --memory-limit, keys that do not fit are sorted in temporary files: 8 bytes "
      "per key read,\nand as much again while they are merged.  The files have no name, "
      "so that nothing is left behind\nwhen the tool is killed.  A directory in memory "
      "(/tmp may be a tmpfs) would defeat the limit.\n\n"
      "Kinds that forget keep recent keys only: those of the last --gap inserts.  A "
      "window "
      "filter finds\nall of them; a stable filter most, in the order of the input, and "
      "its "
      "rate and memory may both\nbe given.  They have no sentinels.\n\n"
      "Kinds that erase keys (see bloomery erase) are built as a set: a key that is in "
      "the "
      "input\nseveral times is in the filter once.  They have no sentinels.\n\n"
      "A scalable filter takes its keys as they come, however many, and is not counted "
      "first:\n--capacity (default: 1000) is what its first level holds.  insert adds "
      "levels when they are\nneeded.\n\n"
      "gzip, zstd and xz data are decompressed.  If the first line ends in CR LF, CR is "
      "removed\nfrom every line; a byte order mark is dropped, and UTF-16 with a mark is "
      "converted to UTF-8,\nwith a notice.  Other input that is not lines of text is "
      "refused, and so is input without\nany key, unless --allow-empty is given.  query, "
      "verify and convert do the same, so that\nthe same file always has the same keys.  "
      "OUT must not be one of the input files.  An OUT that\nexists keeps its owner, "
      "group and mode as far as the system allows.\n\n"
      "Examples:\n"
      "  bloomery build keys.txt -o keys.bloom\n"
      "  find . -print0 | bloomery build -0 --fpr 0.001 -o files.bloom\n"
      "  bloomery build --capacity 5M --threads 4 -o big.bloom < keys.txt\n"
      "  bloomery build blocked.txt --kind static --fpr 0.1% -o blocked.bloom\n"
      "  stream | bloomery build --kind scalable --growth 100x -o seen.bloom\n"
      "  bloomery build huge.txt --memory-limit 2G --temp-dir /var/tmp -o huge.bloom\n"
      "  bloomery build passwords.txt.gz -d : -F 1 -o breached.bloom\n"
      "  bloomery build users.csv --csv -F email -o users.bloom\n"
      "  (umask 077; head -c 16 /dev/urandom > secret)\n"
      "  bloomery build keys.txt --hash siphash13 --secret-file secret -o keyed.bloom\n"
      "  bloomery build keys.txt --dialect portable -o shared.bloom\n"
      "  bloomery build ids.txt --dialect atomicbloom --key-type u64 -o ids.bin");
  c.run([o] { return build(*o); });
}

}  // namespace bloomery::cli
