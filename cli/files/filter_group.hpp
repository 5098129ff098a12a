// Filters that are queried with the same keys.  They may differ in kind, hash, dialect
// and in what their keys are: each spells a key its own way.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/query_filter.hpp"
#include "files/read_request.hpp"
#include "files/source.hpp"
#include "keys/record_format.hpp"

namespace bloomery::cli {

class filter_group {
 public:
  // `written`: how keys are written, but for what each filter says of its keys.
  // Throws failure.  REQUIRES: asked outlives it
  filter_group(const std::vector<std::string>& paths, const read_request& asked,
               const record_format& written);
  filter_group(const filter_group&) = delete;

  std::size_t size() const { return members_.size(); }
  const query_filter& filter(std::size_t i) const { return members_[i].filter; }

  // How keys are to be read: encoded already where all filters encode them alike.
  const record_format& reading() const { return reading_; }

  using place_of = std::function<std::string(std::size_t)>;
  // The i-th filter's answers for keys that were read by reading().  Throws failure: a
  // key that this filter's type cannot spell, at place(index); a file that was changed.
  void ask(std::size_t i, std::span<const std::string_view> keys, const place_of& place,
           std::span<bool> out);
  // The same, of keys as they are written.
  void query_as_written(std::size_t i, std::span<const std::string_view> keys,
                        const place_of& place, std::span<bool> out);

 private:
  struct member {
    member(const std::string& path, const read_request& asked,
           const record_format& written);

    source from;
    query_filter filter;
    record_format format;
  };

  std::deque<member> members_;  // which never move: a filter points into its source
  record_format reading_;
  bool is_encoded_ = true;
  std::string bytes_;  // of the keys that were encoded last
  std::vector<std::string_view> encoded_;
};

}  // namespace bloomery::cli
