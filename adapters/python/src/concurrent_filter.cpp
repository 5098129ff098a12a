#include "concurrent_filter.hpp"

#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include <bloomery/concurrent.hpp>
#include <bloomery/kinds.hpp>
#include <bloomery/snapshot.hpp>

#include "documented.hpp"
#include "facts.hpp"
#include "filter.hpp"
#include "slots.hpp"
#include "visited.hpp"
#include "without_gil.hpp"

namespace bloomery::py {
namespace {

// Every kind that threads can share, each under its usual policy; and those that can be
// locked by line, under that one.
template <class F>
struct has_concurrent
    : std::bool_constant<shared_by_threads<F, typename default_policy<F>::type>> {};
template <class F>
struct is_lockable : std::bool_constant<lockable<F>> {};
template <class F>
using usual = concurrent<F>;
template <class F>
using by_line = concurrent<F, locked>;
using concurrent_variant =
    detail::joined<detail::filtered<filter_types, has_concurrent>::type::map<usual>,
                   detail::filtered<filter_types, is_lockable>::type::map<by_line>>::
        type::apply<std::variant>;

// The filter that threads share.
template <class C>
using plain_of = std::remove_cvref_t<decltype(*std::declval<const C&>().snapshot())>;

// Takes in a filter that nobody shares.
template <class C>
concept merging = requires(C& c, const plain_of<C>& plain) {
  c.merge(plain);
};
static_assert(deduplicating<concurrent<block_bloom>>);

struct concurrent_object {
  concurrent_variant filter;
  hasher hash;
  mutable turns access{};  // readers only

  explicit concurrent_object(concurrent_variant f)
      : filter(std::move(f)),
        hash(std::visit([](const auto& any) { return any.hasher(); }, filter)) {}

