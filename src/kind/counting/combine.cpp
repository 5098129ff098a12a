// Counting filters as wholes: copies, unions, and the filters of bits that they become.
#include <bloomery/counting_bloom.hpp>

#include <cstring>

namespace bloomery::inline v1 {
namespace {

error is_damaged_filter() noexcept {
  return {errc::corrupt, "a damaged counting filter can be queried only"};
}

std::uint64_t words_of(const counting_shape& s) noexcept {
  return (s.size_in_bytes() + 7) / 8;
}

// One bit for each cell, LSB-first: the same in both layouts, because lane j of a block
// is its cells 16j .. 16j + 15.  REQUIRES: `to` is zero, and has a bit for each
template <class Words>
void bits_from_cells(std::span<std::byte> to, const std::byte* data,
                     std::uint64_t cells) noexcept {
  for (std::uint64_t w = 0; w * Words::per_word < cells; ++w) {
    const std::uint64_t bits =
        Words::bits_of(cell_probe::word_of(Words{}, data, w, cells));
    for (unsigned i = 0; i < Words::per_word; i += 8) {
      const std::uint64_t at = w * Words::per_word + i;
      if (at / 8 >= to.size()) return;  // after the last cell
      to[static_cast<std::size_t>(at / 8)] |=
          static_cast<std::byte>(bits >> i << (at % 8) & 0xff);
    }
  }
}

}  // namespace

void counting_bloom::clear() noexcept {
  receipts_ = {};  // those issued before are for keys that are gone
  std::memset(store_.data(), 0, store_.size());
  damage_ = {};
  find_lines();
}

result<void> counting_bloom::merge(const counting_bloom& other) noexcept {
  if (shape_ != other.shape_)
    return error{errc::incompatible,
                 "the filters differ in layout, cells, width of cells or hashes"};
  if (!(hasher_ == other.hasher_))
    return error{errc::incompatible, "the filters differ in hash, seed or secret"};
  if (!damage_.empty() || !other.damage_.empty()) return is_damaged_filter();
  cell_probe::with_width(shape_.cell_bits, [&]<class Words>(Words) noexcept {
    for (std::uint64_t w = 0; w < words_of(shape_); ++w) {
      std::byte* const p = store_.data() + 8 * w;
      const std::uint64_t sum =
          Words::sum(words::load_le<std::uint64_t>(p),
                     words::load_le<std::uint64_t>(other.store_.data() + 8 * w));
      words::store(p, words::as_little_endian(sum));
    }
  });
  return {};
}

result<bloom> counting_bloom::to_bloom() const noexcept {
  if (shape_.is_line())
    return error{errc::unsupported, "a filter of lines becomes a block_bloom"};
  if (!damage_.empty()) return is_damaged_filter();
  auto made = bloom::make(bloom_layout{shape_.cells, shape_.hashes}, keys_, hasher_);
  if (made) write_bits(made->store_.bytes());
  return made;
}

result<block_bloom> counting_bloom::to_block_bloom() const noexcept {
  if (!shape_.is_line()) return error{errc::unsupported, "a flat filter becomes a bloom"};
  if (!damage_.empty()) return is_damaged_filter();
  auto made = block_bloom::make(shape_.published(), keys_, hasher_);
  if (made) write_bits(made->writable());
  return made;
}

result<std::variant<bloom, block_bloom>> counting_bloom::published() const noexcept {
  using either = std::variant<bloom, block_bloom>;
  if (shape_.is_line()) {
    auto made = to_block_bloom();
    return made ? result<either>(*std::move(made)) : made.error();
  }
  auto made = to_bloom();
  return made ? result<either>(*std::move(made)) : made.error();
}

void counting_bloom::write_bits(std::span<std::byte> to) const noexcept {
  cell_probe::with_width(shape_.cell_bits, [&]<class Words>(Words) noexcept {
    bits_from_cells<Words>(to, store_.data(), shape_.cells);
  });
}

counting_bloom counting_bloom::with_store(pages store) const noexcept {
  return {shape_, keys_, hasher_, identity(), std::move(store)};
}

}  // namespace bloomery::inline v1
