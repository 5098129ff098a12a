// The items of a command that adds many.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

#include "binding.hpp"
#include "replies.hpp"
#include "words.hpp"

namespace bloomery::redis {

// Views and answers of so many items lie on the stack.
inline constexpr std::size_t item_group = 256;

// Those that were added, in order: what replicas are told.
class added_items {
 public:
  explicit added_items(std::size_t items) noexcept
      : list_(static_cast<server::string**>(server::Alloc(items * sizeof(void*)))) {}
  ~added_items() { server::Free(list_); }
  added_items(const added_items&) = delete;
  added_items& operator=(const added_items&) = delete;

  void add(server::string* item) noexcept { list_[count_++] = item; }
  server::string** list() const noexcept { return list_; }
  std::size_t count() const noexcept { return count_; }

 private:
  server::string** list_;
  std::size_t count_ = 0;
};

// An array: which of the items are possibly in the filter, null for none.
template <class F>
void reply_found(server::context* ctx, const F* f,
                 std::span<server::string*> items) noexcept {
  server::ReplyWithArray(ctx, static_cast<long>(items.size()));
  std::string_view views[item_group];
  bool found[item_group] = {};
  for (std::size_t at = 0; at < items.size(); at += item_group) {
    const std::size_t n = std::min(item_group, items.size() - at);
    if (f != nullptr) {
      for (std::size_t i = 0; i < n; ++i) views[i] = text_of(items[at + i]);
      f->may_contain({views, n}, {found, n});
    }
    for (std::size_t i = 0; i < n; ++i) reply_bool(ctx, found[i]);
  }
}

inline bool is_in(long long v, long long low, long long high) noexcept {
  return v >= low && v <= high;
}

}  // namespace bloomery::redis
