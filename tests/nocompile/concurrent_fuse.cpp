// A filter that is built once is shared as it is: all its calls are const.
#include <bloomery/concurrent.hpp>
#include <bloomery/fuse.hpp>

#ifdef BLOOMERY_NOCOMPILE
bool put(const bloomery::concurrent<bloomery::fuse>& f) { return f.may_contain("key"); }
#else
bool put(const bloomery::fuse& f) { return f.may_contain("key"); }
#endif
