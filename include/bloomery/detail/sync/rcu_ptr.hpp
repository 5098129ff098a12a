// One pointer that any number of threads read through while another replaces it.
//
//   rcu_ptr<table> now;                       the writer: delete now.replace(next);
//   auto r = now.read();  r->lookup(k);         a reader, never stopped
//
// What a reader got stays whole until it lets go; see rcu_domain.hpp.
#pragma once

#include <utility>

#include <bloomery/detail/sync/platform.hpp>
#include <bloomery/detail/sync/rcu_domain.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

template <class T, class Extra, class Platform = this_platform>
class rcu_ptr {
 public:
  using slots = rcu_domain<Extra, Platform>;

  // What was published when it was made.  Belongs to the thread that made it, as a pin.
  class reading {
   public:
    explicit reading(const rcu_ptr& p) noexcept
        : pin_(p.slots_), value_(p.value_.load(slots::load_order)) {}

    T& operator*() const noexcept { return *value_; }
    T* operator->() const noexcept { return value_; }
    Extra& extra() const noexcept { return pin_.extra(); }
    bool is_shared() const noexcept { return pin_.is_shared(); }

   private:
    typename slots::pin pin_;  // before the load
    T* value_;
  };

  // Errors: out_of_memory.
  static result<rcu_ptr> make(T* first, unsigned threads) noexcept {
    auto made = slots::make(threads);
    if (!made) return made.error();
    return rcu_ptr(first, *std::move(made));
  }
  // REQUIRES: nobody reads
  rcu_ptr(rcu_ptr&& other) noexcept
      : value_(other.value_.load(std::memory_order_relaxed)),
        slots_(std::move(other.slots_)) {}

  reading read() const noexcept { return reading(*this); }

  // For the thread that replaces: no other may meanwhile.
  T* current() const noexcept { return value_.load(std::memory_order_relaxed); }

  // Everyone who reads from now on finds `next`; returns what nobody reads any more.
  // REQUIRES: this thread reads nothing, or it waits for itself; no other replaces
  T* replace(T* next) noexcept {
    T* const old = value_.exchange(next, slots::replace_order);
    slots_.synchronize();
    return old;
  }

  const slots& readers() const noexcept { return slots_; }

 private:
  rcu_ptr(T* first, slots s) noexcept : value_(first), slots_(std::move(s)) {}

  typename Platform::template atomic<T*> value_;
  slots slots_;
};

}  // namespace bloomery::inline v1
