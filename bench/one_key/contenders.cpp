#include "one_key/contenders.hpp"

#include <bloomery/kinds.hpp>

#include "one_key/ours.hpp"

namespace bloomery::bench {
namespace {

template <class... Fs>
void add_ours(std::vector<one_key_contender>& all, detail::type_list<Fs...>) {
  (all.push_back(one_key_calls<Fs>::at(8)), ...);
  // Wide fingerprints, of those that are built from their keys.
  const auto add_wide = [&]<class F>(const F*) {
    if constexpr (!growing<F>) all.push_back(one_key_calls<F>::at(16));
  };
  (add_wide(static_cast<const Fs*>(nullptr)), ...);
}

std::vector<one_key_contender> found() {
  std::vector<one_key_contender> all;
  add_ours(all, filter_types{});
#if defined(BLOOMERY_PEER_RUST)
  for (const one_key_contender* c :
       {&bloomery_one_key_binary_fuse8, &bloomery_one_key_xor8,
        &bloomery_one_key_binary_fuse16, &bloomery_one_key_xor16})
    all.push_back(*c);
#endif
  for (const one_key_contender& c : xor_singleheader_contenders()) all.push_back(c);
  return all;
}

}  // namespace

const std::vector<one_key_contender>& one_key_contenders() {
  static const std::vector<one_key_contender> all = found();
  return all;
}

const char* missing_one_key_peers() {
#if defined(BLOOMERY_PEER_RUST) && defined(BLOOMERY_PEER_XOR_SINGLEHEADER)
  return "";
#elif defined(BLOOMERY_PEER_XOR_SINGLEHEADER)
  return "; without xorf";
#elif defined(BLOOMERY_PEER_RUST)
  return "; without xor_singleheader";
#else
  return "; without xorf and xor_singleheader";
#endif
}

}  // namespace bloomery::bench
