// Filters as wholes: made, copied, combined, measured.
#include <utility>

#include "handles.hpp"
#include "info.hpp"
#include "options.hpp"
#include "structs.hpp"

namespace bloomery::c_abi {
namespace {

template <class Combine>
bloomery_status combine(bloomery_filter* filter, const bloomery_filter* other,
                        bloomery_error* why, Combine how) noexcept {
  return guarded(why, [&]() -> result<void> {
    if (filter == nullptr || other == nullptr) return null_argument();
    const auto done = how(filter->filter, other->filter);
    if (done) forget_builder(*filter);
    return done;
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
    const auto request = request_of(options);
    if (!request) return request.error();
    auto made = request->make();
    if (!made) return made.error();
    return bloomery_filter{*std::move(made)};
  });
}

bloomery_status bloomery_filter_copy(const bloomery_filter* filter,
                                     bloomery_filter** copy, bloomery_error* error) {
  return make_handle(copy, error, [&]() -> result<bloomery_filter> {
    if (filter == nullptr) return null_argument();
    auto made = filter->filter.clone();
    if (!made) return made.error();
    return bloomery_filter{*std::move(made)};
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
  return combine(filter, other, error,
                 [](any_filter& a, const any_filter& b) { return a.intersect(b); });
}

bloomery_status bloomery_filter_fold(bloomery_filter* filter, std::uint64_t divisor,
                                     bloomery_error* error) {
  return guarded(error, [&]() -> result<void> {
    if (filter == nullptr) return null_argument();
    return filter->filter.fold(divisor);
  });
}

bloomery_status bloomery_filter_fold_to_rate(bloomery_filter* filter, double fpr,
                                             std::uint64_t* divisor,
                                             bloomery_error* error) {
  return guarded(error, [&]() -> result<void> {
    if (filter == nullptr) return null_argument();
    const auto used = filter->filter.fold_to_rate(fpr);
    if (!used) return used.error();
    if (divisor != nullptr) *divisor = *used;
    return {};
  });
}

bloomery_status bloomery_filter_grow(bloomery_filter* filter, bloomery_error* error) {
  return guarded(error, [&]() -> result<void> {
    if (filter == nullptr) return null_argument();
    return filter->filter.grow();
  });
}

bloomery_status bloomery_filter_rotate(bloomery_filter* filter, bloomery_error* error) {
  return guarded(error, [&]() -> result<void> {
    if (filter == nullptr) return null_argument();
    const auto done = filter->filter.rotate();
    if (done) forget_builder(*filter);
    return done;
  });
}

bloomery_status bloomery_filter_publish(const bloomery_filter* filter,
                                        bloomery_filter** published,
                                        bloomery_error* error) {
  return make_handle(published, error, [&]() -> result<bloomery_filter> {
    if (filter == nullptr) return null_argument();
    auto made = filter->filter.published();
    if (!made) return made.error();
    return bloomery_filter{*std::move(made)};
  });
}

bloomery_status bloomery_filter_forgetting(const bloomery_filter* filter,
                                           std::uint64_t gap, double* share,
                                           bloomery_error* error) {
  return guarded(error, [&]() -> result<void> {
    if (filter == nullptr || share == nullptr) return null_argument();
    const auto forgotten = filter->filter.forgetting(gap);
    if (!forgotten) return forgotten.error();
    *share = *forgotten;
    return {};
  });
}

bloomery_status bloomery_filter_clear(bloomery_filter* filter) {
  if (filter == nullptr) return BLOOMERY_INVALID_ARGUMENT;
  if (!filter->filter.clear()) return BLOOMERY_UNSUPPORTED;
  forget_builder(*filter);
  return BLOOMERY_OK;
}

int bloomery_filter_equal(const bloomery_filter* a, const bloomery_filter* b) {
  if (a == nullptr || b == nullptr) return wrong_call;
  return a->filter == b->filter;
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
