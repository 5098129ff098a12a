// Several threads for one job, without exceptions.
#pragma once

namespace bloomery::base {

// Runs work(context, 0) .. work(context, members - 1), each once, on as many threads as
// the system gives (this one included), and returns when all are done.  What one of them
// wrote is then visible to the caller.  REQUIRES: members >= 1
void run_team(unsigned members, void (*work)(void* context, unsigned member) noexcept,
              void* context) noexcept;

template <class Work>  // work(member)
void run_team(unsigned members, Work work) noexcept {
  run_team(
      members,
      [](void* context, unsigned member) noexcept {
        (*static_cast<Work*>(context))(member);
      },
      &work);
}

}  // namespace bloomery::base
