#include <bloomery/filter_set.hpp>

#include <memory>

#include <bloomery/detail/base/contract.hpp>

#include "base/cpu.hpp"
#include "filter/block_view.hpp"

namespace bloomery::inline v1 {

template <class F>
result<block_filter_set<F>> block_filter_set<F>::make(
    std::span<const F* const> filters) noexcept {
  if (auto ok = detail::check_set(filters); !ok) return ok.error();
  auto views = pages::make(filters.size() * sizeof(kernel::block_view));
  if (!views) return views.error();
  auto* view = reinterpret_cast<kernel::block_view*>(views->data());
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < filters.size(); ++i) {
    const F* f = filters[i];
    if (f->shape().profile != filters.front()->shape().profile)
      return error{errc::incompatible, "the filters differ in profile", 0,
                   static_cast<double>(i)};
    std::construct_at(view + i, kernel::block_view{f->bytes().data(), f->shape().blocks});
    bytes += f->size_in_bytes();
  }
  return block_filter_set(*std::move(views), filters.size(),
                          filters.front()->shape().profile, bytes <= base::caches().l2,
                          filters.front()->hasher());
}

template <class F>
void block_filter_set<F>::may_contain(std::span<const key> ks,
                                      std::span<std::uint64_t> out) const noexcept {
  detail::require(
      out.size() / this->words() == ks.size() && out.size() % this->words() == 0,
      "a batch must have exactly words() words of answers for each key");
  kernel::best_block_kernel().of(profile_).query_set(
      reinterpret_cast<const kernel::block_view*>(views_.data()), count_, in_cache_,
      ks.data(), ks.size(), out.data());
}

template class block_filter_set<block_bloom>;
template class block_filter_set<split_block_bloom>;

}  // namespace bloomery::inline v1
