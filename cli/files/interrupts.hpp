// Signals that would end the tool in the middle of something.
#pragma once

#include <string>

namespace bloomery::cli {

// While it lives, SIGINT, SIGTERM and SIGHUP wait; the destructor delivers them.
class deferred_interrupts {
 public:
  deferred_interrupts();
  ~deferred_interrupts();
  deferred_interrupts(const deferred_interrupts&) = delete;
};

// From here on SIGINT, SIGTERM and SIGHUP are noted once, so that the work can be saved:
// look at `interrupt`.  The second one ends the tool at once, and so does the first if
// nobody looks for 5 seconds, as when the output is blocked; so does SIGPIPE.  What is on
// disk then is said on standard error: `last_words`, on one line.
void note_interrupts(const std::string& last_words);
void set_last_words(const std::string& last_words);

// The signal that was noted; 0: none.  From now on there is time to save.
int interrupt();

// Ends the tool as the signal does that was noted.
[[noreturn]] void end_by_interrupt();

}  // namespace bloomery::cli
