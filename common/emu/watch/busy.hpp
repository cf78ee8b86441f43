// Keeps the emulation's own work out of what tools are told.
//
// A template that the kit and the user's program both use, such as std::copy(), is one function in the program: the linker may
// choose the user's, which tells the tools of each copy that it makes. Where the runtime or a tool makes it, under a lock of its
// own, the tool would wait for that lock forever.
#pragma once

namespace cuemu {

/// While one lives, the calling OS thread's copies are the emulation's own, and no tool is told of them.
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
