// What a script works on: variables, and one function for each verb of
// spec/conformance.md, section 4.
#pragma once

#include <map>
#include <span>
#include <string>
#include <variant>

#include <bloomery/any_filter.hpp>
#include <bloomery/container.hpp>
#include <bloomery/foreign_filter.hpp>
#include <bloomery/packed_set.hpp>

#include "line.hpp"
#include "temp_dir.hpp"

namespace bloomery::conform {

class interpreter {
 public:
  // `files`: where the verbs write and read find theirs.
  explicit interpreter(std::string files) : files_(std::move(files)) {}

  // The line of the trace, without its number.  Throws bad_script.
  std::string run(const line& l);

 private:
  using filter = std::variant<any_filter, foreign_filter, packed_set>;

  // verbs_numbers.cpp: nothing is kept
  std::string hash(const line& l);
  std::string check(const line& l);
  std::string size(const line& l);
  std::string promise(const line& l);
  // verbs_filters.cpp
  std::string make(const line& l);
  std::string insert(const line& l, bool batch);
  // query, query-batch, and what count counts
  std::string query(const line& l, bool batch);
  std::string count(const line& l);
  std::string info(const line& l);
  std::string source(const line& l);
  std::string rate(const line& l);
  std::string expect(const line& l);
  std::string merge(const line& l);
  std::string fold(const line& l);
  std::string clear(const line& l);
  std::string equal(const line& l);
  // verbs_bytes.cpp
  std::string encode(const line& l);
  std::string bytes(const line& l);
  std::string show(const line& l);
  std::string flip(const line& l);
  std::string put(const line& l);
  std::string cut(const line& l);
  std::string add(const line& l);
  std::string write(const line& l);
  std::string read(const line& l);
  // verbs_decode.cpp
  std::string decode(const line& l);
  std::string decode_native(const line& l);
  std::string decode_packed(const line& l, const read_options& o);
  std::string inspect(const line& l);

  any_filter& own_filter(const std::string& name);
  std::string& bytes_of(const std::string& name);
  std::span<const std::byte> view_of(const std::string& name);
  template <class Filter>
  void keep(const std::string& name, Filter f) {
    bytes_.erase(name);
    filters_.erase(name);
    filters_.emplace(name, std::move(f));
  }
  std::string keep_bytes(const std::string& name, std::string bytes);

  std::string files_;
  std::map<std::string, filter> filters_;
  std::map<std::string, std::string> bytes_;
  testing::temp_dir scratch_;  // packed sets are opened from files only
  unsigned scratched_ = 0;
};

// How results are written.
std::string shown(const error& e);
std::string shown_at(const error& e);  // with the offset
std::string shown(double rate);

}  // namespace bloomery::conform
