// Kernels' printf: a queue in the device, written to standard output when the host waits for the device. The program's
// end does not write it: output still queued then is lost, as on a GPU.
#pragma once

#include <cstddef>

namespace cuemu {

/// Writes all output that kernels have queued to standard output.
void flush_device_output();
/// At the program's end: discards the queued output, and reports the loss.
void lose_device_output();
/// Sets the queue's size in bytes; on overflow the oldest output is lost, as on a GPU.
void set_print_queue(std::size_t bytes);
std::size_t print_queue();

}  // namespace cuemu
