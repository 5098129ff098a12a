#include <fmt/core.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <bit>
#include <new>

#include "keys/decompressor.hpp"
#include "text/messages.hpp"

namespace bloomery::cli {
namespace {

// Checks the checksum of every frame that has one.  Skips skippable frames.
class unzstd final : public decompressor {
 public:
  unzstd() : stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) throw std::bad_alloc();
    constexpr int log = std::countr_zero(max_window);
    ZSTD_DCtx_setParameter(stream_, ZSTD_d_windowLogMax, log);
  }
  ~unzstd() override { ZSTD_freeDStream(stream_); }

  step run(std::string_view in, std::span<char> out, bool is_last) override {
    if (in.empty() && !in_frame_) return {0, 0};
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const std::size_t left = ZSTD_decompressStream(stream_, &to, &from);
    if (ZSTD_isError(left) != 0) fail(left);
    in_frame_ = left != 0;
    if (is_last && in_frame_ && from.pos == 0 && to.pos == 0)
      throw bad_compression("the end is missing");
    return {from.pos, to.pos};
  }

 private:
  [[noreturn]] static void fail(std::size_t status) {
    switch (ZSTD_getErrorCode(status)) {
      case ZSTD_error_memory_allocation:
        throw std::bad_alloc();
      case ZSTD_error_frameParameter_windowTooLarge:
        throw bad_compression(fmt::format(
            "it needs a window of more than {}: zstdcat --long=31 FILE | bloomery ...",
            size(std::uint64_t{max_window})));
      case ZSTD_error_prefix_unknown:
        throw bad_compression("after the end of the data there is something else");
      default:
        throw bad_compression(ZSTD_getErrorName(status));
    }
  }

  ZSTD_DStream* stream_;
  bool in_frame_ = true;
};

}  // namespace

std::unique_ptr<decompressor> make_unzstd() { return std::make_unique<unzstd>(); }

}  // namespace bloomery::cli
