#include <fmt/core.h>
#include <lzma.h>

#include <new>

#include "keys/decompressor.hpp"
#include "text/messages.hpp"

namespace bloomery::cli {
namespace {

// Checks the check of every block, and the index.
class unxz final : public decompressor {
 public:
  unxz() {
    constexpr auto flags = LZMA_CONCATENATED | LZMA_TELL_UNSUPPORTED_CHECK;
    if (lzma_stream_decoder(&z_, max_window, flags) != LZMA_OK) throw std::bad_alloc();
  }
  ~unxz() override { lzma_end(&z_); }

  step run(std::string_view in, std::span<char> out, bool is_last) override {
    if (ended_) return {0, 0};
    z_.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    z_.avail_in = in.size();
    z_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    z_.avail_out = out.size();
    const lzma_ret status = lzma_code(&z_, is_last ? LZMA_FINISH : LZMA_RUN);
    const step done{in.size() - z_.avail_in, out.size() - z_.avail_out};
    ended_ = status == LZMA_STREAM_END;
    const bool needs_input = status == LZMA_BUF_ERROR && !is_last;
    if (status != LZMA_OK && !ended_ && !needs_input) fail(status, done.used);
    // The first call without progress is no error of the library's.
    if (is_last && !ended_ && done.used == 0 && done.made == 0) fail(LZMA_BUF_ERROR, 0);
    return done;
  }

 private:
  [[noreturn]] void fail(lzma_ret status, std::size_t used) const {
    switch (status) {
      case LZMA_MEM_ERROR:
        throw std::bad_alloc();
      case LZMA_MEMLIMIT_ERROR:
        throw bad_compression(
            fmt::format("it needs {} of memory, more than {}: xzcat FILE | bloomery ...",
                        size(lzma_memusage(&z_)), size(std::uint64_t{max_window})));
      case LZMA_BUF_ERROR:
        throw bad_compression("the end is missing");
      case LZMA_FORMAT_ERROR:
        throw bad_compression("after the end of the data there is something else");
      case LZMA_UNSUPPORTED_CHECK:
      case LZMA_OPTIONS_ERROR:
        throw bad_compression("it uses a feature that this version does not know");
      default:
        throw bad_compression("invalid data", used);
    }
  }

  lzma_stream z_ = LZMA_STREAM_INIT;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<decompressor> make_unxz() { return std::make_unique<unxz>(); }

}  // namespace bloomery::cli
