// Peer access: a device's access to the memory of other devices.
#pragma once

namespace cuemu {

/// Disables all peer access to and from `device`, as at the program's start.
void forget_peers(int device);

}  // namespace cuemu