  template <class Use>
  auto visit(Use use) {
    return std::visit(use, filter);
  }
  template <class Use>
  auto visit(Use use) const {
    return std::visit(use, filter);
  }
  bool ask(key k) const noexcept {
    return visit([&](const auto& f) noexcept { return f.may_contain(k); });
  }
  void ask(std::span<const key> ks, std::span<bool> out) const noexcept {
    visit([&](const auto& f) noexcept { f.may_contain(ks, out); });
  }
  result<void> add(key k) noexcept {
    return visit([&]<class C>(C& f) noexcept -> result<void> {
      if constexpr (insertable<plain_of<C>>)
        return f.insert(k), result<void>();
      else
        return f.try_insert(k);
    });
  }
  added_keys add(std::span<const key> ks) noexcept {
    return visit([&]<class C>(C& f) noexcept -> added_keys {
      if constexpr (insertable<plain_of<C>>) {
        f.insert(ks);
        return {ks.size()};
      } else {
        for (std::size_t i = 0; i < ks.size(); ++i)
          if (const auto done = f.try_insert(ks[i]); !done) return {i, done.error()};
        return {ks.size()};
      }
    });
  }
  visited<concurrent_variant> measurable() const noexcept { return {filter}; }
};

const kind_facts& kind_of(const concurrent_object& f) {
  return *f.visit([]<class F>(const F&) { return &plain_of<F>::kind; });
}

error no_call(const concurrent_object& f, const char* call) {
  static thread_local std::string text;
  text = "a concurrent filter of the kind " + std::string(kind_of(f).name) + " has no " +
         call;
  return {errc::unsupported, text.c_str()};
}

concurrent_variant adopted(any_filter plain, const std::string& policy) {
  if (policy != "" && policy != "wait-free" && policy != "locked")
    raise_invalid("policy: 'wait-free' or 'locked'");
  const bool is_locked = policy == "locked";
  auto made = plain.visit([&]<class F>(F& f) -> result<concurrent_variant> {
    if constexpr (lockable<F>)
      if (is_locked) {
        auto shared = by_line<F>::adopt(std::move(f));
        if (!shared) return shared.error();
        return concurrent_variant(*std::move(shared));
      }
    if (is_locked)
      return error{errc::unsupported,
                   "the locked policy is for kinds whose keys fall into a line or two"};
    if constexpr (has_concurrent<F>::value) {
      auto shared = usual<F>::adopt(std::move(f));
      if (!shared) return shared.error();
      return concurrent_variant(*std::move(shared));
    } else {
      return error{errc::unsupported, "threads cannot share a filter of this kind"};
    }
  });
  return must(std::move(made));
}

PyObject* add(concurrent_object& f, PyObject* o) noexcept {
  key k;
  if (!hash_key(f.hash, o, k)) return nullptr;
  if (const auto done = f.add(k); !done) return set_error(done.error()), nullptr;
  Py_INCREF(Py_None);
  return Py_None;
}

PyObject* add_if_absent(concurrent_object& f, PyObject* o) noexcept {
  key k;
  if (!hash_key(f.hash, o, k)) return nullptr;
  const auto is_new = f.visit([&]<class C>(C& any) -> result<bool> {
    if constexpr (deduplicating<C>)
      return any.insert_if_absent(k);
    else
      return no_call(f, "insert_if_absent");
  });
  if (!is_new) return set_error(is_new.error()), nullptr;
  return PyBool_FromLong(*is_new);
}

PyMethodDef methods[] = {
    {"add", one_argument<concurrent_object, add>, METH_O, nullptr},
    {"insert", one_argument<concurrent_object, add>, METH_O, nullptr},
    {"add_if_absent", one_argument<concurrent_object, add_if_absent>, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr}};

// Without turns: other threads insert meanwhile.
void update(concurrent_object& f, const nb::args& batches) {
  std::size_t done = 0;
  try {
    for (const nb::handle keys : batches)
      for_each_column(keys, f.hash, [&](const column& c) {
        const added_keys added = without_gil([&] {
          return add_groups(c, f.hash,
                            [&](std::span<const key> ks) { return f.add(ks); });
        });
        done += added.count;
        if (added.refused) raise(*added.refused);
      });
  } catch (nb::python_error& e) {
    raise_after(done, e);
  }
}

nb::object update_if_absent(concurrent_object& f, nb::handle keys) {
  answers out;
  std::optional<error> wrong;
  for_each_column(keys, f.hash, [&](const column& c) {
    bool* const to = out.extend(c);
    without_gil([&] {
      answer_groups(c, f.hash, to, [&](std::span<const key> ks, std::span<bool> here) {
        return f.visit([&]<class C>(C& any) {
          if constexpr (deduplicating<C>)
            any.insert_if_absent(ks, here);
          else
            wrong = no_call(f, "insert_if_absent");
          return !wrong;
        });
      });
      return 0;
    });
    if (wrong) raise(*wrong);
  });
  return as_array(std::move(out));
}

void erase_present(concurrent_object& f, nb::handle o) {
  key k;
  if (!hash_key(f.hash, o.ptr(), k)) throw nb::python_error();
  must(f.visit([&]<class C>(C& any) -> result<void> {
    if constexpr (erasable<plain_of<C>>)
      return any.erase_present(k);
    else
      return no_call(f, "erase_present");
  }));
}

filter_object snapshot(const concurrent_object& f) {
  return filter_object(must(without_gil([&] {
    return f.visit([](const auto& any) -> result<any_filter> {
      auto made = any.snapshot();
      if (!made) return made.error();
      return any_filter(*std::move(made));
    });
  })));
}

void merge(concurrent_object& f, const filter_object& other) {
  const read_turn turn(other.access);
  must(without_gil([&] {
    return f.visit([&]<class F>(F& mine) {
      return other.filter.visit([&]<class G>(const G& theirs) -> result<void> {
        if constexpr (!std::is_same_v<plain_of<F>, G>)
          return error{errc::incompatible, "the filters differ in kind"};
        else if constexpr (merging<F>)
          return mine.merge(theirs);
        else
          return no_call(f, "merge");
      });
    });
  }));
}

}  // namespace

void bind_concurrent_filter(nb::module_& m) {
  set_docs("ConcurrentFilter", methods);
  PyType_Slot slots[] = {{Py_tp_methods, methods},
                         {Py_sq_contains, slot(contains<concurrent_object>)},
                         {0, nullptr}};
  auto c = nb::class_<concurrent_object>(m, "ConcurrentFilter", nb::type_slots(slots),
                                         nb::is_weak_referenceable());
  c.def(
       "__init__",
       [](concurrent_object* self, nb::handle capacity, nb::handle fpr,
          const std::string& policy, nb::kwargs options) {
         options["capacity"] = capacity;
         options["fpr"] = fpr;
         new (self) concurrent_object(adopted(request_of(options).make(), policy));
       },
       nb::arg("capacity") = nb::none(), nb::arg("fpr") = nb::none(),
       nb::arg("policy") = "", nb::arg("options"))
      .def_static(
          "of",
          [](const filter_object& plain, const std::string& policy) {
            const read_turn turn(plain.access);
            return new concurrent_object(adopted(must(plain.filter.clone()), policy));
          },
          nb::arg("plain"), nb::arg("policy") = "")
      .def("update", &update, nb::arg("batches"))
      .def(
          "may_contain",
          [](concurrent_object& f, nb::handle keys) {
            return as_array(ask_all(f, keys));
          },
          nb::arg("keys").none())
      .def(
          "may_contain_arrow",
          [](concurrent_object& f, nb::handle keys) { return ask_all(f, keys); },
          nb::arg("keys").none())
      .def("update_if_absent", &update_if_absent, nb::arg("keys").none())
      .def("erase_present", &erase_present, nb::arg("key").none())
      .def("snapshot", &snapshot)
      .def("merge", &merge, nb::arg("other"))
      .def(
          "__ior__",
          [](nb::handle_t<concurrent_object> self, const filter_object& other) {
            merge(nb::cast<concurrent_object&>(self), other);
            return nb::borrow(self);
          },
          nb::is_operator())
      .def(
          "save",
          [](const concurrent_object& f, nb::handle path) {
            const std::string name = path_of(path);
            must(without_gil([&] {
              return f.visit([&](const auto& any) -> result<void> {
                return save_snapshot(any, name.c_str());
              });
            }));
          },
          nb::arg("path").none())
      .def_prop_ro("kind", [](const concurrent_object& f) { return kind_of(f).name; })
      .def("__repr__", [](const concurrent_object& f) {
        return describe("ConcurrentFilter", kind_of(f).name, f.measurable().capacity(),
                        f.measurable().size_in_bytes(), f.hash);
      });
  bind_facts(c);
  bind_measures(c);
}

}  // namespace bloomery::py
