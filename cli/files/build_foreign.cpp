#include "files/build_foreign.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <new>
#include <optional>
#include <utility>

#include <bloomery/build.hpp>

#include "keys/read_ahead.hpp"
#include "sizes/option_text.hpp"
#include "sizes/overfull.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

void refuse_native_options(const dialect& how, const build_options& o) {
  const std::string option = !o.size.options.empty()
                                 ? option_name(*o.size.options.begin()->option)
                             : !o.hash.empty()             ? "--hash"
                             : !o.form.secret_file.empty() ? "--secret-file"
                             : o.size.memory               ? "--memory"
                             : o.memory_limit              ? "--memory-limit"
                             : o.fast                      ? "--fast"
                                                           : "";
  if (!option.empty())
    throw failure(fmt::format(
        "{}: {} filters are defined by their owner and take none{}", option,
        how.facts.name, o.size.memory ? "; --bits M or --bits-per-key B size them" : ""));
}

foreign_params params_of(const build_options& o, std::uint64_t keys, key_form form) {
  foreign_params p;
  static_cast<foreign_options&>(p) = foreign_options_of(o.form, form);
  p.keys = keys;
  p.fpr = o.size.fpr;
  p.bits_per_key = o.size.bits_per_key;
  return p;
}

foreign_filter make(const dialect& how, const build_options& o, std::uint64_t keys,
                    key_form form) {
  auto made = foreign_filter::make(how.facts.name, params_of(o, keys, form));
  if (made) return *std::move(made);
  throw failure(describe(how.facts.name, made.error()) +
                needed_if(made.error(), how.facts));
}

void insert(foreign_filter& to, std::string_view key) {
  if (const auto done = to.insert(key); !done)
    throw failure(describe(to.dialect(), done.error()));
}

// The bytes of keys, one after the other: a foreign filter hashes them itself, after it
// is known how many there are.
class kept_keys {
 public:
  void add(std::string_view key) {
    bytes_.append(key);
    ends_.push_back(bytes_.size());
  }
  template <class Use>
  void for_each(Use use) const {
    std::size_t from = 0;
    for (const std::size_t end : ends_) {
      use(std::string_view(bytes_).substr(from, end - from));
      from = end;
    }
  }

 private:
  std::string bytes_;
  std::vector<std::size_t> ends_;
};

foreign_filter build_sized(const dialect& how, const build_options& o, key_form form,
                           const record_format& format) {
  foreign_filter filter = make(how, o, *o.capacity, form);
  read_ahead in(o.files, format, "building", o.quiet);
  while (const record_batch* batch = in.next())
    for (const std::string_view key : batch->keys()) insert(filter, key);
  return filter;
}

foreign_filter build_counted(const dialect& how, const build_options& o, key_form form,
                             const record_format& format) {
  // Options that no filter can be made with are refused before keys are read.
  (void)make(how, o, 1000, form);
  kept_keys kept;
  distinct_keys distinct;
  {
    std::vector<key> hashes;
    read_ahead in(o.files, format, "counting keys", o.quiet);
    while (const record_batch* batch = in.next()) {
      hashes.resize(batch->keys().size());
      hasher::xxh3().hash(batch->keys(), hashes);
      if (!distinct.add(hashes)) throw std::bad_alloc();
      for (const std::string_view key : batch->keys()) kept.add(key);
    }
  }
  const auto all = distinct.all();
  if (!all) throw std::bad_alloc();
  foreign_filter filter = make(how, o, std::max<std::uint64_t>(1, all->size()), form);
  kept.for_each([&](std::string_view key) { insert(filter, key); });
  return filter;
}

// A filter that is written only from all its keys.
foreign_filter build_whole(const dialect& how, const build_options& o, key_form form,
                           const record_format& format) {
  if (o.capacity)
    throw failure(fmt::format("--capacity: {} filters are sized for the keys they have",
                              how.facts.name));
  kept_keys kept;
  {
    read_ahead in(o.files, format, "reading keys", o.quiet);
    while (const record_batch* batch = in.next())
      for (const std::string_view key : batch->keys()) kept.add(key);
  }
  std::vector<std::string_view> keys;
  kept.for_each([&](std::string_view key) { keys.push_back(key); });
  auto built = foreign_filter::build(how.facts.name, params_of(o, 0, form), keys);
  if (built) return *std::move(built);
  throw failure(describe(how.facts.name, built.error()));
}

}  // namespace

foreign_filter build_foreign(const dialect& how, const build_options& o) {
  refuse_native_options(how, o);
  const key_choice keys = choose_key(
      key_type_named(o.form.key_type.empty() ? "bytes" : o.form.key_type), how.facts);
  const record_format format = with_encoding(o.format, keys.encoding);
  if (how.facts.builds) return build_whole(how, o, keys.form, format);
  foreign_filter filter = o.capacity ? build_sized(how, o, keys.form, format)
                                     : build_counted(how, o, keys.form, format);
  if (o.capacity)
    warn_if_overfull(filter, *o.capacity, "raise --capacity or leave it out");
  return filter;
}

}  // namespace bloomery::cli
