#include "format/container/builder_notes.hpp"

#include "format/container/header.hpp"

namespace bloomery::format {

result<void> check_builder_notes(const write_notes& notes,
                                 const kind_calls* row) noexcept {
  if (!is_recordable_rate(notes.asked_fpr))
    return error{errc::invalid_argument, "the asked rate is not in [0, 1)", 0,
                 notes.asked_fpr};
  if (row != nullptr && !row->facts->keeps_sentinels &&
      (!notes.sentinels.empty() || notes.keys != 0))
    return error{errc::invalid_argument,
                 "this kind carries no sentinels and no count of keys"};
  if (notes.sentinels.size() > max_sentinels)
    return error{errc::invalid_argument, "more than 8 sentinels", 0,
                 static_cast<double>(notes.sentinels.size()), max_sentinels};
  return {};
}

std::size_t first_missing(const kind_calls& row, const void* filter,
                          std::span<const key> sentinels) noexcept {
  std::size_t i = 0;
  while (i < sentinels.size() && row.may_contain(filter, sentinels[i])) ++i;
  return i;
}

result<void> check_builder_notes(const write_notes& notes, const kind_calls& row,
                                 const void* filter) noexcept {
  if (auto ok = check_builder_notes(notes, &row); !ok) return ok;
  const std::size_t i = first_missing(row, filter, notes.sentinels);
  if (i == notes.sentinels.size()) return {};
  return error{errc::invalid_argument, "a sentinel is not in the filter", 0,
               static_cast<double>(i)};
}

}  // namespace bloomery::format
