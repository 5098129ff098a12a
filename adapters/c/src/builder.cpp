// From all keys to a filter.
#include <bloomery/build.hpp>

#include <algorithm>
#include <span>
#include <utility>

#include "handles.hpp"
#include "keys.hpp"
#include "options.hpp"
#include "structs.hpp"

struct bloomery_builder {
  bloomery::c_abi::filter_request request;
  bloomery::filter_builder keys{};
};

namespace bloomery::c_abi {
namespace {

// add(builder): result<void>
template <class Takes, class Add>
bloomery_status added(bloomery_builder* builder, bool is_readable, Takes takes,
                      Add add) noexcept {
  if (builder == nullptr || !is_readable) return BLOOMERY_INVALID_ARGUMENT;
  if (!takes(builder->request)) return BLOOMERY_INCOMPATIBLE;
  return guarded(nullptr, [&]() -> result<void> { return add(*builder); });
}

template <class Keys>
bloomery_status added(bloomery_builder* builder, const Keys& ks) noexcept {
  return added(builder, ks.is_readable(), of_bytes, [&](bloomery_builder& b) {
    return in_hashed_groups(
        ks.count, [&](std::size_t i) { return b.request.hash.hash(ks[i]); },
        [&](std::span<const key> group) { return b.keys.add(group); });
  });
}

result<bloomery_builder> builder_for(const bloomery_options* options) noexcept {
  const auto request = request_of(options, 1);
  if (!request) return request.error();
  if (const auto size = request->sized(); !size) return size.error();
  return bloomery_builder{*request};
}

error no_threads() noexcept { return {errc::invalid_argument, "at least one thread"}; }

// REQUIRES: threads >= 1
result<bloomery_filter> finished(bloomery_builder& b, std::uint32_t threads) noexcept {
  const filter_request& r = b.request;
  auto built = b.keys.finish(r.kind->facts.number, r.size, r.hash,
                             std::min(threads, max_threads), r.has_keys ? r.keys : 0);
  if (!built) return built.error();
  const write_notes known = built->notes();
  builder_notes notes{known.asked_fpr, known.keys};
  notes.sentinels.add(known.sentinels);
  return bloomery_filter{std::move(built->filter), {}, notes};
}

}  // namespace
}  // namespace bloomery::c_abi

using namespace bloomery::c_abi;
using bloomery::result;

bloomery_status bloomery_builder_make(const bloomery_options* options,
                                      bloomery_builder** builder, bloomery_error* error) {
  return make_handle(builder, error,
                     [&]() -> result<bloomery_builder> { return builder_for(options); });
}

bloomery_status bloomery_builder_make_limited(const bloomery_options* options,
                                              const bloomery_build_limits* limits,
                                              bloomery_builder** builder,
                                              bloomery_error* error) {
  return make_handle(builder, error, [&]() -> result<bloomery_builder> {
    auto made = builder_for(options);
    if (!made) return made;
    const auto l = read_struct(limits);
    if (!l) return l.error();
    if (l->flags != 0)
      return bloomery::error{bloomery::errc::unsupported,
                             "a flag that this version does not know"};
    auto keys = bloomery::filter_builder::make(
        {.memory_limit = l->memory,
         .directory = l->directory == nullptr ? "." : l->directory,
         .progress = {l->progress, l->context}});
    if (!keys) return keys.error();
    made->keys = *std::move(keys);
    return made;
  });
}

bloomery_status bloomery_builder_count(bloomery_builder* builder, std::uint32_t threads,
                                       std::uint64_t* count, bloomery_error* error) {
  return guarded(error, [&]() -> result<void> {
    if (builder == nullptr || count == nullptr) return null_argument();
    if (threads == 0) return no_threads();
    const auto n = builder->keys.count(std::min(threads, max_threads));
    if (!n) return n.error();
    *count = *n;
    return {};
  });
}

void bloomery_builder_free(bloomery_builder* builder) { delete builder; }

bloomery_status bloomery_builder_add(bloomery_builder* builder, const void* key,
                                     std::size_t size) {
  return added(builder, separate_keys{&key, &size, 1});
}

bloomery_status bloomery_builder_add_u64(bloomery_builder* builder,
                                         std::uint64_t number) {
  return bloomery_builder_add_u64_batch(builder, &number, 1);
}

bloomery_status bloomery_builder_add_hash(bloomery_builder* builder, std::uint64_t hash) {
  return bloomery_builder_add_hash_batch(builder, &hash, 1);
}

bloomery_status bloomery_builder_add_batch(bloomery_builder* builder,
                                           const void* const* keys,
                                           const std::size_t* sizes, std::size_t count) {
  return added(builder, separate_keys{keys, sizes, count});
}

bloomery_status bloomery_builder_add_packed(bloomery_builder* builder, const void* data,
                                            const std::uint64_t* offsets,
                                            std::size_t count) {
  return added(builder, packed_keys{data, offsets, count});
}

bloomery_status bloomery_builder_add_u64_batch(bloomery_builder* builder,
                                               const std::uint64_t* numbers,
                                               std::size_t count) {
  return added(
      builder, is_readable(numbers, count), of_integers, [&](bloomery_builder& b) {
        return in_hashed_groups(
            count, [&](std::size_t i) { return b.request.hash.hash_u64(numbers[i]); },
            [&](std::span<const bloomery::key> group) { return b.keys.add(group); });
      });
}

bloomery_status bloomery_builder_add_hash_batch(bloomery_builder* builder,
                                                const std::uint64_t* hashes,
                                                std::size_t count) {
  return added(builder, is_readable(hashes, count), hashed,
               [&](bloomery_builder& b) { return b.keys.add(keys_of(hashes, count)); });
}

bloomery_status bloomery_builder_finish(bloomery_builder* builder, std::uint32_t threads,
                                        bloomery_filter** filter, bloomery_error* error) {
  return make_handle(filter, error, [&]() -> result<bloomery_filter> {
    if (builder == nullptr) return null_argument();
    if (threads == 0) return no_threads();
    return finished(*builder, threads);
  });
}

std::uint64_t bloomery_filter_built_keys(const bloomery_filter* filter) {
  return filter != nullptr && filter->built ? filter->built->keys : 0;
}
