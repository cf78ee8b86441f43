// What kernels print: a queue in the device that is emptied to standard output where the host waits for the
// device. The end of the program is no such place: what is in the queue then never appears, as on a GPU.
#pragma once

#include <cstddef>

namespace cuemu {

/// Writes everything that kernels have printed so far to standard output.
void flush_device_output();
/// The program ends: drops what is left, and says so.
void lose_device_output();
/// The queue's size in bytes; beyond it the oldest output is lost, as on a GPU.
void set_print_queue(std::size_t bytes);
std::size_t print_queue();

}  // namespace cuemu
