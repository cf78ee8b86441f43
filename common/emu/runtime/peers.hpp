// Which devices may use which others' memory.
#pragma once

namespace cuemu {

/// As after the program's start: `device` has access to no other, and no other to it.
void forget_peers(int device);

}  // namespace cuemu
