#include "files/insert_keys.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <span>

#include "files/dialects.hpp"
#include "keys/read_ahead.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

// A batch of hashes, and the answers to it.
class native_batch {
 public:
  std::span<const key> hash(const hasher& h, std::span<const std::string_view> spelt) {
    hashes_.resize(spelt.size());
    hash_spelt(h, spelt, hashes_);
    return hashes_;
  }
  std::span<bool> answers() {
    if (room_ < hashes_.size())
      absent_ = std::make_unique<bool[]>(room_ = hashes_.size());
    return {absent_.get(), hashes_.size()};
  }

 private:
  std::vector<key> hashes_;
  std::unique_ptr<bool[]> absent_;
  std::size_t room_ = 0;
};

std::uint64_t insert_new(any_filter& to, std::span<const key> keys,
                         std::span<bool> absent) {
  if (const auto in = to.insert_if_absent(keys, absent); !in)
    throw failure(describe(to.kind(), in.error()));
  return static_cast<std::uint64_t>(std::ranges::count(absent, true));
}

[[noreturn]] void refuse_foreign(const std::string& path, const foreign_filter& f,
                                 std::string_view why) {
  throw failure(
      fmt::format("{}: keys cannot be added to this {} filter: {}; the file is "
                  "unchanged: rebuild it where it came from, or build a native "
                  "filter from the keys",
                  path, f.dialect(), why));
}

// A key that is not found afterwards would be a false negative from the first day.
bool insert_new(const std::string& path, foreign_filter& to, std::string_view key) {
  const bool absent = !to.may_contain(key);
  if (const auto in = to.insert(key); !in) refuse_foreign(path, to, in.error().what);
  if (!to.may_contain(key)) refuse_foreign(path, to, "a key is not found in it");
  return absent;
}

// Checked before keys are read, where the form of the bytes shows it.
void check_written(const std::string& path, const foreign_filter& f) {
  const dialect_facts& facts = dialect_named(f.dialect()).facts;
  const bool is_read_only = std::ranges::any_of(
      variants_of(facts),
      [&](const variant_facts& v) { return v.name == f.variant() && !v.writes; });
  if (!facts.writes || is_read_only)
    refuse_foreign(path, f, "bytes of this form are read, not written");
}

}  // namespace

void check_insertable(loaded_filter& f) {
  if (const auto* foreign = std::get_if<foreign_filter>(&f.filter))
    return check_written(f.path, *foreign);
  // A kind without the call says so, and which kinds have it.
  auto& native = std::get<any_filter>(f.filter);
  if (const auto can = native.insert_if_absent({}, {}); !can)
    throw failure(describe(f.path, can.error()));
}

inserted_keys insert_keys(updated_file& to, const std::vector<std::string>& files,
                          const record_format& format, bool quiet) {
  inserted_keys all;
  loaded_filter& f = to.loaded();
  const hasher hash = to.hash();
  native_batch hashed;
  read_ahead in(files, format, "inserting", quiet);
  while (const record_batch* batch = in.next()) {
    const auto keys = batch->keys();
    const auto hashes = hashed.hash(hash, keys);
    to.note_keys(hashes);
    all.read += keys.size();
    if (auto* native = std::get_if<any_filter>(&f.filter))
      all.fresh += insert_new(*native, hashes, hashed.answers());
    else
      for (const std::string_view key : keys)
        all.fresh += insert_new(f.path, std::get<foreign_filter>(f.filter), key);
  }
  return all;
}

}  // namespace bloomery::cli
