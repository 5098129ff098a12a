// The rates and sizes of whatever a variant holds, under the names of a filter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>

namespace bloomery::py {

// A file that is mapped: it has a filter, and the facts of its header.
template <class V>
concept mapped_view = requires(const V& v) {
  v.filter();
  v.facts().capacity;
};

// The filter behind a view, with every chunk checked; a filter itself.
template <class F>
const auto& counted(const F& f) noexcept {
  if constexpr (mapped_view<F>)
    return f.filter();
  else
    return f;
}

template <class Variant>
struct visited {
  const Variant& held;

  double fill() const {
    return visit([](const auto& f) { return counted(f).fill(); });
  }
  double estimated_keys() const {
    return visit([](const auto& f) { return counted(f).estimated_keys(); });
  }
  double realised_fpr() const {
    return visit([](const auto& f) { return counted(f).realised_fpr(); });
  }
  double expected_fpr(std::uint64_t keys) const {
    return visit([=](const auto& f) { return counted(f).expected_fpr(keys); });
  }
  std::uint64_t capacity() const {
    return visit([]<class F>(const F& f) {
      if constexpr (mapped_view<F>)
        return f.facts().capacity;
      else
        return f.capacity();
    });
  }
  std::size_t size_in_bytes() const {
    return visit([](const auto& f) { return f.size_in_bytes(); });
  }

 private:
  template <class Use>
  auto visit(Use use) const {
    return std::visit(use, held);
  }
};

}  // namespace bloomery::py
