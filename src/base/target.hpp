// BLOOMERY_TARGET(text): every function from here to the end of the file is compiled for
// these instruction sets.  Standard headers come before it: their functions are shared.
#pragma once

#define BLOOMERY_PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define BLOOMERY_TARGET(text) \
  BLOOMERY_PRAGMA(            \
      clang attribute push(__attribute__((target(text))), apply_to = function))
#define BLOOMERY_TARGET_END BLOOMERY_PRAGMA(clang attribute pop)
#else
#define BLOOMERY_TARGET(text) BLOOMERY_PRAGMA(GCC target(text))
#define BLOOMERY_TARGET_END
#endif
