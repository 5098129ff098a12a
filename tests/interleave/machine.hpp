// What the library's templates over a machine run on here: atomics whose every operation
// is a step of the search, and the fences of four computers.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include <bloomery/detail/sync/fork_watch.hpp>

#include "world.hpp"

namespace interleave {

template <class T>
std::uint64_t to_bits(T v) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t));
  std::uint64_t bits = 0;
  std::memcpy(&bits, &v, sizeof v);
  return bits;
}
template <class T>
T from_bits(std::uint64_t bits) {
  T v;
  std::memcpy(&v, &bits, sizeof v);
  return v;
}

// The part of std::atomic that our protocols use.  A weak compare_exchange does not fail
// without reason.
template <class T>
class atomic {
  using order = std::memory_order;
  static constexpr order sc = std::memory_order_seq_cst;

 public:
  atomic() : atomic(T{}) {}
  atomic(T v, const char* name = std::is_pointer_v<T> ? "pointer" : "word")
      : id_(world::now().add_location(to_bits(v), name, this)) {}
  ~atomic() { world::now().remove_location(id_); }
  atomic(const atomic&) = delete;

  T load(order o = sc) const { return from_bits<T>(world::now().load(id_, o)); }
  void store(T v, order o = sc) { world::now().store(id_, to_bits(v), o); }
  T exchange(T v, order o = sc) {
    return update(o, [v](T) { return v; });
  }
  T fetch_add(T d, order o = sc) {
    return update(o, [d](T old) { return static_cast<T>(old + d); });
  }
  T fetch_sub(T d, order o = sc) {
    return update(o, [d](T old) { return static_cast<T>(old - d); });
  }
  T fetch_or(T m, order o = sc) {
    return update(o, [m](T old) { return static_cast<T>(old | m); });
  }
  T fetch_and(T m, order o = sc) {
    return update(o, [m](T old) { return static_cast<T>(old & m); });
  }
  bool compare_exchange_strong(T& expected, T desired, order won, order lost) {
    std::uint64_t seen = to_bits(expected);
    const bool wins =
        world::now().compare_exchange(id_, seen, to_bits(desired), won, lost);
    expected = from_bits<T>(seen);
    return wins;
  }
  bool compare_exchange_weak(T& expected, T desired, order won, order lost) {
    return compare_exchange_strong(expected, desired, won, lost);
  }

 private:
  template <class Change>
  T update(order o, Change change) {
    return from_bits<T>(world::now().update(id_, o, [change](std::uint64_t old) {
      return to_bits(change(from_bits<T>(old)));
    }));
  }

  unsigned id_;
};

// A variable that is not atomic: two uses of it, one of them a write, must be ordered.
template <class T>
class plain {
 public:
  explicit plain(T v = {}, const char* name = "plain")
      : value_(v), place_(world::now().add_plain(to_bits(v), name, this)) {}
  plain(const plain&) = delete;

  T get() const {
    world::now().read_plain(place_);
    return value_;
  }
  void set(T v) {
    world::now().write_plain(place_, to_bits(v));
    value_ = v;
  }

 private:
  T value_;
  world::place place_;
};

// new and delete of what threads share.  Its destructor runs when the execution is over.
template <class T, class... Args>
T* make(const char* name, Args&&... args) {
  void* const room = world::now().add_object(name, sizeof(T), alignof(T),
                                             [](void* p) { static_cast<T*>(p)->~T(); });
  return new (room) T{std::forward<Args>(args)...};
}
template <class T>
void free(const T* p) {
  world::now().free_object(p);
}

// What must hold here, in a thread or at the end.
inline void require(bool holds, const char* what) { world::now().require(holds, what); }

// Where heavy_fence gets its power.
enum class fences {
  strict,      // from seq_cst operations on both sides: BLOOMERY_STRICT_ATOMICS
  membarrier,  // a system call that fences all threads, here at one moment
  staged,      // the same, thread after thread, others running on meanwhile
  full,        // there is no such call: the light fence is a full one
};

template <fences F>
struct machine {
  template <class T>
  using atomic = interleave::atomic<T>;
  template <class T>
  using plain = interleave::plain<T>;

  static constexpr bool strict = F == fences::strict;
  static constexpr const char* name = F == fences::strict       ? "strict"
                                      : F == fences::membarrier ? "membarrier"
                                      : F == fences::staged     ? "staged"
                                                                : "full fence";

  static void light_fence() noexcept {
    if constexpr (F == fences::full) world::now().fence();
  }
  static void heavy_fence() noexcept {
    if constexpr (F == fences::full) world::now().fence();
    if constexpr (F == fences::membarrier) world::now().fence_of_all();
    if constexpr (F == fences::staged) {
      world::now().fence();
      for (unsigned t = 0; t < world::now().threads(); ++t)
        if (t != world::now().me()) world::now().fence_of(t);
      world::now().fence();
    }
  }
  static bool prepare_fences() noexcept {
    return F == fences::membarrier || F == fences::staged;
  }
  static void light_fence_of_visit() noexcept {}

  // The first time round a loop, what was read before the loop is not told from what it
  // waits for; from then on the thread sleeps until one of the locations changes.
  static void back_off(unsigned n) noexcept {
    if (n == 0)
      world::now().forget_reads();
    else
      world::now().wait();
  }

  static unsigned thread_number() noexcept { return world::now().me(); }
  static std::int32_t thread_number_if_any() noexcept {
    return static_cast<std::int32_t>(world::now().me());
  }
  static constexpr unsigned max_thread_numbers = 8;
  // Threads of a program do not end before it: numbers_test.cpp has a machine on which
  // they do.
  static void hold_number() noexcept {}
  static void release_number() noexcept {}

  // Nobody forks here.
  struct fork_watch {
    using mender = void (*)(fork_watch&, const bloomery::fork_survivor&) noexcept;
    explicit fork_watch(mender) noexcept {}
  };
  struct shared_pins {
    static void enter(const void*) noexcept {}
    static void leave(const void*) noexcept {}
    static unsigned count(const void*) noexcept { return 1; }  // enough to leave
    static bool are_told_apart() noexcept { return true; }
  };
  static bool prepare_for_fork() noexcept { return true; }
};

using strict_machine = machine<fences::strict>;
using membarrier_machine = machine<fences::membarrier>;
using staged_machine = machine<fences::staged>;
using full_fence_machine = machine<fences::full>;

}  // namespace interleave
