// spec/vectors/receipts.json
#include <array>
#include <string>

#include <bloomery/detail/receipt.hpp>

#include "hex.hpp"
#include "make_vectors/make_vectors.hpp"
#include "secret.hpp"

namespace bloomery::vectors {
namespace {

using testing::to_hex;

struct named_hasher {
  const char* name;
  hasher hash;
};

std::array<named_hasher, 6> hashers() {
  return {{{"xxh3_0", hasher::xxh3(0)},
           {"xxh3_1", hasher::xxh3(1)},
           {"fnv1a-splitmix", hasher::fnv1a_splitmix()},
           {"xxh64_0", hasher::xxh64(0)},
           {"xxh64_f", hasher::xxh64(~std::uint64_t{0})},
           {"siphash13", hasher::siphash13(testing::counting_secret())}}};
}

struct layout {
  std::uint8_t kind;
  std::uint64_t units, shape, identity;
};
constexpr std::array layouts{layout{6, 2, 8, 0},
                             layout{6, 266'666, 12, 0},
                             layout{6, 266'666, 12, 1},
                             layout{6, 266'668, 12, 0},
                             layout{6, 266'666, 16, 0},
                             layout{7, 266'666, 12, 0},
                             layout{7, 1, 0x050804, 0xffffffffffffffff},
                             layout{255, 0xffffffffffffffff, 0x8000000000000000, 42}};

}  // namespace

json receipts() {
  json out;
  out["_comment"] = {
      "Receipts: spec/hash.md, section 8.  Numbers are 64-bit integers, most significant "
      "digit first.",
      "scopes: of the kind, units, shape and identity of a filter.",
      "receipts: of the hash of a text under a hasher, in a filter of that scope, "
      "without "
      "a number; receipt: the first 16 bytes, 8 zero bytes follow.",
      "numbered: the same with a number; receipt: all 24 bytes.",
      "hasher: as the columns of hash.json and hash_long.json; siphash13 under the "
      "secret "
      "00 01 02 .. 0f."};
  for (const layout& l : layouts)
    out["scopes"].push_back(
        {{"kind", l.kind},
         {"units", to_hex(l.units)},
         {"shape", to_hex(l.shape)},
         {"identity", to_hex(l.identity)},
         {"scope", to_hex(receipt_scope(l.kind, l.units, l.shape, l.identity))}});
  json numbered;
  for (const named_hasher& h : hashers())
    for (const char* text : {"", "k0", "bloomery"})
      for (const std::uint64_t scope :
           {std::uint64_t{0}, receipt_scope(6, 266'666, 12, 0), ~std::uint64_t{0}}) {
        const key k = h.hash.hash(text);
        const auto bytes = receipt::issue(h.hash, k, scope).bytes();
        out["receipts"].push_back({{"hasher", h.name},
                                   {"text", text},
                                   {"scope", to_hex(scope)},
                                   {"hash", to_hex(k.bits())},
                                   {"check", to_hex(h.hash.receipt_check(k, scope))},
                                   {"receipt", to_hex(std::span(bytes).first<16>())}});
        for (const std::uint64_t number : {std::uint64_t{1}, ~std::uint64_t{0}})
          numbered.push_back(
              {{"hasher", h.name},
               {"text", text},
               {"scope", to_hex(scope)},
               {"number", to_hex(number)},
               {"receipt", to_hex(receipt::issue(h.hash, k, scope, number).bytes())}});
      }
  out["numbered"] = numbered;
  return out;
}

}  // namespace bloomery::vectors
