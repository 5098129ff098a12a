// bloomery verify -- is a filter whole, and does it know its keys?
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "dialects.hpp"
#include "messages.hpp"
#include "output.hpp"
#include "read_ahead.hpp"

namespace bloomery::cli {
namespace {

struct verify_options {
  std::string filter;
  std::vector<std::string> key_files;
  std::string dialect;
  record_format format;
  bool as_json = false;
};

struct findings {
  std::uint64_t checked = 0;
  std::uint64_t missing = 0;
  std::vector<std::string> examples;  // "keys.txt, line 7: alice"
};

constexpr std::size_t most_examples = 10;

findings ask_for_all(const any_filter& filter, const verify_options& o) {
  findings found;
  read_ahead in(o.key_files, o.format, "verifying");
  std::unique_ptr<bool[]> answers;
  std::size_t room = 0;
  while (const record_batch* batch = in.next()) {
    const auto keys = batch->keys();
    if (room < keys.size()) answers = std::make_unique<bool[]>(room = keys.size());
    filter.may_contain(keys, {answers.get(), keys.size()});
    found.checked += keys.size();
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (answers[i]) continue;
      ++found.missing;
      if (found.examples.size() < most_examples)
        found.examples.push_back(
            fmt::format("{}: {}", batch->place(i), printable(keys[i])));
    }
  }
  return found;
}

exit_status verify(const verify_options& o) {
  const opened f = open_filter(o.filter, o.dialect);
  const bool with_keys = !o.key_files.empty();
  const findings found = with_keys ? ask_for_all(f.filter, o) : findings{};
  const bool good = !f.damage && found.missing == 0;

  output out;
  if (o.as_json) {
    nlohmann::ordered_json j;
    j["filter"] = o.filter;
    j["dialect"] = f.how->name;
    j["checksum"] = nullptr;  // no dialect so far has one of the bits
    j["damage"] = f.damage ? nlohmann::ordered_json(*f.damage) : nullptr;
    j["keys_checked"] = found.checked;
    j["keys_missing"] = found.missing;
    j["examples"] = found.examples;
    j["verdict"] = good;
    out.write(j.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
              "\n");
  } else {
    out.write(f.damage ? fmt::format("{}: damaged: {}\n", o.filter, *f.damage)
                       : fmt::format("{}: {} (the {} dialect has {}{})\n", o.filter,
                                     f.how->checked, f.how->name, f.how->unchecked,
                                     with_keys ? "" : "; check its keys with --keys"));
    for (const std::string& example : found.examples)
      out.write(fmt::format("missing: {}\n", example));
    if (with_keys)
      out.write(fmt::format("{}: {} of {} keys found, {} missing\n", o.filter,
                            grouped(found.checked - found.missing),
                            grouped(found.checked), grouped(found.missing)));
  }
  out.flush();
  return good ? yes : no;
}

}  // namespace

void add_verify(CLI::App& app, action& run) {
  const auto o = std::make_shared<verify_options>();
  CLI::App& c =
      *app.add_subcommand("verify", "Check a filter, and that it knows its keys");
  c.add_option("FILTER", o->filter, "the filter to check")
      ->required()
      ->type_name("FILTER");
  c.add_option("--keys", o->key_files, "keys that must all be found; -: standard input")
      ->type_name("KEYFILE");
  c.add_option("--dialect", o->dialect, dialect_help)->type_name("D");
  add_record_options(c, o->format);
  c.add_flag("--json", o->as_json, "for programs");
  c.footer(
      "Ends with 0 if intact, 1 if damaged or a key is missing, 2 if unreadable.\n\n"
      "Examples:\n"
      "  bloomery verify users.bloom --keys users.txt\n"
      "  bloomery verify --dialect portable shared.bloom --keys users.txt --json");
  c.callback([o, &run] { run = [o] { return verify(*o); }; });
}

}  // namespace bloomery::cli
