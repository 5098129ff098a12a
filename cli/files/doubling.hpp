// A full filter that can be doubled gets room for as many keys again, while keys are
// inserted or filters merged.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "files/loaded_filter.hpp"
#include "sizes/rate_limit.hpp"

namespace bloomery::cli {

struct doubling {
  rate_limit limit{};
  bool forced = false;  // the limit is none
  // In messages: what is doubled (empty: the file), what a refusal leaves behind, and
  // what to do.
  std::string what{};
  std::string unchanged = "the file is unchanged";
  std::function<std::string()> remedy = [] {
    return "build a filter with a larger --capacity";
  };
  // One sentence for each time that it was doubled, with the rates.
  std::vector<std::string> said{};

  // False: this kind cannot be doubled.  Otherwise there is room.  Throws failure: the
  // limit is reached, no bits or memory are left; the filter is as
  // it was.
  bool make_room(loaded_filter& f);

 private:
  [[noreturn]] void refuse(const loaded_filter& f, std::string_view why,
                           std::string_view else_do = "") const;
};

}  // namespace bloomery::cli
