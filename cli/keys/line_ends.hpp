// Lines that end in CR LF into lines that end in LF, piece by piece.
//
// The first line decides: the start of a slow pipe may be no more than that.  If it ends
// in CR LF every line must, to the end of the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace bloomery::cli {

class line_ends {
 public:
  enum class kind : std::uint8_t { by_first_line, lf, crlf_or_lf };

  explicit line_ends(kind k)
      : kind_(k),
        now_(k == kind::by_first_line ? at::start
             : k == kind::lf          ? at::lf
                                      : at::crlf) {}

  // Nothing is changed from here on: pieces need not be shown.
  bool is_done() const { return now_ == at::lf; }
  bool drops_cr() const { return now_ == at::crlf; }
  bool was_noticed() const { return drops_cr() && kind_ == kind::by_first_line; }

  // A CR at the end of a piece is held back: it is to be put before the next one.
  bool holds_cr() const { return holds_cr_; }
  // Converts a piece in place and returns its new length.  What is ambiguous is in
  // why_not() then.  REQUIRES: not empty
  std::size_t convert(std::span<char> text);
  // Nothing follows.
  void finish();
  const std::string& why_not() const { return why_not_; }

 private:
  enum class at : std::uint8_t { start, lf, crlf };

  std::size_t drop_crs(std::span<char> text);

  kind kind_;
  at now_;
  bool holds_cr_ = false;
  char last_ = 0;            // byte handed out
  std::uint64_t lines_ = 0;  // since the first that ended in CR LF
  std::string why_not_;
};

}  // namespace bloomery::cli
