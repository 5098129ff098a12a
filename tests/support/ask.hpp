// Batch calls over std::vector, whose bool is no bool.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <bloomery/key.hpp>

namespace bloomery::testing {

namespace detail {
template <class F, class K>
std::vector<char> ask(const F& f, std::span<const K> ks) {
  // Twice, over opposite rubbish: a place the call does not write becomes a 2.
  const auto first = std::make_unique<bool[]>(ks.size());
  const auto second = std::make_unique<bool[]>(ks.size());
  std::fill_n(second.get(), ks.size(), true);
  f.may_contain(ks, std::span<bool>(first.get(), ks.size()));
  f.may_contain(ks, std::span<bool>(second.get(), ks.size()));
  std::vector<char> answers(ks.size());
  for (std::size_t i = 0; i < ks.size(); ++i)
    answers[i] = first[i] == second[i] ? first[i] : 2;
  return answers;
}
}  // namespace detail

template <class F>
std::vector<char> ask(const F& f, const std::vector<key>& ks) {
  return detail::ask(f, std::span<const key>(ks));
}
template <class F>
std::vector<char> ask(const F& f, std::span<const key> ks) {
  return detail::ask(f, ks);
}
template <class F>
std::vector<char> ask(const F& f, const std::vector<std::string_view>& ks) {
  return detail::ask(f, std::span<const std::string_view>(ks));
}

inline std::size_t count_maybe(const std::vector<char>& answers) {
  return static_cast<std::size_t>(std::ranges::count(answers, 1));
}

template <class F, class K>
std::vector<char> ask_one_by_one(const F& f, const std::vector<K>& ks) {
  std::vector<char> answers;
  for (const K& k : ks) answers.push_back(f.may_contain(k));
  return answers;
}

}  // namespace bloomery::testing
