// Keeps the emulation's own work out of the tools' events.
//
// A template that the kit and the user's program both use, such as std::copy(), is one function in the program: the
// linker may choose the user's copy, which notifies the tools. If the runtime or a tool calls it with a lock held, the
// tool would wait for that lock forever.
#pragma once

namespace cuemu {

/// While an object lives, the calling OS thread's copies belong to the emulation, and no tool is notified.
class Busy {
 public:
  Busy() : before_(busy_) { busy_ = true; }
  ~Busy() { busy_ = before_; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;
  static bool now() { return busy_; }

 private:
  static thread_local inline bool busy_ = false;
  const bool before_;
};

}  // namespace cuemu
