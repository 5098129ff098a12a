// Runs a program and kills it at one of its system calls, before the call is done:
//
//   kill_at FILE N PROGRAM ARG...    kill -9 at the Nth call from the first open of FILE
//   on kill_at FILE 0 PROGRAM ARG...    never; the number of those calls on standard
//   error
//
// Exit status: 137 if it was killed, that of the program if it ended before.  The calls
// of all threads count, in the order in which they happen.
#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

// The text at an address of the program, as far as its page.
std::string text_at(pid_t thread, std::uint64_t address) {
  char text[4096];
  const std::size_t most = sizeof text - address % sizeof text;
  iovec here{text, most};
  iovec there{reinterpret_cast<void*>(address), most};  // NOLINT: an address of another
  const ssize_t got = ::process_vm_readv(thread, &here, 1, &there, 1, 0);
  if (got <= 0) return {};
  return {text, ::strnlen(text, static_cast<std::size_t>(got))};
}

bool opens(pid_t thread, const __ptrace_syscall_info& call, const char* file) {
  if (call.entry.nr == SYS_openat) return text_at(thread, call.entry.args[1]) == file;
#ifdef SYS_open
  if (call.entry.nr == SYS_open) return text_at(thread, call.entry.args[0]) == file;
#endif
  return false;
}

int status_of(int ended) {
  return WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
}

int trace(pid_t program, const char* file, unsigned long at) {
  int state = 0;
  if (::waitpid(program, &state, 0) != program || !WIFSTOPPED(state)) return 126;
  constexpr long options =
      PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL;
  ::ptrace(PTRACE_SETOPTIONS, program, nullptr, options);
  ::ptrace(PTRACE_SYSCALL, program, nullptr, 0);
  bool counts = false;
  unsigned long calls = 0;
  for (;;) {
    const pid_t thread = ::waitpid(-1, &state, __WALL);
    if (thread < 0) return 126;
    if (!WIFSTOPPED(state)) {
      if (thread != program) continue;
      if (at == 0) std::fprintf(stderr, "%lu\n", calls);
      return status_of(state);
    }
    long signal = WSTOPSIG(state);
    if (signal == (SIGTRAP | 0x80)) {
      signal = 0;
      __ptrace_syscall_info call{};
      if (::ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof call, &call) > 0 &&
          call.op == PTRACE_SYSCALL_INFO_ENTRY) {
        counts = counts || opens(thread, call, file);
        calls += counts;
        if (counts && calls == at) ::kill(program, SIGKILL);
      }
    } else if (signal == SIGTRAP || signal == SIGSTOP) {
      signal = 0;  // of a new thread
    }
    ::ptrace(PTRACE_SYSCALL, thread, nullptr, signal);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const pid_t program = ::fork();
  if (program < 0) return 126;
  if (program == 0) {
    if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(125);
    ::execv(argv[3], argv + 3);
    ::_exit(127);
  }
  return trace(program, argv[1], std::strtoul(argv[2], nullptr, 10));
}
