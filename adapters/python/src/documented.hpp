// Signatures and docstrings of the module, as its stubs have them: what help() shows.
//
// A function of nanobind has no __text_signature__, so inspect knows nothing of it.  Each
// is put behind a method of CPython's own sort, which has.
#pragma once

#include "python.hpp"

namespace bloomery::py {

// Sets the docstrings of such methods of a class.  Before the class is made.
void set_docs(const char* owner, PyMethodDef* methods) noexcept;

// Everything else.  After all of the module is bound.
void document(nb::module_& m);

}  // namespace bloomery::py
