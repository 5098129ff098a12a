// Filters as wholes: made, copied, combined, measured.
#include <utility>

#include "handles.hpp"
#include "info.hpp"
#include "sizing.hpp"
#include "structs.hpp"

namespace bloomery::c_abi {
namespace {

result<portable_bloom> empty_like(const portable_bloom& f) noexcept {
  return portable_bloom::make({f.bits(), f.hashes()}, f.capacity());
}
result<bloom> empty_like(const bloom& f) noexcept {
  return bloom::make({f.bits(), f.hashes()}, f.capacity(), f.hasher());
}
result<block_bloom> empty_like(const block_bloom& f) noexcept {
  return block_bloom::make(f.shape(), f.capacity(), f.hasher());
}
result<split_block_bloom> empty_like(const split_block_bloom& f) noexcept {
  return split_block_bloom::make(f.shape().blocks, f.capacity());
}

error no_such_call() noexcept {
  return {errc::unsupported, "this kind of filter cannot do that"};
}

// combine(mine, theirs) for two filters of one kind.
template <class Combine>
result<void> with_same_kind(any_filter& a, const any_filter& b, Combine combine) {
  return a.visit([&](auto& mine) -> result<void> {
    return b.visit([&](const auto& theirs) -> result<void> {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(mine)>,
                                   std::remove_cvref_t<decltype(theirs)>>)
        return combine(mine, theirs);
      else
        return error{errc::incompatible, "the filters differ in kind"};
    });
  });
}

template <class Combine>
bloomery_status combine(bloomery_filter* filter, const bloomery_filter* other,
                        bloomery_error* why, Combine how) noexcept {
  return guarded(why, [&]() -> result<void> {
    if (filter == nullptr || other == nullptr) return null_argument();
    return how(filter->filter, other->filter);
  });
}

}  // namespace
}  // namespace bloomery::c_abi

using namespace bloomery::c_abi;
using bloomery::any_filter;
using bloomery::result;

bloomery_status bloomery_filter_make(const bloomery_options* options,
                                     bloomery_filter** filter, bloomery_error* error) {
  return make_handle(filter, error, [&]() -> result<bloomery_filter> {
    const auto p = plan_of(options);
    if (!p) return p.error();
    auto made = make_filter(*p);
    if (!made) return made.error();
    return bloomery_filter{*std::move(made), {}};
  });
}

bloomery_status bloomery_filter_copy(const bloomery_filter* filter,
                                     bloomery_filter** copy, bloomery_error* error) {
  return make_handle(copy, error, [&]() -> result<bloomery_filter> {
    if (filter == nullptr) return null_argument();
    return visit(*filter, [](const auto& f) -> result<bloomery_filter> {
      auto made = empty_like(f);
      if (!made) return made.error();
      if (auto merged = made->merge(f); !merged) return merged.error();
      return bloomery_filter{*std::move(made), {}};
    });
  });
}

void bloomery_filter_free(bloomery_filter* filter) { delete filter; }

bloomery_status bloomery_filter_merge(bloomery_filter* filter,
                                      const bloomery_filter* other,
                                      bloomery_error* error) {
  return combine(filter, other, error,
                 [](any_filter& a, const any_filter& b) { return a.merge(b); });
}

bloomery_status bloomery_filter_fold_and_merge(bloomery_filter* filter,
                                               const bloomery_filter* other,
                                               bloomery_error* error) {
  return combine(filter, other, error,
                 [](any_filter& a, const any_filter& b) { return a.fold_and_merge(b); });
}

bloomery_status bloomery_filter_intersect(bloomery_filter* filter,
                                          const bloomery_filter* other,
                                          bloomery_error* error) {
  return combine(filter, other, error, [](any_filter& a, const any_filter& b) {
    return with_same_kind(a, b, [](auto& mine, const auto& theirs) -> result<void> {
      if constexpr (requires { mine.intersect(theirs); })
        return mine.intersect(theirs);
      else
        return no_such_call();
    });
  });
}

bloomery_status bloomery_filter_fold(bloomery_filter* filter, std::uint64_t divisor,
                                     bloomery_error* error) {
  return guarded(error, [&]() -> result<void> {
    if (filter == nullptr) return null_argument();
    return visit(*filter, [&](auto& f) -> result<void> {
      if constexpr (requires { f.fold(divisor); })
        return f.fold(divisor);
      else
        return no_such_call();
    });
  });
}

bloomery_status bloomery_filter_fold_to_rate(bloomery_filter* filter, double fpr,
                                             std::uint64_t* divisor,
                                             bloomery_error* error) {
  return guarded(error, [&]() -> result<void> {
    if (filter == nullptr) return null_argument();
    return visit(*filter, [&](auto& f) -> result<void> {
      if constexpr (requires { f.fold_to_rate(fpr); }) {
        const auto used = f.fold_to_rate(fpr);
        if (!used) return used.error();
        if (divisor != nullptr) *divisor = *used;
        return {};
      } else {
        return no_such_call();
      }
    });
  });
}

bloomery_status bloomery_filter_clear(bloomery_filter* filter) {
  if (filter == nullptr) return BLOOMERY_INVALID_ARGUMENT;
  visit(*filter, [](auto& f) noexcept { f.clear(); });
  return BLOOMERY_OK;
}

int bloomery_filter_equal(const bloomery_filter* a, const bloomery_filter* b) {
  if (a == nullptr || b == nullptr) return wrong_call;
  return visit(*a, [&](const auto& mine) noexcept {
    return visit(*b, [&](const auto& theirs) noexcept {
      if constexpr (std::is_same_v<decltype(mine), decltype(theirs)>)
        return mine == theirs;
      else
        return false;
    });
  });
}

bloomery_status bloomery_filter_info(const bloomery_filter* filter, std::uint32_t parts,
                                     bloomery_info* info) {
  return fill_struct(info, nullptr, [&]() -> result<bloomery_info> {
    if (filter == nullptr) return null_argument();
    if (auto ok = check_parts(parts); !ok) return ok.error();
    auto to = visit(*filter, [&](const auto& f) noexcept { return info_of(f, parts); });
    to.container = filter->read.has_value();
    if (filter->read) to.damaged_chunks = filter->read->damaged_chunks;
    return to;
  });
}

double bloomery_filter_expected_fpr(const bloomery_filter* filter, std::uint64_t keys) {
  return filter == nullptr ? unknown : filter->filter.expected_fpr(keys);
}

double bloomery_filter_realised_fpr(const bloomery_filter* filter) {
  return filter == nullptr ? unknown : filter->filter.realised_fpr();
}

const void* bloomery_filter_bits(const bloomery_filter* filter, std::size_t* size) {
  if (filter == nullptr) return nullptr;
  const auto bytes = visit(*filter, [](const auto& f) noexcept { return f.bytes(); });
  if (size != nullptr) *size = bytes.size();
  return bytes.data();
}
