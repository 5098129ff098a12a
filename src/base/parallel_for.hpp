// Several threads for one job, without exceptions.
#pragma once

namespace bloomery::base {

// Runs work(context, 0) .. work(context, shares - 1), each once, on as many threads as
// the system gives (this one included), and returns when all are done.  What one of them
// wrote is then visible to the caller.  REQUIRES: shares >= 1
void parallel_for(unsigned shares, void (*work)(void* context, unsigned share) noexcept,
                  void* context) noexcept;

template <class Work>  // work(share)
void parallel_for(unsigned shares, Work work) noexcept {
  parallel_for(
      shares,
      [](void* context, unsigned share) noexcept {
        (*static_cast<Work*>(context))(share);
      },
      &work);
}

}  // namespace bloomery::base
