// bloomery list -- the fingerprints in a filter that can list them.
#include <fmt/core.h>

#include <exception>
#include <memory>

#include "command/commands.hpp"
#include "command/shared_options.hpp"
#include "files/loaded_filter.hpp"
#include "sizes/kind_choice.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"
#include "text/output.hpp"

namespace bloomery::cli {
namespace {

struct list_options {
  std::string filter;
  read_request from;
  bool as_json = false;
};

// A full disk ends the output; the filter, which is listed by a call that cannot throw,
// goes on to its end.
struct printer {
  output out;
  bool as_json;
  std::exception_ptr met;

  void print(std::uint64_t fingerprint, std::uint64_t count) noexcept {
    if (met) return;
    try {
      out.write(as_json ? fmt::format("{{\"fingerprint\": \"{:016x}\", \"count\": {}}}\n",
                                      fingerprint, count)
                        : fmt::format("{:016x}\t{}\n", fingerprint, count));
    } catch (...) {
      met = std::current_exception();
    }
  }
};

std::string listing_kinds() {
  return kind_names([](const kind_info& k) { return k.can.has(capability::iterate); });
}

exit_status list(const list_options& o) {
  const loaded_filter f = load_filter(o.filter, o.from, "listed");
  const auto* const native = std::get_if<any_filter>(&f.filter);
  if (native == nullptr)
    throw failure(fmt::format(
        "{}: a filter of dialect {} cannot be listed: it has bits, not fingerprints; "
        "build one of --kind {} from its keys",
        f.path, name_of(f), listing_kinds()));
  if (!native->can(capability::iterate))
    throw failure(fmt::format(
        "{}: a {} filter cannot be listed: it does not store one fingerprint per key; "
        "build one of --kind {} from its keys, or see bloomery info for what is in it",
        f.path, native->kind(), listing_kinds()));
  printer to{{}, o.as_json, nullptr};
  const auto listed = native->iterate(
      [](void* context, std::uint64_t fingerprint, std::uint64_t count) {
        static_cast<printer*>(context)->print(fingerprint, count);
      },
      &to);
  if (!listed) throw failure(describe(f.path, listed.error()));
  if (to.met) std::rethrow_exception(to.met);
  to.out.flush();
  return yes;
}

}  // namespace

void add_list(command_line& tool) {
  const auto o = std::make_shared<list_options>();
  command c = tool.add("list", "List the fingerprints in a filter, with their counts");
  c.add("FILTER", "FILTER", o->filter, "the filter; -: standard input").required();
  add_read_options(c, o->from);
  c.add_flag("--json", o->as_json, "one object per line");
  c.footer(fmt::format(
      "Kinds that can list: {}.  One line for each fingerprint, ascending: 16 hex "
      "digits, "
      "a\nTAB, and how many copies are in.  A fingerprint is a number that the key's "
      "hash "
      "determines:\nkeys with the same one cannot be distinguished, and the keys "
      "themselves "
      "are not in the file.\nTwo filters of one size and hash can be compared by their "
      "lists.  A damaged filter is refused.\n\n"
      "Examples:\n"
      "  bloomery list seen.bloom | wc -l\n"
      "  bloomery list seen.bloom | sort -k2,2nr | head\n"
      "  comm -12 <(bloomery list a.bloom | cut -f1) <(bloomery list b.bloom | cut -f1)",
      listing_kinds()));
  c.run([o] { return list(*o); });
}

}  // namespace bloomery::cli
