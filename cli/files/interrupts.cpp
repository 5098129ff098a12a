#include "files/interrupts.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdlib>

namespace bloomery::cli {
namespace {

constexpr std::array deferred{SIGINT, SIGTERM, SIGHUP};
constexpr unsigned patience = 5;  // seconds

std::array<struct sigaction, deferred.size()> old_actions;
volatile std::sig_atomic_t pending = 0;

extern "C" void defer_interrupt(int signal) { pending = signal; }

volatile std::sig_atomic_t noted = 0;

// Made in advance, in one of two places: a handler of signals may write, and do little
// else.
std::array<std::string, 2> messages;
std::atomic<const std::string*> last_words = nullptr;

extern "C" void say_last_words(int signal) {
  if (const std::string* const text = last_words.load())
    (void)!::write(STDERR_FILENO, text->data(), text->size());
  const int reason = signal == SIGALRM ? noted : signal;
  std::signal(reason, SIG_DFL);
  std::raise(reason);
}

extern "C" void note_interrupt(int signal) {
  if (noted != 0) return say_last_words(signal);
  noted = signal;
  ::alarm(patience);
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
    handle(deferred[i], defer_interrupt, &old_actions[i]);
}

deferred_interrupts::~deferred_interrupts() {
  for (std::size_t i = 0; i < deferred.size(); ++i)
    ::sigaction(deferred[i], &old_actions[i], nullptr);
  if (pending != 0) std::raise(pending);
}

void set_last_words(const std::string& message) {
  std::string& free = messages[last_words.load() == messages.data() ? 1 : 0];
  free = "bloomery: " + message + "\n";
  last_words = &free;
}

void note_interrupts(const std::string& message) {
  set_last_words(message);
  for (const int signal : deferred) handle(signal, note_interrupt, nullptr);
  for (const int signal : {SIGPIPE, SIGALRM}) handle(signal, say_last_words, nullptr);
}

int interrupt() {
  if (noted != 0) ::alarm(0);
  return noted;
}

void end_by_interrupt() {
  std::signal(noted, SIG_DFL);
  std::raise(noted);
  std::_Exit(128 + noted);
}

}  // namespace bloomery::cli
