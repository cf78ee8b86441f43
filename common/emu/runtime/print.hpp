// The printf of kernels: output goes to a queue in the device, which is written to standard output when the host waits
// for the device. Output that is still queued at the program's end is lost, as on a GPU.
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
