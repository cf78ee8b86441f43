// dump.cu: where all balls are, to a file, while the simulation goes on.
//
// A frame is packed to 16 bits a coordinate into a buffer of its own, so that the next step may change P and Q. From there
// it travels in a stream of its own. The host writes the frame before the last: no thread waits for the disk, or for a copy
// that is under way. Two slots, each with a buffer on the device and one on the host, are enough for that:
//
//     simulation's stream   step 0, pack ▶ slot 0 │ step 1, pack ▶ slot 1 │ step 2, pack ▶ slot 0 │ step 3 …
//     stream of the copies                        │ copy slot 0           │ copy slot 1           │ copy slot 0 …
//     host                                                                │ write slot 0          │ write slot 1 …
//
// Three things must wait: a copy for its packing, the host for the copy that it writes, and the next packing into a slot
// for the end of the slot's last copy.
//
// Run it:  grader lab5.1
//          nbody 8192 1024 --dump balls.frames
#include <lab/check.hpp>
#include <lab/frames.hpp>
#include <lab/todo.hpp>

#include "nbody.h"

// A frame as the file has it: x, y and z of each ball in 16 bits.   grid: as many threads as balls, or a few more
//   packed   (N, 3), written
__global__ void packKernel(std::uint16_t* packed, const lab::Position* positions, int N, float low,
                           float scale) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  // ---- part 5: three coordinates in 16 bits ------------------------------------------------------------------------
  (void)packed, (void)positions, (void)low, (void)scale;  // until they are used: no warning
  LAB_TODO(5);
  // ---- end of part 5 -----------------------------------------------------------------------------------------------
}

// A frame begins its way to the file. Returns at once, except for the disk and the frame before the last.
//   state   whose positions are to be written, as they are when all launches before this call have ended
void FrameStream::add(const DeviceBalls& state) {
  // ---- part 5: a frame begins its way ------------------------------------------------------------------------------
  // Frame number frames_ goes through the slot frames_ % 2. The drawing above shows what waits for what: the packing for the
  // slot's last copy (writeOut), the copy for the packing (cudaStreamWaitEvent). The host waits for neither.
  (void)packKernel, (void)state;  // until they are used: no warning
  LAB_TODO(5);
  // ---- end of part 5 -----------------------------------------------------------------------------------------------
}

// The frame of a slot goes to the file, if there is one.
void FrameStream::writeOut(Slot& slot) {
  // ---- part 5: a frame to the file ---------------------------------------------------------------------------------
  // When may the host read slot.host? A slot may also be empty.
  (void)slot;  // until they are used: no warning
  LAB_TODO(5);
  // ---- end of part 5 -----------------------------------------------------------------------------------------------
}

// The last two frames, the older one first.
void FrameStream::finish() {
  writeOut(slots_[frames_ % 2]);
  writeOut(slots_[(frames_ + 1) % 2]);
}
