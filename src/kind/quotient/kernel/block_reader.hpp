// The slots of a quotient filter, the runs of one block of quotients after another, as
// sorted numbers: (quotient - 64 b) << r | value.  Compiled for AVX2 and BMI2.
//
// Slots in use are found without following runs.  Let D(t) be the number of occupied
// quotients up to t, less the ends of runs before slot t: a slot is in use if D(t) > 0.
// PEXT leaves out the others, column by column.
//
// Bytes that no writer wrote give other numbers; nothing is read beyond the payload.
#pragma once

#include "kind/quotient/kernel/bit_matrix.hpp"

#include <bloomery/detail/kind/quotient/words.hpp>

namespace bloomery::kernel {
namespace {

class quotient_block_reader {
 public:
  // The most remainder bits, and the most slots of one block's runs.
  static constexpr unsigned max_remainder_bits = 24;
  static constexpr std::size_t max_slots = 192;

  quotient_block_reader(const quotient_layout& l, const std::byte* data) noexcept
      : layout_(l), words_{data} {
    numbers_.fill(-1);
  }

  // Reads the block of quotients `b`, which is the next one at each call.  False: more
  // slots than `max_slots`, or ends of runs are missing.
  bool read(std::uint64_t b) noexcept {
    size_ = 0;
    has_counts_ = false;
    numbers_[before] = INT32_MAX;
    if (b >= layout_.blocks) return true;
    const std::uint64_t occupieds = words_.word(b * layout_.block_words());
    const auto runs = static_cast<unsigned>(_mm_popcnt_u64(occupieds));
    while (ends_left_ < runs)
      if (block_ == layout_.blocks || !decode(block_++)) return false;
    if (runs == 0) return true;
    ends_left_ -= runs;
    const std::size_t end = end_of_run(runs);
    size_ = end - head_;
    if (size_ > max_slots) return false;
    number(occupieds, runs);
    head_ = end;
    return true;
  }

  // The slots; before them a number below all, behind them one above all.
  const std::int32_t* begin() const noexcept { return numbers_.data() + before; }
  std::size_t size() const noexcept { return size_; }
  // A count of three or more, or what no writer wrote: these are then not sorted.
  bool has_counts() const noexcept { return has_counts_; }

 private:
  static constexpr std::size_t room = 1024, before = 8, step = 8;

  bool decode(std::uint64_t s) noexcept {
    if (n_ + 64 > room && !make_room()) return false;
    const unsigned r = layout_.remainder_bits;
    const std::uint64_t at = s * layout_.block_words();
    const std::uint64_t occupieds = words_.word(at), ends = words_.word(at + 1);
    const std::uint64_t used = slots_in_use(occupieds, ends);
    alignas(32) std::array<std::uint64_t, 32> columns;
    for (unsigned j = 0; j < r; ++j)
      columns[j] = _pext_u64(words_.word(at + 2 + j), used);
    const std::uint64_t is_end = _pext_u64(ends, used);
    columns[r] = is_end;
    for (unsigned j = r + 1; j % 8 != 0; ++j) columns[j] = 0;
    numbers_of(columns.data(), r + 1, slots_.data() + n_);
    // The bits of the ends, behind those that are there.
    const std::size_t word = n_ / 64, shift = n_ % 64;
    ends_[word] = shift == 0 ? is_end : ends_[word] | is_end << shift;
    ends_[word + 1] = shift == 0 ? 0 : is_end >> (64 - shift);
    const auto ended = static_cast<std::uint64_t>(_mm_popcnt_u64(is_end));
    n_ += static_cast<std::size_t>(_mm_popcnt_u64(used));
    ends_left_ += ended;
    pending_ += static_cast<std::uint64_t>(_mm_popcnt_u64(occupieds)) - ended;
    return true;
  }

  bool make_room() noexcept {
    const std::size_t gone = head_ / 64 * 64;
    if (n_ - gone + 64 > room) return false;
    std::memmove(slots_.data(), slots_.data() + gone, (n_ - gone) * sizeof slots_[0]);
    std::memmove(ends_.data(), ends_.data() + gone / 64,
                 ((n_ - gone) / 64 + 1) * sizeof ends_[0]);
    n_ -= gone;
    head_ -= gone;
    return true;
  }

  // A bit as a byte: 0 or -1.
  BLOOMERY_INLINE static __m256i spread(std::uint32_t bits) noexcept {
    const __m256i bytes =
        _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const __m256i bit = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201));
    const __m256i x =
        _mm256_shuffle_epi8(_mm256_set1_epi32(static_cast<int>(bits)), bytes);
    return _mm256_cmpeq_epi8(_mm256_and_si256(x, bit), bit);
  }
  // Sums of the bytes up to each one, in each half by itself.
  BLOOMERY_INLINE static __m256i sums(__m256i x) noexcept {
    x = _mm256_add_epi8(x, _mm256_slli_si256(x, 1));
    x = _mm256_add_epi8(x, _mm256_slli_si256(x, 2));
    x = _mm256_add_epi8(x, _mm256_slli_si256(x, 4));
    return _mm256_add_epi8(x, _mm256_slli_si256(x, 8));
  }

