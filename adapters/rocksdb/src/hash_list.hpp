// The hashed keys of one filter while it is built.  Grows without exceptions: where there
// is no memory it says so, and the filter becomes one that matches everything.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <span>
#include <utility>

#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>

namespace bloomery_rocksdb {

class hash_list {
 public:
  void push(bloomery::key k) noexcept {
    if (count_ == room_ && !grow()) return;
    new (memory_.data() + count_ * sizeof k) bloomery::key(k);
    ++count_;
  }
  void clear() noexcept { count_ = 0, failed_ = false; }

  bool failed() const noexcept { return failed_; }
  std::size_t size() const noexcept { return count_; }
  std::span<const bloomery::key> keys() const noexcept {
    return {reinterpret_cast<const bloomery::key*>(memory_.data()), count_};
  }

 private:
  bool grow() noexcept {
    const std::size_t room = room_ == 0 ? 1024 : 2 * room_;
    auto memory = bloomery::pages::make(room * sizeof(bloomery::key));
    if (!memory) {
      failed_ = true;
      return false;
    }
    if (count_ != 0)
      std::memcpy(memory->data(), memory_.data(), count_ * sizeof(bloomery::key));
    memory_ = *std::move(memory);
    room_ = room;
    return true;
  }

  bloomery::pages memory_;
  std::size_t count_ = 0, room_ = 0;
  bool failed_ = false;
};

}  // namespace bloomery_rocksdb
