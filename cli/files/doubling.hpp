// A full filter that can be doubled gets room for as many keys again, while keys are
// inserted.
#pragma once

#include <string>
#include <vector>

#include "files/loaded_filter.hpp"
#include "sizes/rate_limit.hpp"

namespace bloomery::cli {

struct doubling {
  rate_limit limit;
  bool forced = false;  // the limit is none
  // Receipts of a run would be of two layouts, and those of the first are refused.
  bool issues_receipts = false;
  // One sentence for each time that it was doubled, with the rates.
  std::vector<std::string> said;

  // False: this kind cannot be doubled.  Otherwise there is room.  Throws failure: the
  // limit is reached, receipts are issued, no bits or memory are left; the filter is as
  // it was.
  bool make_room(loaded_filter& f);
};

}  // namespace bloomery::cli
