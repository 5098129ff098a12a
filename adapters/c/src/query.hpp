// Keys in and out, the same for filters, views and concurrent filters.
#pragma once

#include <cstddef>
#include <cstdint>

#include <bloomery/filter.hpp>
#include <bloomery/key.hpp>

#include "boundary.hpp"
#include "handles.hpp"
#include "keys.hpp"

namespace bloomery::c_abi {

// --- one key: hashed here, whatever the kind ---

struct insert_one {
  template <class F>
  bloomery_status operator()(F& f, key k) const noexcept {
    if constexpr (inserting<F>) {
      f.insert(k);
      return BLOOMERY_OK;
    } else {
      return BLOOMERY_UNSUPPORTED;
    }
  }
};

template <class Handle>
bloomery_status insert_key(Handle& h, key k) noexcept {
  const auto done = h.held.template call<insert_one>(k);
  if (done == BLOOMERY_OK) forget_builder(h);
  return done;
}

template <class Handle>
bloomery_status insert(Handle* h, const void* bytes, std::size_t size) noexcept {
  if (h == nullptr || !is_readable(bytes, size)) return BLOOMERY_INVALID_ARGUMENT;
  if (!takes_bytes(h->held)) return BLOOMERY_INCOMPATIBLE;
  return insert_key(*h, h->held.hash().hash(text_of(bytes, size)));
}
template <class Handle>
bloomery_status insert_u64(Handle* h, std::uint64_t number) noexcept {
  if (h == nullptr) return BLOOMERY_INVALID_ARGUMENT;
  if (!takes_integers(h->held)) return BLOOMERY_INCOMPATIBLE;
  return insert_key(*h, h->held.hash().hash_u64(number));
}
template <class Handle>
bloomery_status insert_hash(Handle* h, std::uint64_t hash) noexcept {
  if (h == nullptr) return BLOOMERY_INVALID_ARGUMENT;
  return insert_key(*h, key::from_bits(hash));
}

template <class Handle>
int may_contain(const Handle* h, const void* bytes, std::size_t size) noexcept {
  if (h == nullptr || !is_readable(bytes, size)) return wrong_call;
  if (!takes_bytes(h->held)) return other_keys;
  return h->held.template call<ask_one>(h->held.hash().hash(text_of(bytes, size)));
}
template <class Handle>
int may_contain_u64(const Handle* h, std::uint64_t number) noexcept {
  if (h == nullptr) return wrong_call;
  if (!takes_integers(h->held)) return other_keys;
  return h->held.template call<ask_one>(h->held.hash().hash_u64(number));
}
template <class Handle>
int may_contain_hash(const Handle* h, std::uint64_t hash) noexcept {
  if (h == nullptr) return wrong_call;
  return h->held.template call<ask_one>(key::from_bits(hash));
}

template <class Handle>
bloomery_status hash_of(const Handle* h, const void* bytes, std::size_t size,
                        std::uint64_t* hash) noexcept {
  if (h == nullptr || hash == nullptr || !is_readable(bytes, size))
    return BLOOMERY_INVALID_ARGUMENT;
  if (!takes_bytes(h->held)) return BLOOMERY_INCOMPATIBLE;
  *hash = h->held.hash().hash(text_of(bytes, size)).bits();
  return BLOOMERY_OK;
}
template <class Handle>
bloomery_status hash_of_u64(const Handle* h, std::uint64_t number,
                            std::uint64_t* hash) noexcept {
  if (h == nullptr || hash == nullptr) return BLOOMERY_INVALID_ARGUMENT;
  if (!takes_integers(h->held)) return BLOOMERY_INCOMPATIBLE;
  *hash = h->held.hash().hash_u64(number).bits();
  return BLOOMERY_OK;
}

// --- many keys: looked over first, so that a refused batch has changed nothing ---

// use(filter) where its kind inserts, and never refuses a key, and keys are its sort.
template <class Handle, class Takes, class Use>
bloomery_status insert_by(Handle& h, Takes takes, Use use) noexcept {
  return visit(h, [&]<class F>(F& f) noexcept {
    if (!takes(f)) return BLOOMERY_INCOMPATIBLE;
    if constexpr (inserting<F>) {
      use(f);
      forget_builder(h);
      return BLOOMERY_OK;
    } else {
      return BLOOMERY_UNSUPPORTED;
    }
  });
}

// Keys: separate_keys or packed_keys.
template <class Handle, class Keys>
bloomery_status insert_all(Handle* h, const Keys& ks) noexcept {
  if (h == nullptr || !ks.is_readable()) return BLOOMERY_INVALID_ARGUMENT;
  return insert_by(*h, of_bytes, [&](auto& f) noexcept {
    in_groups(h->held.hash(), ks,
              [&](auto group, std::size_t) noexcept { f.insert(group); });
  });
}
template <class Handle>
bloomery_status insert_all_u64(Handle* h, const std::uint64_t* numbers,
                               std::size_t count) noexcept {
  if (h == nullptr || !is_readable(numbers, count)) return BLOOMERY_INVALID_ARGUMENT;
  return insert_by(*h, of_integers, [&](auto& f) noexcept {
    in_groups(h->held.hash(), numbers, count,
              [&](auto group, std::size_t) noexcept { f.insert(group); });
  });
}
template <class Handle>
bloomery_status insert_all_hashes(Handle* h, const std::uint64_t* hashes,
                                  std::size_t count) noexcept {
  if (h == nullptr || !is_readable(hashes, count)) return BLOOMERY_INVALID_ARGUMENT;
  return insert_by(*h, hashed, [&](auto& f) noexcept {
    if (count != 0) f.insert(keys_of(hashes, count));
  });
}

template <class Handle, class Keys>
bloomery_status query_all(const Handle* h, const Keys& ks,
                          std::uint8_t* perhaps) noexcept {
  if (h == nullptr || !ks.is_readable() || !is_readable(perhaps, ks.count))
    return BLOOMERY_INVALID_ARGUMENT;
  const auto answers = answers_of(perhaps, ks.count);
  return visit(*h, [&](const auto& f) noexcept {
    if (!takes_bytes(f)) return BLOOMERY_INCOMPATIBLE;
    const auto ask = [&](auto group, std::size_t first) noexcept {
      f.may_contain(group, answers.subspan(first, group.size()));
    };
    if constexpr (requires { h->held; })
      in_groups(h->held.hash(), ks, ask);
    else
      in_groups(ks, ask);  // another system's filter hashes its keys itself
    return BLOOMERY_OK;
  });
}
template <class Handle>
bloomery_status query_all_u64(const Handle* h, const std::uint64_t* numbers,
                              std::size_t count, std::uint8_t* perhaps) noexcept {
  if (h == nullptr || !is_readable(numbers, count) || !is_readable(perhaps, count))
    return BLOOMERY_INVALID_ARGUMENT;
  const auto answers = answers_of(perhaps, count);
  return visit(*h, [&](const auto& f) noexcept {
    if (!takes_integers(f)) return BLOOMERY_INCOMPATIBLE;
    in_groups(h->held.hash(), numbers, count,
              [&](auto group, std::size_t first) noexcept {
                f.may_contain(group, answers.subspan(first, group.size()));
              });
    return BLOOMERY_OK;
  });
}
template <class Handle>
bloomery_status query_all_hashes(const Handle* h, const std::uint64_t* hashes,
                                 std::size_t count, std::uint8_t* perhaps) noexcept {
  if (h == nullptr || !is_readable(hashes, count) || !is_readable(perhaps, count))
    return BLOOMERY_INVALID_ARGUMENT;
  if (count != 0)
    visit(*h, [&](const auto& f) noexcept {
      f.may_contain(keys_of(hashes, count), answers_of(perhaps, count));
    });
  return BLOOMERY_OK;
}

}  // namespace bloomery::c_abi
