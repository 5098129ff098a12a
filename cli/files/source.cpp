#include "files/source.hpp"

#include <fmt/core.h>

#include <utility>

#include "text/messages.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

// A secret is checked against its id first, so that the message can say what to do.
void check_secret(const source& from, need purpose) {
  const container_facts& f = *from.container;
  if (f.is_keyed() && !from.secret && purpose != need::to_check)
    throw failure(fmt::format(
        "{}: its hash {} is keyed: give the secret it was built with: --secret-file F",
        from.path(), name_of(f.hash)));
  if (!f.is_keyed() && from.secret && !from.asked.is_shared)
    throw failure(fmt::format("{}: its hash {} takes no secret: leave --secret-file out",
                              from.path(), name_of(f.hash)));
  if (f.is_keyed() && from.secret &&
      hasher::siphash13(*from.secret).check() != f.hash_check)
    throw failure(fmt::format(
        "{}: the secret in {} is not the one it was built with (key id {:016x})",
        from.path(), from.asked.secret_file, f.hash_check));
}

void check_options(const source& from) {
  const bool foreign = from.how->of == family::foreign;
  const bool is_for_others = from.asked.is_shared && !foreign;
  if (!is_for_others) check_seed(from.asked, from.how->facts);
  const char* option = is_for_others ? nullptr : from.asked.shape_option();
  if (option != nullptr && !foreign)
    throw failure(fmt::format("{}: {}: a {} file records that itself; leave it out",
                              from.path(), option, from.how->facts.name));
  if (from.asked.part && from.how->of == family::portable)
    throw failure(fmt::format("{}: --part: there is only one filter in it", from.path()));
  if (from.secret && !from.container && !from.asked.is_shared)
    throw failure(fmt::format("{}: --secret-file: the {} dialect has no keyed hash",
                              from.path(), from.how->facts.name));
}

const dialect_facts& facts_of(std::string_view name) { return dialect_named(name).facts; }

const key_type& type_of(const read_request& asked) {
  return key_type_named(asked.key_type.empty() ? "bytes" : asked.key_type);
}

// The keys of a wrapped filter are what its notes say, unless the user says otherwise.
key_choice choose_wrapped_key(const source& from, const foreign_filter& filter) {
  if (!from.asked.key_type.empty())
    return choose_key(type_of(from.asked), facts_of(filter.dialect()));
  key_choice c{{}, filter.options().form};
  c.encoding.is_unknown = c.form == key_form::integer;
  return c;
}

foreign_source load_from_container(const source& from) {
  read_report report;
  auto filter = load_wrapped(from.open_file(), from.reading(), &report);
  if (!filter)
    throw failure(describe(from.path(), filter.error(), context::reading_container));
  const key_choice keys = choose_wrapped_key(from, *filter);
  foreign_options o = filter->options();
  if (o.form == keys.form && !from.asked.part)
    return {*std::move(filter), report.damaged_chunks, keys.encoding};
  // Options overrule the notes: the bytes are decoded again.
  if (report.damaged_chunks != 0)
    throw failure(
        fmt::format("{}: {} chunks are damaged: it can only be queried as it was "
                    "stored; leave --key-type and --part out",
                    from.path(), report.damaged_chunks));
  o.form = keys.form;
  if (from.asked.part) o.part = *from.asked.part;
  auto again = foreign_filter::decode(filter->dialect(), filter->bytes(), o);
  if (!again)
    throw failure(describe(from.path(), again.error(), context::reading_container));
  return {*std::move(again), 0, keys.encoding};
}

foreign_source load_bare(source& from) {
  const dialect_facts& facts = from.how->facts;
  const key_choice keys = choose_key(type_of(from.asked), facts);
  auto filter = foreign_filter::adopt(facts.name, from.file.take_image(),
                                      foreign_options_of(from.asked, keys.form));
  if (filter) return {*std::move(filter), 0, keys.encoding};
  throw failure(describe(from.path(), filter.error(), context::reading_bare) +
                needed_if(filter.error(), facts));
}

}  // namespace

source find_source(const std::string& path, const read_request& asked, need purpose) {
  filter_file file(path, purpose != need::to_write_anew);
  return find_source(file, asked, purpose);
}

source find_source(filter_file& file, const read_request& asked, need purpose) {
  // An unknown name is refused before the file is looked at.
  const dialect* named = asked.dialect.empty() ? nullptr : &dialect_named(asked.dialect);
  if (named != nullptr && asked.is_shared && file.has_container_magic()) named = nullptr;
  const dialect& how = named != nullptr ? *named : recognise(file);
  source from{std::move(file), asked, &how, {}, {}};
  from.secret = secret_of(asked);
  if (from.how->of == family::container) {
    const auto facts = inspect(from.file.file(context::reading_bare));
    if (!facts) from.file.check_unchanged();
    // Without the magic it may be something else.
    if (!facts)
      throw failure(describe(
          from.path(), facts.error(),
          facts.error().at < 8 ? context::reading_bare : context::reading_container));
    from.container = *facts;
    check_secret(from, purpose);
  }
  check_options(from);
  return from;
}

native_keys keys_of(const source& from, const container_facts& facts) {
  const auto recorded = facts.source_at != 0 ? std::optional(facts.source) : std::nullopt;
  return keys_to_query(from.path(), from.asked.key_type, recorded, facts.hash);
}

native_keys bare_keys(const read_request& asked) {
  return {choose_key(type_of(asked), dialects().front().facts).encoding};
}

foreign_source load_foreign(source& from) {
  foreign_source f = from.container ? load_from_container(from) : load_bare(from);
  const auto part = from.asked.part.value_or(0);
  if (from.asked.part && part >= f.filter.parts())
    throw failure(fmt::format("{}: --part {}: it has {} parts, from 0 on", from.path(),
                              part, f.filter.parts()));
  f.encoding = fitted(f.encoding, f.filter);
  return f;
}

}  // namespace bloomery::cli
