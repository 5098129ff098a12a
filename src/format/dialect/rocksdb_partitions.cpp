#include "format/dialect/rocksdb_partitions.hpp"

#include <algorithm>

namespace bloomery::format {
namespace {

constexpr std::uint64_t sequence_bytes = 8;

// Compares a key with those of entries that follow one another.  None of these is ever
// put together: what is kept is the number of bytes in which the last one agrees.
class comparison {
 public:
  comparison(std::string_view key, bool with_sequence) noexcept
      : key_(key), behind_(with_sequence ? sequence_bytes : 0) {}

  // Whether the entry's key is smaller (-1), the same (0) or larger (1).
  int operator()(const rocksdb_partitions::walk& e) noexcept {
    const std::uint64_t length = e.shared() + e.rest().size();
    if (e.shared() <= common_) {
      const std::uint64_t most =
          std::min<std::uint64_t>(e.rest().size(), key_.size() - e.shared());
      std::uint64_t i = 0;
      while (i < most && byte(e, i) == letter(e.shared() + i)) ++i;
      common_ = e.shared() + i;
      if (common_ < length && common_ < key_.size())
        differs_ = byte(e, i) < letter(common_) ? -1 : 1;
    }
    const std::uint64_t own = length < behind_ ? 0 : length - behind_;
    if (common_ < own && common_ < key_.size()) return differs_;
    return own < key_.size() ? -1 : own > key_.size() ? 1 : 0;
  }

 private:
  static unsigned byte(const rocksdb_partitions::walk& e, std::uint64_t i) noexcept {
    return static_cast<unsigned>(e.rest()[i]);
  }
  unsigned letter(std::uint64_t i) const noexcept {
    return static_cast<unsigned char>(key_[i]);
  }

  std::string_view key_;
  std::uint64_t behind_;
  std::uint64_t common_ = 0;
  int differs_ = 0;
};

}  // namespace

bool rocksdb_partitions::walk::next() noexcept {
  if (in_.left() == 0 || broken_) return false;
  shared_ = read_varint(in_);
  const std::uint64_t more = read_varint(in_);
  const std::uint64_t size = form_.sizes_are_deltas ? 0 : read_varint(in_);
  rest_ = in_.take(static_cast<std::size_t>(more));
  if (!in_.ok() || shared_ > length_) return failed();
  length_ = shared_ + more;
  if (form_.keys_have_sequence && length_ < sequence_bytes) return failed();
  if (!form_.sizes_are_deltas) {
    base::byte_reader value(in_.take(static_cast<std::size_t>(size)));
    place_ = read_place(value);
    return value.ok() && in_.ok() ? true : failed();
  }
  if (shared_ == 0) {
    place_ = read_place(in_);
  } else {
    const std::uint64_t zigzag = read_varint(in_);
    place_.at += place_.size + block_trailer;
    place_.size += zigzag >> 1 ^ (0 - (zigzag & 1));
  }
  return in_.ok() ? true : failed();
}

std::uint64_t rocksdb_partitions::restart(std::uint64_t r) const noexcept {
  base::byte_reader in(block_.subspan(all_.bytes.size() + 4 * r, 4));
  return in.read<std::uint32_t>();
}

rocksdb_partitions::walk rocksdb_partitions::from_restart(
    std::uint64_t r) const noexcept {
  const std::uint64_t at = std::min<std::uint64_t>(restart(r), all_.bytes.size());
  return {all_.bytes.subspan(static_cast<std::size_t>(at)), form_};
}

std::uint64_t rocksdb_partitions::step_of(std::uint64_t count) const noexcept {
  if (all_.restarts == 0) return 0;
  std::uint64_t step = std::max<std::uint64_t>(count, 1), i = 0, r = 0;
  walk all = entries();
  for (std::size_t at = 0; r <= all_.restarts && !all.ended(); ++i, at = all.offset()) {
    const bool is_restart = r < all_.restarts && restart(r) == at;
    if (!all.next()) return 0;
    if (!is_restart) continue;
    if (all.shared() != 0) return 0;
    if (r == 1) step = i;
    if (r > 1 && i != r * step) return 0;
    ++r;
  }
  const bool every_one = r == all_.restarts || (count == 0 && all_.restarts == 1);
  return every_one && (count + step - 1) / step == (count == 0 ? 0 : all_.restarts) ? step
                                                                                    : 0;
}

rocksdb_partitions::entry rocksdb_partitions::at(std::uint64_t i) const noexcept {
  entry e;
  if (i / form_.step >= all_.restarts) return e;
  walk some = from_restart(i / form_.step);
  for (std::uint64_t j = 0; j <= i % form_.step; ++j) {
    if (!some.next()) return e;
    for (std::uint64_t k = 0; k < some.rest().size() && some.shared() + k < e.key.size();
         ++k)
      e.key[some.shared() + k] = static_cast<char>(some.rest()[k]);
    e.key_length = some.shared() + some.rest().size();
  }
  if (form_.keys_have_sequence) e.key_length -= sequence_bytes;
  e.place = some.place();
  e.ok = true;
  return e;
}

rocksdb_partitions::found rocksdb_partitions::find(std::string_view key) const noexcept {
  // Whether the partition of this key ends before the one that is looked for.
  const auto is_before = [&](int smaller_same_or_larger) {
    return form_.order == form::descending ? smaller_same_or_larger > 0
                                           : smaller_same_or_larger < 0;
  };
  // The last restart that is before it; the first if none is.
  std::uint64_t low = 0, high = all_.restarts;
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    walk one = from_restart(middle);
    if (!one.next()) return {};
    comparison with(key, form_.keys_have_sequence);
    (is_before(with(one)) ? low : high) = middle;
  }
  found f;
  if (all_.restarts == 0) return f;
  comparison with(key, form_.keys_have_sequence);
  walk some = from_restart(low);
  while (some.next()) {
    f = {some.place(), true};
    if (!is_before(with(some))) return f;
  }
  return some.broken() ? found{} : f;
}

}  // namespace bloomery::format
