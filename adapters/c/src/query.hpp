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

// --- one key ---

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

template <class Handle>
bloomery_status insert(Handle* h, const void* bytes, std::size_t size) noexcept {
  if (h == nullptr || !is_readable(bytes, size)) return BLOOMERY_INVALID_ARGUMENT;
  return insert_by(*h, of_bytes,
                   [&](auto& f) noexcept { f.insert(text_of(bytes, size)); });
}
template <class Handle>
bloomery_status insert_u64(Handle* h, std::uint64_t number) noexcept {
  if (h == nullptr) return BLOOMERY_INVALID_ARGUMENT;
  return insert_by(*h, of_integers,
                   [&](auto& f) noexcept { f.insert(f.hash_u64(number)); });
}
template <class Handle>
bloomery_status insert_hash(Handle* h, std::uint64_t hash) noexcept {
  if (h == nullptr) return BLOOMERY_INVALID_ARGUMENT;
  return insert_by(*h, hashed, [&](auto& f) noexcept { f.insert(key::from_bits(hash)); });
}

template <class Handle>
int may_contain(const Handle* h, const void* bytes, std::size_t size) noexcept {
  if (h == nullptr || !is_readable(bytes, size)) return wrong_call;
  return visit(*h, [&](const auto& f) noexcept {
    return takes_bytes(f) ? f.may_contain(text_of(bytes, size)) : other_keys;
  });
}
template <class Handle>
int may_contain_u64(const Handle* h, std::uint64_t number) noexcept {
  if (h == nullptr) return wrong_call;
  return visit(*h, [&](const auto& f) noexcept {
    return takes_integers(f) ? f.may_contain(f.hash_u64(number)) : other_keys;
  });
}
template <class Handle>
int may_contain_hash(const Handle* h, std::uint64_t hash) noexcept {
  if (h == nullptr) return wrong_call;
  return visit(
      *h, [&](const auto& f) noexcept { return f.may_contain(key::from_bits(hash)); });
}

template <class Handle>
bloomery_status hash_of(const Handle* h, const void* bytes, std::size_t size,
                        std::uint64_t* hash) noexcept {
  if (h == nullptr || hash == nullptr || !is_readable(bytes, size))
    return BLOOMERY_INVALID_ARGUMENT;
  return visit(*h, [&](const auto& f) noexcept {
    if (!takes_bytes(f)) return BLOOMERY_INCOMPATIBLE;
    *hash = f.hash(text_of(bytes, size)).bits();
    return BLOOMERY_OK;
  });
}
template <class Handle>
bloomery_status hash_of_u64(const Handle* h, std::uint64_t number,
                            std::uint64_t* hash) noexcept {
  if (h == nullptr || hash == nullptr) return BLOOMERY_INVALID_ARGUMENT;
  return visit(*h, [&](const auto& f) noexcept {
    if (!takes_integers(f)) return BLOOMERY_INCOMPATIBLE;
    *hash = f.hash_u64(number).bits();
    return BLOOMERY_OK;
  });
}

// --- many keys: looked over first, so that a refused batch has changed nothing ---

// Keys: separate_keys or packed_keys.
template <class Handle, class Keys>
bloomery_status insert_all(Handle* h, const Keys& ks) noexcept {
  if (h == nullptr || !ks.is_readable()) return BLOOMERY_INVALID_ARGUMENT;
  return insert_by(*h, of_bytes, [&](auto& f) noexcept {
    in_groups(ks, [&](auto group, std::size_t) noexcept { f.insert(group); });
  });
}
template <class Handle>
bloomery_status insert_all_u64(Handle* h, const std::uint64_t* numbers,
                               std::size_t count) noexcept {
  if (h == nullptr || !is_readable(numbers, count)) return BLOOMERY_INVALID_ARGUMENT;
  return insert_by(*h, of_integers, [&](auto& f) noexcept {
    in_groups(f.hasher(), numbers, count,
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
    in_groups(ks, [&](auto group, std::size_t first) noexcept {
      f.may_contain(group, answers.subspan(first, group.size()));
    });
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
    in_groups(f.hasher(), numbers, count, [&](auto group, std::size_t first) noexcept {
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
