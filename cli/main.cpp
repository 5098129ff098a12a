// bloomery: build, query and examine approximate-membership filters.
#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <csignal>
#include <cstdio>
#include <iostream>
#include <memory>
#include <new>

#include <bloomery/hasher.hpp>
#include <bloomery/version.hpp>

#include "command/command.hpp"
#include "command/help.hpp"
#include "command/raw_arguments.hpp"

namespace bloomery::cli {

void say(const std::string& text) { std::fputs(text.c_str(), stderr); }
void warn(const std::string& message) { say("bloomery: warning: " + message + "\n"); }
void note(const std::string& message) { say("bloomery: " + message + "\n"); }

namespace {

void add_commands(CLI::App& app, action& run) {
  app.set_version_flag("--version", BLOOMERY_VERSION_STRING);
  app.require_subcommand(1);
  app.formatter(std::make_shared<plain_help>());
  app.footer(
      "Ends like grep: 0 yes, 1 no, 2 error.\n\n"
      "Examples:\n"
      "  seq -f 'user%.0f' 1 1000000 | bloomery build -o users.bloom\n"
      "  bloomery query users.bloom user42 nobody\n"
      "  bloomery info users.bloom\n\n"
      "'bloomery COMMAND --help' explains one command.");
  add_build(app, run);
  add_query(app, run);
  add_info(app, run);
  add_verify(app, run);
  add_merge(app, run);
  add_convert(app, run);
  add_formats(app, run);
  add_bench(app, run);
  add_completion(app, run);
  add_man(app, run);
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
    take_literally(*command);
}

// Help and version are answers; everything else is a usage error, told on one line.
exit_status end_of_parse(const CLI::App& app, const std::string& first,
                         const CLI::ParseError& e) {
  if (e.get_exit_code() == 0) {
    app.exit(e);
    std::cout.flush();
    return std::cout ? yes : trouble;
  }
  std::string command = "bloomery";
  for (const CLI::App* sub : app.get_subcommands()) command += " " + sub->get_name();
  std::string what = e.what();
  if (app.get_subcommands().empty() && !first.empty() && first.front() != '-')
    what = fmt::format("there is no command '{}'", first);
  for (char& c : what)
    if (c == '\n') c = ' ';
  say(fmt::format("{}: {}; see '{} --help'\n", command, what, command));
  return trouble;
}

exit_status run_tool(int argc, char** argv) {
  // A tool whose hashes are wrong must not touch a stored filter.
  if (const auto healthy = check_hashes(); !healthy)
    throw failure(
        fmt::format("{} failed: this build or machine cannot be trusted; "
                    "rebuild the tool",
                    healthy.error().what));
  CLI::App app(
      "Approximate-membership filters: build, ask, examine, verify, merge, convert.",
      "bloomery");
  action run;
  add_commands(app, run);
  try {
    app.parse(literal_arguments(argc, argv));
  } catch (const CLI::ParseError& e) {
    return end_of_parse(app, argc > 1 ? argv[1] : "", e);
  }
  return run();
}

}  // namespace
}  // namespace bloomery::cli

// A mapped file that is cut short takes its pages along.  Nothing but this is safe here.
extern "C" void file_was_cut(int) {
  constexpr char text[] = "bloomery: a file became shorter while it was read\n";
  [[maybe_unused]] const auto n = ::write(STDERR_FILENO, text, sizeof text - 1);
  ::_exit(2);
}

int main(int argc, char** argv) {
  using namespace bloomery::cli;
  // A file that may not grow is an error to report, not a reason to die.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGBUS, file_was_cut);
  try {
    return run_tool(argc, argv);
  } catch (const failure& f) {
    note(f.what());
  } catch (const std::bad_alloc&) {
    note(
        "out of memory; counting distinct keys takes 8 bytes each, which --capacity "
        "saves");
  } catch (const std::exception& e) {
    note(e.what());
  }
  return trouble;
}
