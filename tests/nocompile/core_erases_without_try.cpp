// Receipts are issued by inserts: a core that erases has those.
#include <span>

#include <bloomery/detail/filter/filter_of.hpp>

class my_filter : public bloomery::filter_of<my_filter> {
 public:
  std::uint64_t receipt_scope() const noexcept { return 1; }
  std::uint64_t identity() const noexcept { return 1; }
  bloomery::result<void> ensure_identity() noexcept { return {}; }

 private:
  friend filter_of<my_filter>;
  friend bloomery::core_parts;
  using keys = std::span<const bloomery::key>;
  bool find(bloomery::key) const noexcept { return true; }
  void find_each(keys, std::span<bool>) const noexcept {}
  bloomery::result<void> remove(bloomery::key) noexcept { return {}; }
  bloomery::result<std::size_t> remove_each(keys, std::span<bool>) noexcept { return 0u; }
#ifndef BLOOMERY_NOCOMPILE
  bloomery::result<void> try_add(bloomery::key) noexcept { return {}; }
  std::size_t try_add_each(keys) noexcept { return 0; }
#endif
  bloomery::hasher hasher_ = bloomery::hasher::xxh3();
};

bool put() { return my_filter().may_contain("key"); }
