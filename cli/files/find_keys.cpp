#include "files/find_keys.hpp"

#include <fmt/core.h>

#include <memory>

#include "keys/read_ahead.hpp"

namespace bloomery::cli {
namespace {

constexpr std::size_t max_examples = 10;

}  // namespace

findings find_keys(const std::vector<std::string>& files, const record_format& format,
                   const std::function<void(key_batch, std::span<bool>)>& may_contain,
                   const std::function<void(key_batch)>& seen) {
  findings found;
  read_ahead in(files, format, "verifying");
  std::unique_ptr<bool[]> answers;
  std::size_t room = 0;
  while (const record_batch* batch = in.next()) {
    const auto all = batch->keys();
    if (room < all.size()) answers = std::make_unique<bool[]>(room = all.size());
    may_contain(all, {answers.get(), all.size()});
    if (seen) seen(all);
    found.checked += all.size();
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (answers[i]) continue;
      ++found.missing;
      if (found.examples.size() < max_examples)
        found.examples.push_back(
            fmt::format("{}: {}", batch->place(i), printable(batch->texts()[i])));
    }
  }
  return found;
}

}  // namespace bloomery::cli
