// Filters of several threads.
#include <bloomery/concurrent.hpp>

#include <type_traits>
#include <utility>

#include <bloomery/snapshot.hpp>

#include "handles.hpp"
#include "info.hpp"
#include "notes.hpp"
#include "options.hpp"
#include "structs.hpp"

namespace bloomery::c_abi {
namespace {

result<void> check_policy(const any_filter& plain, std::uint32_t policy) {
  if (policy > BLOOMERY_POLICY_LOCKED)
    return error{errc::unsupported, "no policy of that number"};
  return plain.visit([&]<class F>(const F&) -> result<void> {
    if (!shareable<F>)
      return error{errc::unsupported, "threads cannot share a filter of this kind"};
    if (policy == BLOOMERY_POLICY_LOCKED && !lockable<F>)
      return error{errc::unsupported,
                   "the locked policy is for kinds whose keys fall into a line or two"};
    return {};
  });
}

template <class Shared, class F>
result<bloomery_concurrent> adopted_as(F plain) {
  auto made = Shared::adopt(std::move(plain));
  if (!made) return made.error();
  return bloomery_concurrent{*std::move(made)};
}

// REQUIRES: check_policy(plain, policy)
result<bloomery_concurrent> adopted(any_filter plain, std::uint32_t policy) {
  return plain.visit([&]<class F>(F& f) -> result<bloomery_concurrent> {
    if constexpr (lockable<F>)
      if (policy == BLOOMERY_POLICY_LOCKED)
        return adopted_as<locked_filter<F>>(std::move(f));
    if constexpr (shareable<F>) return adopted_as<wait_free_filter<F>>(std::move(f));
    return check_policy(any_filter(std::move(f)), policy).error();
  });
}

}  // namespace
}  // namespace bloomery::c_abi

using namespace bloomery::c_abi;
using bloomery::result;

bloomery_status bloomery_concurrent_make(const bloomery_options* options,
                                         std::uint32_t policy,
                                         bloomery_concurrent** filter,
                                         bloomery_error* error) {
  return make_handle(filter, error, [&]() -> result<bloomery_concurrent> {
    const auto request = request_of(options);
    if (!request) return request.error();
    auto plain = request->make();
    if (!plain) return plain.error();
    if (auto ok = check_policy(*plain, policy); !ok) return ok.error();
    return adopted(*std::move(plain), policy);
  });
}

bloomery_status bloomery_concurrent_adopt(bloomery_filter** plain, std::uint32_t policy,
                                          bloomery_concurrent** filter,
                                          bloomery_error* error) {
  return make_handle(filter, error, [&]() -> result<bloomery_concurrent> {
    if (plain == nullptr || *plain == nullptr) return null_argument();
    if (auto ok = check_policy((*plain)->filter, policy); !ok) return ok.error();
    auto made = adopted(std::move((*plain)->filter), policy);
    bloomery_filter_free(std::exchange(*plain, nullptr));
    return made;
  });
}

void bloomery_concurrent_free(bloomery_concurrent* filter) { delete filter; }

bloomery_status bloomery_concurrent_snapshot(const bloomery_concurrent* filter,
                                             bloomery_filter** plain,
                                             bloomery_error* error) {
  return make_handle(plain, error, [&]() -> result<bloomery_filter> {
    if (filter == nullptr) return null_argument();
    return visit(*filter,
                 [](const auto& f) { return as_handle<bloomery_filter>(f.snapshot()); });
  });
}

bloomery_status bloomery_concurrent_save(const bloomery_concurrent* filter,
                                         const bloomery_write_options* options,
                                         const char* path, bloomery_error* error) {
  return guarded(error, [&]() -> result<void> {
    if (filter == nullptr || path == nullptr) return null_argument();
    return visit(*filter, [&](const auto& f) -> result<void> {
      const auto notes = notes_of(options);
      if (!notes) return notes.error();
      return save_snapshot(f, path, *notes);
    });
  });
}

bloomery_status bloomery_concurrent_merge(bloomery_concurrent* filter,
                                          const bloomery_filter* plain,
                                          bloomery_error* error) {
  return guarded(error, [&]() -> result<void> {
    if (filter == nullptr || plain == nullptr) return null_argument();
    return visit(*filter, [&](auto& mine) -> result<void> {
      return visit(*plain, [&]<class F>(const F& theirs) -> result<void> {
        if constexpr (std::is_same_v<typename std::remove_cvref_t<decltype(mine)>::plain,
                                     F>)
          return mine.merge(theirs);
        else
          return bloomery::error{bloomery::errc::incompatible,
                                 "the filters differ in kind"};
      });
    });
  });
}

bloomery_status bloomery_concurrent_clear(bloomery_concurrent* filter) {
  if (filter == nullptr) return BLOOMERY_INVALID_ARGUMENT;
  visit(*filter, [](auto& f) noexcept { f.clear(); });
  return BLOOMERY_OK;
}

bloomery_status bloomery_concurrent_info(const bloomery_concurrent* filter,
                                         std::uint32_t parts, bloomery_info* info) {
  return fill_struct(info, nullptr, [&]() -> result<bloomery_info> {
    if (filter == nullptr) return null_argument();
    if (auto ok = check_parts(parts); !ok) return ok.error();
    return visit(*filter, [&](const auto& f) noexcept {
      return info_of(f.unsynchronised(), parts);
    });
  });
}
