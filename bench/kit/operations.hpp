// What is measured of every filter: one row each of the table and of --json.
#pragma once

#include <array>
#include <cstddef>

namespace bloomery::bench {

enum class operation : std::size_t {
  insert,
  insert_batched,
  string_insert_batched,
  erase,
  erase_batched,
  present,
  present_batched,
  string_present_batched,
  absent,
  absent_batched,
  string_absent_batched,
  mixed,
  mixed_batched,
};

struct operation_info {
  operation what;
  const char* name;           // in JSON: name_ns, name_median_ns
  const char* label;          // in tables
  bool writes;                // its floor is read-modify-write
  operation textbook;         // what a program without batches does instead; of erases
                              // there is none
  const char* textbook_name;  // in JSON; null where that is another row's

  // Only kinds that delete keys have it.
  bool erases() const noexcept {
    return what == operation::erase || what == operation::erase_batched;
  }
};

inline constexpr std::array operations{
    operation_info{operation::insert, "insert", "insert", true, operation::insert,
                   "textbook_insert"},
    operation_info{operation::insert_batched, "insert_batched", "insert, batched", true,
                   operation::insert, nullptr},
    operation_info{operation::string_insert_batched, "string_insert_batched",
                   "insert 16-byte strings, batched", true,
                   operation::string_insert_batched, "textbook_string_insert"},
    operation_info{operation::erase, "erase", "erase", true, operation::insert, nullptr},
    operation_info{operation::erase_batched, "erase_batched", "erase, batched", true,
                   operation::insert, nullptr},
    operation_info{operation::present, "present", "present", false, operation::present,
                   "textbook_present"},
    operation_info{operation::present_batched, "present_batched", "present, batched",
                   false, operation::present, nullptr},
    operation_info{operation::string_present_batched, "string_present_batched",
                   "present 16-byte strings, batched", false,
                   operation::string_present_batched, "textbook_string_present"},
    operation_info{operation::absent, "absent", "absent", false, operation::absent,
                   "textbook_absent"},
    operation_info{operation::absent_batched, "absent_batched", "absent, batched", false,
                   operation::absent, nullptr},
    operation_info{operation::string_absent_batched, "string_absent_batched",
                   "absent 16-byte strings, batched", false,
                   operation::string_absent_batched, "textbook_string_absent"},
    operation_info{operation::mixed, "mixed", "50/50", false, operation::mixed,
                   "textbook_mixed"},
    operation_info{operation::mixed_batched, "mixed_batched", "50/50, batched", false,
                   operation::mixed, nullptr},
};

constexpr const operation_info& info_of(operation o) noexcept {
  return operations[static_cast<std::size_t>(o)];
}
static_assert(
    [] {
      for (const operation_info& o : operations)
        if (&info_of(o.what) != &o) return false;
      return true;
    }(),
    "the rows are in the order of the enumeration");

// A T for each operation.
template <class T>
class per_operation {
 public:
  T& operator[](operation o) noexcept { return values_[static_cast<std::size_t>(o)]; }
  const T& operator[](operation o) const noexcept {
    return values_[static_cast<std::size_t>(o)];
  }

 private:
  std::array<T, operations.size()> values_{};
};

}  // namespace bloomery::bench
