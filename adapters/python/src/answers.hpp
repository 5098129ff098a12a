// The answers of a batch: one bool per key, null where the key was.
//
// In Python it is a buffer of bools (NumPy takes it as it is) and an Arrow boolean array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "column.hpp"
#include "python.hpp"

namespace bloomery::py {

class answers {
 public:
  // Room for those of one more column, false each; notes which of its elements are null.
  bool* extend(const column& c) {
    const std::size_t first = size();
    yes_.resize(first + c.size());
    if (c.has_nulls() && valid_.empty()) valid_.resize(first, 1);
    if (c.has_nulls() || !valid_.empty()) valid_.resize(size(), 1);
    if (c.has_nulls()) c.valid(0, std::span(bools(valid_) + first, c.size()));
    return bools(yes_) + first;
  }
  std::size_t size() const noexcept { return yes_.size(); }
  bool operator[](std::size_t i) const noexcept { return yes_[i] != 0; }
  bool is_null(std::size_t i) const noexcept { return !valid_.empty() && valid_[i] == 0; }
  bool has_nulls() const noexcept { return !valid_.empty(); }
  void* data() noexcept { return yes_.data(); }

 private:
  static_assert(sizeof(bool) == 1);
  static bool* bools(std::vector<unsigned char>& v) noexcept {
    return reinterpret_cast<bool*>(v.data());
  }
  std::vector<unsigned char> yes_, valid_;
};

// As a NumPy array, in which nulls are False; without NumPy, as it is.
nb::object as_array(answers&& a);

// The 64-bit hashes of a batch, of nulls too: a buffer.
struct hash_list {
  std::vector<std::uint64_t> all;
};
// As a NumPy array of uint64; without NumPy, as it is.
nb::object hash_all(const hasher& h, nb::handle keys);
// number(key) of each, likewise.
nb::object hash_all(const hasher& h, nb::handle keys,
                    const std::function<std::uint64_t(key)>& number);

void bind_answers(nb::module_& m);

}  // namespace bloomery::py
