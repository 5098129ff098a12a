// `rcu_ptr` with its two halves apart, over the library's rcu_domain: for variants
// that do something between them.
#pragma once

#include <utility>

#include <bloomery/detail/sync/rcu_domain.hpp>

#include "machine.hpp"

namespace interleave {

template <class T, class Platform>
class split_rcu_ptr {
  struct nothing {};
  using slots = bloomery::rcu_domain<nothing, Platform>;

 public:
  split_rcu_ptr(T* first, unsigned own)
      : slots_(*slots::make(own)), value_(first, "roster of") {}

  class reading {
   public:
    explicit reading(const split_rcu_ptr& p)
        : pin_(p.slots_), value_(p.value_.load(slots::load_order)) {}
    T* operator->() const { return value_; }

   private:
    typename slots::pin pin_;
    T* value_;
  };
  reading read() const { return reading(*this); }

  T* current() const { return value_.load(relaxed_order); }
  T* exchange(T* next) { return value_.exchange(next, slots::replace_order); }
  void wait() const { slots_.synchronize(); }
  T* replace(T* next) {
    T* const old = exchange(next);
    wait();
    return old;
  }

 private:
  static constexpr auto relaxed_order = std::memory_order_relaxed;

  slots slots_;
  atomic<T*> value_;
};

}  // namespace interleave
