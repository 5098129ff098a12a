// Many keys in memory: an Arrow array, a NumPy array, a list that was looked through.
//
// A column gives its elements a group at a time, as texts or as integers, and says which
// are null.  Columns hold no Python objects that a group touches: they are read without
// the GIL.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>

namespace bloomery::py {

inline constexpr std::size_t group_size = 512;  // keys that stay in the L1 cache

class column {
 public:
  enum class sort : unsigned char {
    texts,
    integers,
    nulls,   // there is no key in it
    hashed,  // by the hasher that its keys are for
  };

  virtual ~column() = default;

  std::size_t size() const noexcept { return size_; }
  sort holds() const noexcept { return sort_; }
  bool has_nulls() const noexcept { return has_nulls_; }

  // Elements from `first` on; of a null any text or number.
  // REQUIRES: first + out.size() <= size(); the first for texts, the second for integers
  virtual void texts(std::size_t first, std::span<std::string_view> out) const noexcept;
  virtual void integers(std::size_t first, std::span<std::uint64_t> out) const noexcept;
  // REQUIRES: has_nulls()
  virtual void valid(std::size_t first, std::span<bool> out) const noexcept;

  // Their keys.  REQUIRES: the hasher is of the column's source; out.size() <= group_size
  virtual void keys(const hasher& h, std::size_t first,
                    std::span<key> out) const noexcept;

 protected:
  column(std::size_t size, sort s, bool has_nulls) noexcept
      : size_(size), sort_(s), has_nulls_(has_nulls) {}

 private:
  std::size_t size_;
  sort sort_;
  bool has_nulls_;
};

// use(keys, first, valid) for each group, of the elements that are not null: the group
// begins at `first`; `valid` says of each element whether it is one, and is null where
// all are.  Until it answers false.
template <class Use>
void for_each_group(const column& c, const hasher& h, Use use) {
  std::array<key, group_size> keys;
  std::array<bool, group_size> valid;
  for (std::size_t first = 0; first < c.size(); first += group_size) {
    const std::size_t n = std::min(group_size, c.size() - first);
    const auto group = std::span(keys).first(n);
    c.keys(h, first, group);
    std::size_t kept = n;
    if (c.has_nulls()) {
      c.valid(first, std::span(valid).first(n));
      kept = 0;
      for (std::size_t i = 0; i < n; ++i) {
        keys[kept] = keys[i];
        kept += valid[i];
      }
    }
    if (kept != 0 && !use(std::span<const key>(keys).first(kept), first,
                          kept == n ? nullptr : valid.data()))
      return;
  }
}

// Answers of the keys that are not null, at the places of their keys; those of nulls are
// false.
inline void spread(std::span<const bool> answers, const bool* valid, bool* out) noexcept {
  for (std::size_t i = 0, taken = 0; taken < answers.size(); ++i)
    out[i] = valid[i] && answers[taken++];
}

}  // namespace bloomery::py
