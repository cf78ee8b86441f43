// Which devices may use which other devices' memory.
#pragma once

namespace cuemu {

/// Disables all peer access to and from `device`, as at the program's start.
void forget_peers(int device);

}  // namespace cuemu