  BLOOMERY_INLINE std::uint64_t slots_in_use(std::uint64_t occupieds,
                                             std::uint64_t ends) const noexcept {
    if (pending_ >= 64) return ~std::uint64_t{0};
    ends <<= 1;
    // D before the slots 0, 16, 32, 48: at most 127, as everywhere.
    const auto d = [&](unsigned below) noexcept {
      return static_cast<char>(
          static_cast<long long>(pending_) +
          static_cast<long long>(_mm_popcnt_u64(_bzhi_u64(occupieds, below))) -
          static_cast<long long>(_mm_popcnt_u64(_bzhi_u64(ends, below))));
    };
    const auto half = [&](unsigned below) noexcept {
      const auto o = static_cast<std::uint32_t>(occupieds >> below);
      const auto e = static_cast<std::uint32_t>(ends >> below);
      const __m256i x = sums(_mm256_sub_epi8(spread(e), spread(o)));
      const __m256i first =
          _mm256_set_m128i(_mm_set1_epi8(d(below + 16)), _mm_set1_epi8(d(below)));
      return static_cast<std::uint32_t>(_mm256_movemask_epi8(
          _mm256_cmpgt_epi8(_mm256_add_epi8(x, first), _mm256_setzero_si256())));
    };
    return half(0) | std::uint64_t{half(32)} << 32;
  }

  // The slot after the n-th end of a run, from the head on.
  BLOOMERY_INLINE std::size_t end_of_run(unsigned n) const noexcept {
    std::size_t i = head_ / 64;
    std::uint64_t w = ends_[i] >> (head_ % 64) << (head_ % 64);
    for (auto here = static_cast<unsigned>(_mm_popcnt_u64(w)); here < n;
         here = static_cast<unsigned>(_mm_popcnt_u64(w))) {
      n -= here;
      w = ends_[++i];
    }
    return 64 * i +
           static_cast<std::size_t>(
               _tzcnt_u64(_pdep_u64(std::uint64_t{1} << (n - 1), w))) +
           1;
  }

  BLOOMERY_INLINE void number(std::uint64_t occupieds, unsigned runs) noexcept {
    const unsigned r = layout_.remainder_bits;
    // Eight at a time: what is too much is overwritten, or not used.
    std::array<std::uint32_t, 64 + 2 * step> quotients;
    for (unsigned i = 0; i < runs + step; i += step)
      for (unsigned j = 0; j < step; ++j) {
        quotients[i + j] = static_cast<std::uint32_t>(_tzcnt_u64(occupieds)) << r;
        occupieds = _blsr_u64(occupieds);
      }
    const std::uint32_t low = (std::uint32_t{1} << r) - 1;
    const std::uint32_t* const from = slots_.data() + head_;
    std::int32_t* const to = numbers_.data() + before;
    std::size_t run = 0;
    for (std::size_t i = 0; i < size_; i += step)
      for (std::size_t j = 0; j < step; ++j) {
        const std::uint32_t v = from[i + j];
        to[i + j] = static_cast<std::int32_t>((v & low) | quotients[run]);
        run += v >> r & 1;
      }
    for (std::size_t j = 0; j < 2 * step; ++j)  // ascending, as the slots should be
      to[size_ + j] = INT32_MAX - static_cast<std::int32_t>(2 * step - j);
    __m256i bad = _mm256_setzero_si256();
    for (std::size_t i = 0; i < size_; i += step) {
      const auto at = [&](std::size_t k) noexcept {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(to + i + k));
      };
      bad = _mm256_or_si256(bad, _mm256_or_si256(_mm256_cmpgt_epi32(at(0), at(1)),
                                                 _mm256_cmpeq_epi32(at(0), at(2))));
    }
    has_counts_ = _mm256_testz_si256(bad, bad) == 0;
  }

  quotient_layout layout_;
  plain_words<const std::byte> words_;
  std::uint64_t block_ = 0;    // the next to decode
  std::uint64_t pending_ = 0;  // occupied quotients whose runs have not ended there
  std::uint64_t ends_left_ = 0;
  std::size_t head_ = 0, n_ = 0, size_ = 0;
  bool has_counts_ = false;
  std::array<std::uint32_t, room + 64> slots_{};     // end << r | value
  std::array<std::uint64_t, room / 64 + 2> ends_{};  // their ends once more
  std::array<std::int32_t, before + max_slots + 2 * step> numbers_;
};

}  // namespace
}  // namespace bloomery::kernel
