#include "mapped_bytes.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace bloomery::py {

// In a list that a handler of signals may read at any time: places are reused, never
// freed.
struct place {
  std::atomic<std::uintptr_t> begin{0}, end{0};  // empty: unused
  std::atomic<bool> is_cut{false};
  place* next = nullptr;
};

namespace {

std::atomic<place*> places{nullptr};
std::uintptr_t page_bytes = 4096;
struct sigaction previous {};
thread_local volatile sig_atomic_t files_opening = 0;

place* place_of(std::uintptr_t address) noexcept {
  for (place* p = places.load(std::memory_order_acquire); p != nullptr; p = p->next)
    if (address >= p->begin.load(std::memory_order_acquire) &&
        address < p->end.load(std::memory_order_acquire))
      return p;
  return nullptr;
}

// System calls alone: this runs in a handler.
bool put_zeros(std::uintptr_t address) noexcept {
  void* const page = reinterpret_cast<void*>(address / page_bytes * page_bytes);
  return ::mmap(page, page_bytes, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == page;
}

void call_previous(int signal, siginfo_t* info, void* context) noexcept {
  if ((previous.sa_flags & SA_SIGINFO) != 0)
    return previous.sa_sigaction(signal, info, context);
  if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN)
    return previous.sa_handler(signal);
  // The access is repeated, and ends the process as it would have without us.
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  ::sigaction(signal, &usual, nullptr);
  if (info->si_code <= 0) ::raise(signal);
}

extern "C" void on_bus_error(int signal, siginfo_t* info, void* context) {
  if (info->si_code == BUS_ADRERR) {
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    place* const p = place_of(address);
    if ((p != nullptr || files_opening > 0) && put_zeros(address)) {
      if (p != nullptr) p->is_cut.store(true, std::memory_order_release);
      return;
    }
  }
  call_previous(signal, info, context);
}

void install_handler() noexcept {
  struct sigaction now {};
  if (::sigaction(SIGBUS, nullptr, &now) != 0) return;
  if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == on_bus_error) return;
  previous = now;
  page_bytes = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  struct sigaction ours {};
  ours.sa_sigaction = on_bus_error;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigemptyset(&ours.sa_mask);
  ::sigaction(SIGBUS, &ours, nullptr);
}

}  // namespace

mapped_bytes::mapped_bytes(std::span<const std::byte> range) {
  if (range.empty()) return;
  install_handler();
  place* p = places.load();
  while (p != nullptr && p->end.load() != 0) p = p->next;
  if (p == nullptr) {
    p = new place;
    p->next = places.load();
    places.store(p, std::memory_order_release);
  }
  const auto begin = reinterpret_cast<std::uintptr_t>(range.data());
  p->is_cut.store(false);
  p->begin.store(begin, std::memory_order_release);
  p->end.store(begin + range.size(), std::memory_order_release);
  place_ = p;
}

mapped_bytes::~mapped_bytes() {
  if (place_ == nullptr) return;
  place_->end.store(0, std::memory_order_release);
  place_->begin.store(0, std::memory_order_release);
}

bool mapped_bytes::was_cut() const noexcept {
  return place_ != nullptr && place_->is_cut.load(std::memory_order_acquire);
}

opening_file::opening_file() {
  install_handler();
  files_opening = files_opening + 1;
}

opening_file::~opening_file() { files_opening = files_opening - 1; }

}  // namespace bloomery::py
