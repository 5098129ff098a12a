#include "fnv1a.hpp"

#include <array>
#include <cstddef>

#include "invert.hpp"

namespace attack::fnv1a {
namespace {

constexpr std::uint64_t prime = 0x00000100000001b3;
constexpr std::size_t free_bytes = 16;  // and the last one, which follows

std::uint64_t fnv(std::string_view bytes) {
  std::uint64_t h = 0xcbf29ce484222325;
  for (const char c : bytes) h = (h ^ static_cast<unsigned char>(c)) * prime;
  return h;
}

std::uint64_t power(std::size_t n) {
  std::uint64_t p = 1;
  while (n-- > 0) p *= prime;
  return p;
}

std::uint64_t without_low_byte(std::uint64_t h) { return h - (h & 0xff); }

// Let c be what a byte of the key makes of the low byte of the state (any value can be
// had) and y the state without its low byte.  Then the next y is (y + c) p, less its own
// low byte, which is that of c p: y p + term(c).  After n bytes it is
//   y p^n + the sum over the bytes of term(c) p^(bytes that follow),
// all multiples of 256; and the hash is (y + c) p with the last byte's c.
std::uint64_t term(std::uint64_t c) { return without_low_byte(c * prime); }

struct sum {
  std::uint64_t value;  // of terms, divided by 256: 56 bits matter
  std::uint64_t bytes;  // which, at their places in one half of the key
};
using list = std::vector<sum>;

constexpr std::uint64_t low(std::uint64_t v, unsigned bits) {
  return v & ((std::uint64_t{1} << bits) - 1);
}

// A list, by 16 bits of its values from `at` on.
class index {
 public:
  index(const list& from, unsigned at) : at_(at), starts_(65537), sorted_(from.size()) {
    for (const sum& s : from) ++starts_[slot(s.value) + 1];
    for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    auto next = starts_;
    for (const sum& s : from) sorted_[next[slot(s.value)]++] = s;
  }

  // use(a, b) for every b such that a + b has the target's bits.
  template <class Use>
  void match(const list& as, std::uint64_t target, Use use) const {
    for (const sum& a : as) {
      const std::size_t want = slot(target - a.value);
      for (std::size_t i = starts_[want]; i < starts_[want + 1]; ++i) use(a, sorted_[i]);
    }
  }
  list sums(const list& as, std::uint64_t target) const {
    list all;
    match(as, target, [&](const sum& a, const sum& b) {
      all.push_back({a.value + b.value, a.bytes | b.bytes});
    });
    return all;
  }

 private:
  std::size_t slot(std::uint64_t v) const { return low(v >> at_, 16); }

  unsigned at_;
  std::vector<std::size_t> starts_;
  list sorted_;
};

// All sums of byte number `at` and the next.
list pairs(std::size_t at) {
  list all;
  const std::uint64_t p = power(free_bytes - 1 - at), q = power(free_bytes - 2 - at);
  for (std::uint64_t first = 0; first < 256; ++first)
    for (std::uint64_t second = 0; second < 256; ++second)
      all.push_back({(term(first) * p + term(second) * q) / 256, (first | second << 8)
                                                                     << (8 * (at % 8))});
  return all;
}

// What does not depend on the target: sums of four bytes with 16 zeros below, and of
// eight with 32.
struct tables {
  list twelfth = pairs(12);
  index fourteenth{pairs(14), 0};
  index third_four{four(8), 16};
  index left{index(four(4), 16).sums(four(0), 0), 32};

  static list four(std::size_t at) { return index(pairs(at + 2), 0).sums(pairs(at), 0); }
};

}  // namespace

std::uint64_t hash(std::string_view bytes) { return splitmix64(fnv(bytes)); }

std::vector<std::string> with_hash(std::uint64_t wanted, std::uint64_t salt) {
  static const tables t;
  const std::string prefix = bytes_of(splitmix64(salt));
  const std::uint64_t start = fnv(prefix);
  const std::uint64_t y_and_c = unsplitmix64(wanted) * inverse(prime);
  const std::uint64_t target =
      (without_low_byte(y_and_c) - without_low_byte(start) * power(free_bytes)) / 256;
  const list last_four = t.fourteenth.sums(t.twelfth, target);
  const list right = t.third_four.sums(last_four, target);
  std::vector<std::string> keys;
  t.left.match(right, target, [&](const sum& r, const sum& l) {
    if (low(r.value + l.value - target, 56) != 0) return;
    std::string key = prefix;
    std::uint64_t h = start;
    const auto put = [&](std::uint64_t c) {
      key.push_back(static_cast<char>((h ^ c) & 0xff));
      h = (without_low_byte(h) + c) * prime;
    };
    for (std::size_t i = 0; i < 8; ++i) put(l.bytes >> (8 * i) & 0xff);
    for (std::size_t i = 0; i < 8; ++i) put(r.bytes >> (8 * i) & 0xff);
    put(y_and_c & 0xff);
    keys.push_back(std::move(key));
  });
  return keys;
}

}  // namespace attack::fnv1a
