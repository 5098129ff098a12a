// Signals that end the tool while it changes a filter file.
#pragma once

#include <string>

namespace bloomery::cli {

// SIGINT, SIGTERM and SIGHUP wait until it is gone, and then do what they did before: a
// file that is being replaced is finished, and no temporary file is left.
class deferred_interrupts {
 public:
  deferred_interrupts();
  ~deferred_interrupts();
  deferred_interrupts(const deferred_interrupts&) = delete;
};

// What is said on standard error if one of them, or a closed standard output (SIGPIPE),
// ends the tool.  It ends by the signal all the same.
void note_if_interrupted(const std::string& message);

}  // namespace bloomery::cli
