// bloomery build -- make a filter from keys.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include <bloomery/kinds.hpp>

#include "command/commands.hpp"
#include "command/kind_options.hpp"
#include "command/shared_options.hpp"
#include "files/build_filter.hpp"
#include "files/build_foreign.hpp"
#include "files/build_with_receipts.hpp"
#include "files/dialects.hpp"
#include "files/filter_output.hpp"
#include "files/forgetting.hpp"
#include "files/interrupts.hpp"
#include "files/receipt_file.hpp"
#include "files/source.hpp"
#include "files/written_report.hpp"
#include "sizes/kind_choice.hpp"
#include "sizes/make_sized.hpp"
#include "sizes/overfull.hpp"
#include "sizes/static_choice.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"
#include "text/numbers.hpp"

namespace bloomery::cli {
namespace {

// The kind whose bare bytes a dialect is.
const kind_info& kind_with_form(std::string_view form) {
  for (const kind_info& k : kinds())
    if (k.bare != nullptr && form == k.bare->name) return k;
  throw failure(fmt::format("--dialect {}: no kind has this form", form));
}

// --dialect decides the bytes, --kind the filter in them.
const kind_info& kind_of(const build_options& o, const dialect& how) {
  const kind_info& named = o.kind == static_kind ? any_static_kind() : kind_named(o.kind);
  if (o.fast && o.kind != static_kind)
    throw failure("--fast: only --kind static has a choice of kinds");
  if (how.of == family::container) return named;
  const kind_info& bare = kind_with_form(how.facts.name);
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
  if (o.size.fpr && o.size.memory && !what.facts.rate_beside_size)
    throw usage_error("--memory excludes --fpr");
}

constexpr const char* name_receipts = "name another file with --receipts";

// A receipt without its key could delete another: they come second.
void write(const built_filter& b, const dialect& how, const build_options& o,
           receipt_writer* receipts) {
  const deferred_interrupts both_or_none;
  if (receipts != nullptr) receipts->reserve();
  if (how.of == family::container)
    write_container(b.filter, b.notes(), o.out, o.quiet);
  else
    write_bare(b.filter, o.out);
  if (receipts != nullptr) receipts->write();
}

void report(const built_filter& b, const kind_info& what, const build_options& o) {
  if (what.facts.grows) {
    note(fmt::format(
        "{}: {} filter, {}, {}, realised rate {}, expected rate {} with {} keys", o.out,
        b.filter.kind(), about_keys(b.filter.estimated_keys()),
        size(b.filter.size_in_bytes()), rate(b.filter.realised_fpr()),
        rate(b.filter.design_fpr()), grouped(b.filter.design_keys())));
    return;
  }
  note_forgetting(o.out, b.filter, o.quiet);
  // What is only built has no room for more.
  const bool is_static = what.can.has(capability::build);
  const std::uint64_t keys_for = o.capacity && !is_static ? b.filter.capacity() : b.keys;
  note(fmt::format("{}: {} filter {} {} key{}, {}, expected rate {}", o.out,
                   b.filter.kind(), is_static ? "of" : "for", grouped(keys_for),
                   keys_for == 1 ? "" : "s", size(b.filter.size_in_bytes()),
                   rate(b.filter.design_fpr())));
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

  check_receipts(what, o);
  std::optional<receipt_writer> receipts;
  if (!o.receipts.empty()) {
    receipts.emplace(o.receipts, o.format.terminator());
    receipts->check_new();
    // Both may be new, and of one name: it is there now.
    check_not_used(o.out, {{o.receipts, "the receipts of its keys"}}, name_receipts);
  }

  built_filter b = receipts ? build_with_receipts(what, hash, o, *receipts)
                            : build_filter(what, hash, o);
  if (o.capacity && !what.facts.grows && !what.facts.forgets)
    warn_if_overfull(b.filter, "raise --capacity or leave it out");
  write(b, how, o, receipts ? &*receipts : nullptr);
  if (o.as_json && how.of == family::container)
    return print_container_report(o.out, o.form.secret_file);
  if (o.as_json) return print_bare_report(o.out, how, std::move(b.filter));
  if (o.quiet) return;
  report(b, what, o);
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
  if (!o.receipts.empty())
    throw failure(fmt::format("--receipts: a {} filter issues none: leave --dialect out",
                              how.facts.name));
  foreign_filter filter = build_foreign(how, o);
  write_bare(filter, o.out);
  if (o.as_json) return print_bare_report(o.out, how, std::move(filter));
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
  check_replaceable(o.out, how.of == family::foreign, o.size.force);
  check_report_output(o.out, o.as_json);
  if (!o.receipts.empty()) {
    check_not_used(o.receipts, used_files(o.files, o.form.secret_file), name_receipts);
    check_not_used(o.receipts, {{o.out, "the filter"}}, name_receipts);
  }
  check_seed(o.form, how.facts);
  if (how.of == family::foreign) {
    build_other(o, how);
  } else {
    build_native(o, how);
  }
  return yes;
}

void add_gap_option(command& c, const std::shared_ptr<build_options>& o,
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
  add_gap_option(c, o, capacity);
  std::vector<std::string> kinds = names_of_kinds([](const kind_info&) { return true; });
  kinds.emplace_back(static_kind);
  c.add("--kind", "KIND", o->kind,
        fmt::format("which filter: {} (default: the first); static: the smallest of {}",
                    kind_names(), kind_names([](const kind_info& k) {
                      return k.can.has(capability::build);
                    })))
      .offers(std::move(kinds));
  c.add_flag("--fast", o->fast, "of --kind static: rather fast lookups than small size");
  c.add("--dialect", "D", o->form.dialect,
        "format to write: native (default), portable, or another system's: see bloomery "
        "formats")
      .offers(names_of_dialects());
  add_kind_options(c, o->size, [](const kind_info&) { return true; });
  c.add("--hash", "H", o->hash,
        fmt::format("hash of {}: xxh3 (default), xxh64, siphash13; others are fixed",
                    kind_names([](const kind_info& k) { return k.facts.any_hasher; })))
      .offers(names_of_hashes());
  add_seed_option(c, o->form, "seed of the hash (default: 0)");
  c.add("--secret-file", "F", o->form.secret_file,
        "secret of siphash13: 16 bytes, or 32 hex digits; it is not stored");
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
                    kind_names([](const kind_info& k) { return k.builds_by_threads; })));
  c.add_flag("--force", o->size.force,
             "build even if the format cannot reach the rate, or if OUT is no filter");
  add_record_options(c, o->format);
  add_empty_option(c, o->format);
  c.add("--receipts", "FILE", o->receipts,
        fmt::format(
            "write a receipt of each key to this new file, for erase: kinds {}",
            kind_names([](const kind_info& k) { return k.can.has(capability::erase); })));
  c.add_flag("--json", o->as_json, "report as info --json does");
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
      "input\nseveral times is in the filter once.  They have no sentinels.  --receipts "
      "writes a receipt of each,\nafter the filter: a run that is killed in between "
      "leaves keys without receipts, never receipts\nwithout keys, and insert "
      "--receipts says so.  The rows of the keys are in memory then.\n\n"
      "A scalable filter takes its keys as they come, however many, and is not counted "
      "first:\n--capacity (default: 1000) is what its first level holds.  insert adds "
      "levels when they are\nneeded.\n\n"
      "gzip, zstd and xz data are decompressed.  If the first line ends in CR LF, CR is "
      "removed\nfrom every line; a byte order mark is dropped, and UTF-16 with a mark is "
      "converted to UTF-8,\nwith a notice.  Other input that is not lines of text is "
      "refused, and so is input without\nany key, unless --allow-empty is given.  query, "
      "verify and convert do the same, so that\nthe same file always has the same keys.  "
      "OUT must not be one of the input files, and an OUT that\nexists and is text, "
      "compressed data or another known kind of file is replaced with --force only.\nAn "
      "OUT that exists keeps its owner, group and mode as far as the system allows.\n\n"
      "Examples:\n"
      "  bloomery build keys.txt -o keys.bloom\n"
      "  find . -print0 | bloomery build -0 --fpr 0.001 -o files.bloom\n"
      "  bloomery build --capacity 5M --threads 4 -o big.bloom < keys.txt\n"
      "  bloomery build blocked.txt --kind static --fpr 0.1% -o blocked.bloom\n"
      "  bloomery build members.txt --kind cuckoo --receipts members.rec -o "
      "members.bloom\n"
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
