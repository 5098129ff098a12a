#include "bit_forgers.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "fnv1a.hpp"
#include "murmur3.hpp"
#include "murmur64a.hpp"
#include "must.hpp"
#include "search.hpp"

namespace attack {
namespace {

using bits = std::span<std::uint64_t>;

class of_redisbloom final : public forger {
 public:
  explicit of_redisbloom(bit_layout l) : l_(l) {}

  std::string same_bits(std::string_view model, std::uint64_t salt) override {
    const std::uint64_t a = murmur64a::hash(model, murmur64a::redisbloom_seed);
    auto key = murmur64a::with_hashes(a, murmur64a::hash(model, a), salt);
    if (!key) give_up("no key with these hashes was found");
    return *std::move(key);
  }
  std::vector<std::string> pollution(std::size_t n) override {
    return searched_pollution(
        n, l_.bits, l_.hashes, l_.draws, [&](std::string_view key, bits out) {
          std::uint64_t a = murmur64a::hash(key, murmur64a::redisbloom_seed);
          const std::uint64_t b = murmur64a::hash(key, a);
          for (std::uint64_t& bit : out) bit = a % l_.bits, a += b;
        });
  }

 private:
  bit_layout l_;
};

class of_guava final : public forger {
 public:
  explicit of_guava(bit_layout l) : l_(l) {}

  std::string same_bits(std::string_view model, std::uint64_t salt) override {
    return murmur3::with_hash(murmur3::hash(model), salt);
  }
  // Bit i is h1 + i h2: with h2 = 1 keys lie beside each other, without a gap.
  std::vector<std::string> pollution(std::size_t n) override {
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < n; ++i)
      keys.push_back(murmur3::with_hash({i * l_.hashes % l_.bits, 1}));
    return keys;
  }

 private:
  bit_layout l_;
};

class of_bits_and_blooms final : public forger {
 public:
  explicit of_bits_and_blooms(bit_layout l) : l_(l) {}

  std::string same_bits(std::string_view model, std::uint64_t salt) override {
    if (model.size() < 32) give_up("a key of 32 bytes or more is needed");
    return murmur3::same_state(model, salt);
  }
  std::vector<std::string> pollution(std::size_t n) override {
    return searched_pollution(
        n, l_.bits, l_.hashes, l_.draws, [&](std::string_view key, bits out) {
          const auto [h0, h1] = murmur3::hash(key);
          const auto [h2, h3] = murmur3::hash(std::string(key) + '\1');
          const std::array h{h0, h1, h2, h3};
          for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = (h[i % 2] + i * h[2 + (i + i % 2) % 4 / 2]) % l_.bits;
        });
  }

 private:
  bit_layout l_;
};

class of_portable final : public forger {
 public:
  explicit of_portable(bit_layout l) : l_(l) {}

  // A run finds about two hundred keys: they are used up first.
  std::string same_bits(std::string_view model, std::uint64_t) override {
    const std::uint64_t wanted = fnv1a::hash(model);
    if (wanted != for_) found_.clear(), for_ = wanted;
    while (found_.empty()) found_ = fnv1a::with_hash(wanted, runs_++);
    std::string key = std::move(found_.back());
    found_.pop_back();
    return key;
  }
  std::vector<std::string> pollution(std::size_t n) override {
    return searched_pollution(n, l_.bits, l_.hashes, l_.draws,
                              [&](std::string_view key, bits out) {
                                const std::uint64_t h = fnv1a::hash(key);
                                for (std::size_t i = 0; i < out.size(); ++i)
                                  out[i] = ((h & 0xffffffff) + i * (h >> 32)) % l_.bits;
                              });
  }

 private:
  bit_layout l_;
  std::uint64_t for_ = 0, runs_ = 0;
  std::vector<std::string> found_;
};

}  // namespace

std::unique_ptr<forger> redisbloom_forger(bit_layout l) {
  return std::make_unique<of_redisbloom>(l);
}
std::unique_ptr<forger> guava_forger(bit_layout l) {
  return std::make_unique<of_guava>(l);
}
std::unique_ptr<forger> bits_and_blooms_forger(bit_layout l) {
  return std::make_unique<of_bits_and_blooms>(l);
}
std::unique_ptr<forger> portable_forger(bit_layout l) {
  return std::make_unique<of_portable>(l);
}

}  // namespace attack
