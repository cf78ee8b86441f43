// Keeps the emulation's own work out of the tools' events.
//
// If the kit and the user's program both instantiate a template, such as std::copy(), the linked program contains only
// one of the two instances, perhaps the user's, which notifies the tools. If the runtime or a tool called this instance
// while it holds a lock, the notified tool would wait for that lock forever.
#pragma once

namespace cuemu {

/// During the object's lifetime, copies by the calling OS thread belong to the emulation, and no tool is notified of
/// them.
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
