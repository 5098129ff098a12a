// bloomery: build, query and examine approximate-membership filters.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <new>
#include <string>

#include <bloomery/hasher.hpp>
#include <bloomery/version.hpp>

#include "command/commands.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

void add_commands(command_line& tool) {
  add_build(tool);
  add_insert(tool);
  add_erase(tool);
  add_query(tool);
  add_dedup(tool);
  add_info(tool);
  add_list(tool);
  add_verify(tool);
  add_merge(tool);
  add_convert(tool);
  add_kinds(tool);
  add_formats(tool);
  add_bench(tool);
  add_completion(tool);
  add_man(tool);
  add_help(tool);
  add_version(tool);
}

// A file must not be opened as a standard stream that was closed: a filter would be read
// as keys.  Writing to a stand-in is an error, as it was.
void open_standard_streams() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (::fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
    if (::open("/dev/null", O_RDONLY) != fd) throw failure("cannot open /dev/null");
  }
}

exit_status run_tool(int argc, char** argv) {
  open_standard_streams();
  // A tool whose hashes are wrong must not touch a stored filter.
  if (const auto healthy = check_hashes(); !healthy)
    throw failure(std::string(healthy.error().what) +
                  " failed: this build or machine cannot be trusted; rebuild the tool");
  command_line tool(
      "bloomery",
      "Approximate-membership filters: build, query, examine, verify, merge, convert.",
      BLOOMERY_VERSION_STRING,
      "Exit status, as grep's: 0 yes, 1 no, 2 error.\n\n"
      "Examples:\n"
      "  seq -f 'user%.0f' 1 1000000 | bloomery build -o users.bloom\n"
      "  bloomery query users.bloom user42 nobody\n"
      "  bloomery info users.bloom\n\n"
      "'bloomery COMMAND --help' explains one command.");
  add_commands(tool);
  return tool.run(argc, argv);
}

}  // namespace
}  // namespace bloomery::cli

// A mapped file that is cut short takes its pages along.  Nothing but this is safe here.
extern "C" void file_was_cut(int) {
  constexpr char text[] = "bloomery: a file was truncated while it was read\n";
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
