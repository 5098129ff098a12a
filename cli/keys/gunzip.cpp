#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "keys/decompressor.hpp"

namespace bloomery::cli {
namespace {

// Checks the CRC and the length of every member.
class gunzip final : public decompressor {
 public:
  gunzip() {
    constexpr int only_gzip = 16;  // and its header, not that of zlib
    if (inflateInit2(&z_, only_gzip + MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  ~gunzip() override { inflateEnd(&z_); }

  step run(std::string_view in, std::span<char> out, bool is_last) override {
    if (padding_) return {skip_padding(in), 0};
    if (between_ && !in.empty()) {
      // Zeros may fill the last block of a tape; gzip skips them too.
      if (in[0] == '\0') {
        padding_ = true;
        return {skip_padding(in), 0};
      }
      if (in[0] != '\x1f')
        throw bad_compression("after the end of the data there is something else");
      inflateReset(&z_);
      between_ = false;
    }
    if (between_) return {0, 0};
    return inflate_some(in, out, is_last);
  }

 private:
  static std::size_t skip_padding(std::string_view in) {
    if (in.find_first_not_of('\0') != std::string_view::npos)
      throw bad_compression("after the end of the data there is something else");
    return in.size();
  }

  step inflate_some(std::string_view in, std::span<char> out, bool is_last) {
    constexpr std::size_t max = std::numeric_limits<uInt>::max();
    const auto in_size = static_cast<uInt>(std::min(in.size(), max));
    const auto out_size = static_cast<uInt>(std::min(out.size(), max));
    z_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    z_.avail_in = in_size;
    z_.next_out = reinterpret_cast<Bytef*>(out.data());
    z_.avail_out = out_size;
    const int status = inflate(&z_, Z_NO_FLUSH);
    const step done{in_size - z_.avail_in, out_size - z_.avail_out};
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status == Z_STREAM_END) {
      between_ = true;
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      throw bad_compression(z_.msg != nullptr ? z_.msg : "invalid data", done.used);
    } else if (done.used == 0 && done.made == 0 && is_last) {
      throw bad_compression("the end is missing");
    }
    return done;
  }

  z_stream z_{};
  bool between_ = false;  // a member has ended
  bool padding_ = false;  // nothing but zeros follows
};

}  // namespace

std::unique_ptr<decompressor> make_gunzip() { return std::make_unique<gunzip>(); }

}  // namespace bloomery::cli
