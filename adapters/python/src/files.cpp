#include "files.hpp"

#include <string>

#include <bloomery/container.hpp>

#include "encoded.hpp"
#include "options.hpp"
#include "raise.hpp"
#include "without_gil.hpp"

namespace bloomery::py {
namespace {

nb::dict facts_of(const container_facts& f) {
  nb::dict out;
  out["kind"] = name_of(f.kind);
  out["member"] = name_of(f.member);
  out["hash"] = name_of(f.hash);
  out["seed"] = f.seed;
  out["hash_check"] = f.hash_check;
  out["hashes"] = f.hashes;
  out["units"] = f.units;
  out["asked_fpr"] = f.asked_fpr;
  out["capacity"] = f.capacity;
  out["keys"] = f.keys;
  out["payload_at"] = f.payload_at;
  out["payload_bytes"] = f.payload_bytes;
  out["sentinels"] = f.sentinels;
  out["notes_bytes"] = f.notes_bytes;
  out["chunks"] = f.chunks();
  out["file_bytes"] = f.file_bytes();
  return out;
}

nb::dict inspected(nb::handle path_or_bytes) {
  PyObject* const o = path_or_bytes.ptr();
  if (PyObject_CheckBuffer(o) && !PyUnicode_Check(o)) {
    const byte_argument bytes(path_or_bytes);
    return facts_of(must(inspect(bytes.bytes(), bytes.bytes().size())));
  }
  const std::string name = path_of(path_or_bytes);
  return facts_of(must(without_gil([&] { return inspect(path_ref(name)); })));
}

nb::dict verified(nb::handle path) {
  const std::string name = path_of(path);
  const read_report r =
      must(without_gil([&] { return verify_container(path_ref(name)); }));
  nb::dict out = facts_of(r.facts);
  out["source"] = name_of(r.facts.source);
  out["damaged_chunks"] = r.damaged_chunks;
  out["first_damage_at"] = r.first_damage_at;
  return out;
}

}  // namespace

void bind_files(nb::module_& m) {
  m.def("inspect", &inspected, nb::arg("path_or_bytes").none());
  m.def("verify", &verified, nb::arg("path").none());
}

}  // namespace bloomery::py
