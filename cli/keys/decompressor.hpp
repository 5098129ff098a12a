// Undoes one compression format, piece by piece, in bounded memory.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace bloomery::cli {

// What is wrong with the compressed bytes, in words, after `used` bytes of the input.
struct bad_compression : std::runtime_error {
  explicit bad_compression(const std::string& what, std::size_t used_before = 0)
      : runtime_error(what), used(used_before) {}
  std::size_t used;
};

class decompressor {
 public:
  struct step {
    std::size_t used;  // bytes of the input
    std::size_t made;  // bytes of the output
  };

  decompressor() = default;
  decompressor(const decompressor&) = delete;
  virtual ~decompressor() = default;

  // Decompresses some of `in` into `out`.  If both counts are 0 it needs more input.
  // `is_last`: nothing follows `in`; then both counts are 0 at the end of whole data
  // only. Throws bad_compression.  REQUIRES: out is not empty
  virtual step run(std::string_view in, std::span<char> out, bool is_last) = 0;
};

// What a window (zstd) or dictionary (xz) may take: as much as the zstd command allows
// by default, and twice what xz -9 needs.
inline constexpr std::size_t max_window = std::size_t{128} << 20;

// Several members or frames in a row are one text, as zcat, zstdcat and xzcat see them.
std::unique_ptr<decompressor> make_gunzip();
std::unique_ptr<decompressor> make_unzstd();
std::unique_ptr<decompressor> make_unxz();

}  // namespace bloomery::cli
