// Rows as they are, those that are selected.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "text/output.hpp"

namespace bloomery::cli {

// Writes texts[i] and the terminator where answers[i] == wanted.  `side_by_side`: the
// texts lie one after the other in memory, each with its terminator; neighbours are then
// written in one piece.  REQUIRES: texts.size() >= answers.size()
inline void write_selected(output& out, std::span<const std::string_view> texts,
                           std::span<const bool> answers, bool wanted, bool side_by_side,
                           char terminator) {
  const std::size_t n = answers.size();
  for (std::size_t i = 0; i < n;) {
    if (answers[i] != wanted) {
      ++i;
    } else if (!side_by_side) {
      out.write(texts[i++]);
      out.write(terminator);
    } else {
      const char* const from = texts[i].data();
      while (i + 1 < n && answers[i + 1] == wanted) ++i;
      const char* const to = texts[i].data() + texts[i].size() + 1;
      out.write({from, static_cast<std::size_t>(to - from)});
      ++i;
    }
  }
}

}  // namespace bloomery::cli
