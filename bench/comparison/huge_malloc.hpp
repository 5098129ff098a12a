// Other libraries' filters lie where malloc puts them: in small pages, unless it is set
// otherwise before it starts.  Ours request huge pages, so all must, or the TLB is what
// is compared.
#pragma once

namespace bloomery::bench {

// Starts this program again, once, with malloc in huge pages (glibc 2.35 or later, other
// systems ignore it).  Returns if that has been done, if the caller has set
// GLIBC_TUNABLES, or if the program cannot be started.
void use_huge_malloc(char** argv);

}  // namespace bloomery::bench
