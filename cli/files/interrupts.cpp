#include "files/interrupts.hpp"

#include <unistd.h>

#include <array>
#include <csignal>
#include <cstddef>

namespace bloomery::cli {
namespace {

constexpr std::array deferred{SIGINT, SIGTERM, SIGHUP};

std::array<struct sigaction, deferred.size()> old_actions;
volatile std::sig_atomic_t pending = 0;

extern "C" void note_interrupt(int signal) { pending = signal; }

// Made in advance: a handler of signals may write, and do little else.
std::string last_words;

extern "C" void say_last_words(int signal) {
  [[maybe_unused]] const auto n =
      ::write(STDERR_FILENO, last_words.data(), last_words.size());
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// A signal that the caller's shell ignores, as nohup does, stays ignored.
void handle(int signal, void (*handler)(int), struct sigaction* old) {
  struct sigaction now {};
  if (::sigaction(signal, nullptr, &now) != 0) return;
  if (old != nullptr) *old = now;
  if (now.sa_handler == SIG_IGN) return;
  now = {};
  now.sa_handler = handler;
  now.sa_flags = SA_RESTART;
  ::sigemptyset(&now.sa_mask);
  ::sigaction(signal, &now, nullptr);
}

}  // namespace

deferred_interrupts::deferred_interrupts() {
  pending = 0;
  for (std::size_t i = 0; i < deferred.size(); ++i)
    handle(deferred[i], note_interrupt, &old_actions[i]);
}

deferred_interrupts::~deferred_interrupts() {
  for (std::size_t i = 0; i < deferred.size(); ++i)
    ::sigaction(deferred[i], &old_actions[i], nullptr);
  if (pending == 0) return;
  // The file is whole: what would be said of an interrupted run is no longer true.
  std::signal(pending, SIG_DFL);
  std::raise(pending);
}

void note_if_interrupted(const std::string& message) {
  last_words = "bloomery: " + message + "\n";
  for (const int signal : deferred) handle(signal, say_last_words, nullptr);
  handle(SIGPIPE, say_last_words, nullptr);
}

}  // namespace bloomery::cli
