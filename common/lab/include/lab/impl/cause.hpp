/// @file
/// Implements cause.hpp.
#pragma once
#include "../cause.hpp"

namespace lab {

LAB_INLINE bool noting::is_one_of_these(const char* call) {
  for (const char* const name : {"cudaFree", "cudaMalloc", "cudaMemcpy", "cudaMemset"}) {
    const std::size_t length = std::strlen(name);
    if (std::strncmp(call, name, length) == 0 && (call[length] == '(' || call[length] == ' ')) return true;
  }
  return false;
}

LAB_INLINE void Sentence::add(const char* format, ...) {
  std::va_list values;
  va_start(values, format);
  const int written = std::vsnprintf(text_ + used_, sizeof text_ - used_, format, values);
  va_end(values);
  if (written > 0) used_ += static_cast<std::size_t>(written);
  if (used_ >= sizeof text_) used_ = sizeof text_ - 1;
}

namespace detail {

/// The text of an argument of a call, without casts and `&`: "d_P" of `cudaFree(d_P)`.
struct Argument {
  char text[80] = "";

  LAB_COLD Argument(const char* call, int place) {
    const char* begin = std::strchr(call, '(');
    if (begin == nullptr) return;
    const char* end = ++begin;
    for (int depth = 0; *end != '\0'; ++end) {
      if (*end == '(' || *end == '[' || *end == '{') ++depth;
      if ((*end == ')' || *end == ']' || *end == '}') && --depth < 0) break;
      if (*end != ',' || depth != 0) continue;
      if (place-- == 0) break;
      begin = end + 1;
    }
    if (place > 0) return;
    while (*begin == ' ' || *begin == '&') ++begin;
    if (*begin == '(' && std::strchr(begin, ')') != nullptr && std::strchr(begin, ')') + 1 < end) {
      const char* const close = std::strchr(begin, ')');
      if (close[-1] == '*') begin = close + 1;  // (void**)&d_P
    }
    while (*begin == ' ' || *begin == '&') ++begin;
    while (end > begin && end[-1] == ' ') --end;
    if (static_cast<std::size_t>(end - begin) < sizeof text)
      std::memcpy(text, begin, static_cast<std::size_t>(end - begin));
  }
};

/// Returns a limit of the device in use; 0 if it has no limit or the query fails.
LAB_COLD LAB_INLINE int device_limit(cudaDeviceAttr attribute) {
  int device = 0, value = 0;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&value, attribute, device) != cudaSuccess)
    return 0;
  return value;
}

/// A launch that was refused.
struct Refused {
  unsigned grid[3] = {1, 1, 1};
  unsigned block[3] = {1, 1, 1};
  std::size_t dynamic_shared = 0;
  std::size_t static_shared = 0;  ///< 0 if unknown
  unsigned bound = 0;             ///< __launch_bounds__; 0 if there is none, or it is unknown
};

enum class Launch {
  refused,  ///< a launch was refused, and its sizes are known
  not_it,   ///< the error does not come from a launch
  not_known
};

/// Finds the launch that caused the program's last error.
LAB_COLD LAB_INLINE Launch find_refused(Refused& launch) {
#if defined(__CUEMU__)
  const ::cuemu::RefusedLaunch* const known = ::cuemu::refused_launch();
  if (known == nullptr) return Launch::not_it;
  launch = {{known->grid.x, known->grid.y, known->grid.z},
            {known->block.x, known->block.y, known->block.z},
            known->dynamic_shared,
            known->static_shared,
            known->max_threads};
  return Launch::refused;
#else
  const char* const noted = std::getenv("LAB_REFUSED_LAUNCH");
  if (noted == nullptr) return Launch::not_known;
  unsigned* const g = launch.grid;
  unsigned* const b = launch.block;
  return std::sscanf(noted, "%u %u %u %u %u %u %zu", &g[0], &g[1], &g[2], &b[0], &b[1], &b[2],
                     &launch.dynamic_shared) == 7
             ? Launch::refused
             : Launch::not_known;
#endif
}

/// Adds a size and its volume: "33 × 33 = 1089", or "1089" in one dimension.
LAB_COLD LAB_INLINE void add_volume(Sentence& text, const unsigned (&size)[3]) {
  const unsigned long long all = 1ull * size[0] * size[1] * size[2];
  if (size[2] != 1)
    text.add("%u × %u × %u = %llu", size[0], size[1], size[2], all);
  else if (size[1] != 1)
    text.add("%u × %u = %llu", size[0], size[1], all);
  else
    text.add("%llu", all);
}

/// Adds the sizes of a grid or a block that are 0 or exceed the limit of their dimension. @return whether there are any
LAB_COLD LAB_INLINE bool add_broken_sizes(Sentence& text, const char* whose, const char* of_what,
                                          const unsigned (&size)[3], const int (&limits)[3]) {
  if (size[0] == 0 || size[1] == 0 || size[2] == 0) {
    text.add("the %s has no %s, %u × %u × %u: does a division round down to 0?", whose, of_what, size[0],
             size[1], size[2]);
    return true;
  }
  for (int i = 0; i < 3; ++i)
    if (limits[i] > 0 && size[i] > static_cast<unsigned>(limits[i])) {
      text.add("the %s has %u %s in %c, but at most %d are allowed", whose, size[i], of_what, "xyz"[i],
               limits[i]);
      return true;
    }
  return false;
}

LAB_COLD LAB_INLINE void add_shared_limit(Sentence& text) {
  text.add("%d bytes", device_limit(cudaDevAttrMaxSharedMemoryPerBlock));
  const int more = device_limit(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  if (more > 0)
    text.add(
        " (up to %d of dynamic shared memory, once cudaFuncSetAttribute with "
        "cudaFuncAttributeMaxDynamicSharedMemorySize has allowed it)",
        more);
}

/// Names the sizes of a refused launch that are too large. Adds nothing if none is known.
LAB_COLD LAB_INLINE void explain_sizes(Sentence& text, const Refused& launch) {
  const int most = device_limit(cudaDevAttrMaxThreadsPerBlock);
  const unsigned long long threads = 1ull * launch.block[0] * launch.block[1] * launch.block[2];
  const int block_limits[] = {device_limit(cudaDevAttrMaxBlockDimX), device_limit(cudaDevAttrMaxBlockDimY),
                              device_limit(cudaDevAttrMaxBlockDimZ)};
  const int grid_limits[] = {device_limit(cudaDevAttrMaxGridDimX), device_limit(cudaDevAttrMaxGridDimY),
                             device_limit(cudaDevAttrMaxGridDimZ)};
  if (most > 0 && threads > static_cast<unsigned long long>(most)) {
    text.add("the block has ");
    add_volume(text, launch.block);
    text.add(" threads, but a block may have at most %d", most);
  } else if (add_broken_sizes(text, "block", "threads", launch.block, block_limits) ||
             add_broken_sizes(text, "grid", "blocks", launch.grid, grid_limits)) {
    return;
  } else if (launch.bound != 0 && threads > launch.bound) {
    text.add("the block has ");
    add_volume(text, launch.block);
    text.add(" threads, but __launch_bounds__ of the kernel allows %u", launch.bound);
  } else if (launch.dynamic_shared + launch.static_shared >
             static_cast<std::size_t>(device_limit(cudaDevAttrMaxSharedMemoryPerBlock))) {
    text.add("the launch asks for %zu bytes of dynamic shared memory", launch.dynamic_shared);
    if (launch.static_shared != 0)
      text.add(" besides %zu of the kernel's __shared__ variables", launch.static_shared);
    text.add(", and a block may have ");
    add_shared_limit(text);
  }
}

LAB_COLD LAB_INLINE void explain_launch(Sentence& text, cudaError_t error) {
  Refused launch;
  const Launch known = find_refused(launch);
  if (known == Launch::not_it) {
    text.add(
        "the launch was accepted: an earlier call failed, and its result was not checked. Check every "
        "call with CUDA_CHECK");
    return;
  }
  if (error == cudaErrorLaunchOutOfResources) {
    text.add("the kernel needs more registers for a block");
    if (known == Launch::refused) {
      text.add(" of ");
      add_volume(text, launch.block);
      text.add(" threads");
    }
    text.add(" than there are (%d): fewer threads per block, or __launch_bounds__ before the kernel",
             device_limit(cudaDevAttrMaxRegistersPerBlock));
    return;
  }
  if (error != cudaErrorInvalidValue && error != cudaErrorInvalidConfiguration) return;
  if (known == Launch::refused) explain_sizes(text, launch);
  if (!text.empty()) return;
  text.add(
      "compare the launch with the device's limits: a block may have %d threads (%d × %d × %d in x, y "
      "and z), a grid %d × %d × %d blocks, neither may be 0, and a block has ",
      device_limit(cudaDevAttrMaxThreadsPerBlock), device_limit(cudaDevAttrMaxBlockDimX),
      device_limit(cudaDevAttrMaxBlockDimY), device_limit(cudaDevAttrMaxBlockDimZ),
      device_limit(cudaDevAttrMaxGridDimX), device_limit(cudaDevAttrMaxGridDimY),
      device_limit(cudaDevAttrMaxGridDimZ));
  add_shared_limit(text);
  if (known == Launch::not_known) text.add(". Or an earlier call failed, and its result was not checked");
}

/// The side of a pointer (host or device), and the bytes of its allocation before and after it.
struct Side {
  enum Memory { null, host, pinned, device, managed } memory = host;
  bool size_known = false;
  std::size_t before = 0;  ///< bytes of its allocation before the pointer
  std::size_t bytes = 0;   ///< bytes from the pointer to the end of its allocation
  bool is_device() const { return memory == device || memory == managed; }
  const char* words() const {
    switch (memory) {
      case null:
        return "a null pointer";
      case pinned:
        return "pinned host memory";
      case device:
        return "device memory";
      case managed:
        return "managed memory";
      default:
        return "not device memory";
    }
  }
};

/// Finds the device allocation that contains an address. @return false if no such allocation exists or is known
LAB_COLD LAB_INLINE bool find_allocation(const void* pointer, std::uintptr_t& begin, std::size_t& bytes) {
#if defined(__CUEMU__)
  return ::cuemu::allocation_of(pointer, begin, bytes);
#elif CUDART_VERSION >= 12050
  // A function of the driver; the program is not linked with the driver's library.
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found;
  constexpr unsigned since = 12000;
  if (cudaGetDriverEntryPointByVersion("cuMemGetAddressRange", &function, since, cudaEnableDefault, &found) !=
          cudaSuccess ||
      found != cudaDriverEntryPointSuccess)
    return false;
  using AddressRange = int (*)(unsigned long long* begin, std::size_t* bytes, unsigned long long address);
  unsigned long long first = 0;
  if (reinterpret_cast<AddressRange>(function)(&first, &bytes, reinterpret_cast<std::uintptr_t>(pointer)) !=
      0)
    return false;
  begin = static_cast<std::uintptr_t>(first);
  return true;
#else
  (void)pointer, (void)begin, (void)bytes;
  return false;
#endif
}

LAB_COLD LAB_INLINE Side side_of(const void* pointer) {
  Side side;
  if (pointer == nullptr) {
    side.memory = Side::null;
    return side;
  }
  cudaPointerAttributes attributes;
  if (cudaPointerGetAttributes(&attributes, pointer) != cudaSuccess) {
    cudaGetLastError();  // older toolkits: an error for the host's memory
    return side;
  }
  side.memory = attributes.type == cudaMemoryTypeDevice    ? Side::device
                : attributes.type == cudaMemoryTypeManaged ? Side::managed
                : attributes.type == cudaMemoryTypeHost    ? Side::pinned
                                                           : Side::host;
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  if (side.is_device() && find_allocation(pointer, begin, bytes)) {
    side.size_known = true;
    side.before = reinterpret_cast<std::uintptr_t>(pointer) - begin;
    side.bytes = bytes - side.before;
  }
  return side;
}

/// Adds a number of bytes. A huge number is followed by the negative number from which it probably results.
LAB_COLD LAB_INLINE void add_bytes(Sentence& text, std::size_t bytes) {
  if (bytes > SIZE_MAX / 2)
    text.add("%zu bytes (that is %lld, a negative number)", bytes, static_cast<long long>(bytes));
  else
    text.add("%zu bytes", bytes);
}

/// Names the side of a copy or fill that exceeds its allocation. @return whether any side does
LAB_COLD LAB_INLINE bool add_overrun(Sentence& text, const char* what, std::size_t bytes, const char* name,
                                     const Side& side) {
  if (!side.size_known || bytes <= side.bytes) return false;
  text.add("%s ", what);
  add_bytes(text, bytes);
  text.add(", and %s has %zu%s: sizes are in bytes, count * sizeof(type), the same at cudaMalloc and here",
           name, side.bytes, side.before != 0 ? " from there on" : "");
  return true;
}

LAB_COLD LAB_INLINE void explain_copy(Sentence& text, const FailedCall& failed, const char* call) {
  static const char* const directions[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                           "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice",
                                           "cudaMemcpyDefault"};
  const Argument to(call, 0), from(call, 1);
  const int way = failed.direction;
  if (way < 0 || way > 4) {
    text.add(
        "the direction of the copy is %d, which is none of cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost "
        "and the like",
        way);
    return;
  }
  const Side into = side_of(failed.to), out_of = side_of(failed.from);
  const bool to_device = way == cudaMemcpyHostToDevice || way == cudaMemcpyDeviceToDevice;
  const bool from_device = way == cudaMemcpyDeviceToHost || way == cudaMemcpyDeviceToDevice;
  const auto wrong = [&](const Side& side, bool device) {
    return side.memory == Side::null ||
           (way != cudaMemcpyDefault && (device ? side.memory == Side::host : side.memory == Side::device));
  };
  if (wrong(into, to_device) || wrong(out_of, from_device)) {
    text.add(
        "%s copies %zu bytes from the %s to the %s, but the destination %s is %s, and the source %s is "
        "%s",
        directions[way], failed.bytes, from_device ? "device" : "host", to_device ? "device" : "host",
        to.text, into.words(), from.text, out_of.words());
    if (into.memory == Side::null || out_of.memory == Side::null)
      text.add(": was it allocated before?");
    else if (into.is_device() != to_device && out_of.is_device() != from_device && to_device != from_device)
      text.add(": is the direction wrong, or are the two pointers exchanged? The destination comes first");
    return;
  }
  if (add_overrun(text, "the copy takes", failed.bytes, to.text, into) ||
      add_overrun(text, "the copy takes", failed.bytes, from.text, out_of))
    return;
  text.add("the copy of ");
  add_bytes(text, failed.bytes);
  text.add(" by %s: its destination %s is %s, its source %s is %s", directions[way], to.text, into.words(),
           from.text, out_of.words());
}

LAB_COLD LAB_INLINE void explain_fill(Sentence& text, const FailedCall& failed, const char* call) {
  const Argument to(call, 0);
  const Side side = side_of(failed.to);
  if (add_overrun(text, "cudaMemset sets", failed.bytes, to.text, side)) return;
  text.add("cudaMemset sets ");
  add_bytes(text, failed.bytes);
  text.add(" at %s, which is %s", to.text, side.words());
  if (side.memory == Side::host) text.add(": host memory is set with memset()");
}

LAB_COLD LAB_INLINE void explain_release(Sentence& text, const FailedCall& failed, const char* call) {
  const Argument pointer(call, 0);
  const Side side = side_of(failed.to);
  if (side.memory == Side::pinned)
    text.add("%s was allocated by cudaMallocHost: cudaFreeHost frees it", pointer.text);
  else if (side.size_known && side.before != 0)
    text.add("%s points %zu bytes past the beginning of its allocation: free the pointer that cudaMalloc set",
             pointer.text, side.before);
  else if (!side.is_device())
    text.add("%s is not a pointer from cudaMalloc, or it was freed before", pointer.text);
}

LAB_COLD LAB_INLINE void explain_no_memory(Sentence& text, const FailedCall& failed) {
  std::size_t free_bytes = 0, all = 0;
  const bool known = cudaMemGetInfo(&free_bytes, &all) == cudaSuccess;
  if (failed.call == FailedCall::allocation) {
    text.add("it asks for ");
    add_bytes(text, failed.bytes);
    if (known) text.add(", and the device has %zu free, of %zu", free_bytes, all);
    text.add(failed.bytes > SIZE_MAX / 2 ? ": how was that size computed?"
                                         : ": choose a smaller size, or free what is no longer needed");
  } else if (known) {
    text.add("the device has %zu bytes free, of %zu", free_bytes, all);
  }
}

LAB_COLD LAB_INLINE void explain_no_device(Sentence& text) {
  int driver = 0, runtime = 0;
  if (cudaDriverGetVersion(&driver) == cudaSuccess && cudaRuntimeGetVersion(&runtime) == cudaSuccess &&
      driver < runtime) {
    if (driver == 0)
      text.add("no GPU driver is installed here");
    else
      text.add("the GPU's driver supports CUDA %d.%d at most, and the program was built with %d.%d",
               driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
  } else {
    text.add("no GPU can be used here (`nvidia-smi` shows them)");
  }
  text.add(": without a GPU, build with emucc");
}

LAB_COLD LAB_INLINE void explain_no_code(Sentence& text) {
  const int major = device_limit(cudaDevAttrComputeCapabilityMajor);
  const int minor = device_limit(cudaDevAttrComputeCapabilityMinor);
  if (major == 0)
    text.add("the program has no code for this GPU: give nvcc the option -arch=native");
  else
    text.add(
        "the program has no code for this GPU, whose architecture is sm_%d%d: give nvcc the option "
        "-arch=sm_%d%d",
        major, minor, major, minor);
}

/// Returns the fault that stopped a kernel, as the emulation reports it; empty on a GPU.
LAB_INLINE const char* stopped_kernel() {
#if defined(__CUEMU__)
  return ::cuemu::stopped_kernel();
#else
  return "";
#endif
}

/// Explains the fault of an earlier kernel. The failed call only reports that fault.
LAB_COLD LAB_INLINE void explain_kernel(Sentence& text, cudaError_t error) {
  if (*stopped_kernel() != '\0') {
    text.add("%s", stopped_kernel());
    return;
  }
  constexpr const char* where =
      " Which one is not known here: `grader check` and compute-sanitizer tell the thread and the line";
  switch (static_cast<int>(error)) {
    case cudaErrorIllegalAddress:
      text.add(
          "a kernel that was launched before used an address outside every allocation: an index out of range "
          "(is there a guard?), or a host pointer.%s",
          where);
      break;
    case cudaErrorMisalignedAddress:
      text.add("a kernel read or wrote at an address that is not a multiple of the value's size.%s", where);
      break;
    case cudaErrorLaunchTimeout:
      text.add("a kernel ran too long for a GPU that also drives a display: is there an endless loop?");
      break;
    case cudaErrorAssert:
      text.add("an assert() in a kernel was false; its text is above");
      break;
    default:
      text.add(
          "a kernel crashed: an invalid pointer, a stack overflow, or a barrier in code that not all "
          "threads reach.%s",
          where);
      break;
  }
}

/// Explains that kernels launched more kernels than may be pending at a time.
LAB_COLD LAB_INLINE void explain_pending(Sentence& text) {
  std::size_t room = 0;
  if (cudaDeviceGetLimit(&room, cudaLimitDevRuntimePendingLaunchCount) != cudaSuccess) return;
  text.add(
      "kernels launched more kernels than may wait at a time (%zu, by cudaDeviceSetLimit with "
      "cudaLimitDevRuntimePendingLaunchCount): does every thread, or every block, launch what one of them "
      "should?",
      room);
}

}  // namespace detail

LAB_INLINE void explain_cuda_error(Sentence& text, cudaError_t error, const char* call) {
  const FailedCall failed = last_failed_call();
  const bool of_launch = std::strcmp(call, "kernel launch") == 0 ||
                         std::strncmp(call, "cudaGetLastError", 16) == 0 ||
                         std::strncmp(call, "cudaPeekAtLastError", 19) == 0;
  switch (static_cast<int>(error)) {
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorLaunchFailure:
    case cudaErrorAssert:
      return detail::explain_kernel(text, error);
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
      return detail::explain_no_device(text);
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorInvalidDeviceFunction:
      return detail::explain_no_code(text);
    case cudaErrorMemoryAllocation:
      return detail::explain_no_memory(text, failed);
    case cudaErrorLaunchPendingCountExceeded:
      return detail::explain_pending(text);
    default:
      break;
  }
  if (of_launch || error == cudaErrorLaunchOutOfResources) return detail::explain_launch(text, error);
  switch (failed.call) {
    case FailedCall::copy:
      return detail::explain_copy(text, failed, call);
    case FailedCall::fill:
      return detail::explain_fill(text, failed, call);
    case FailedCall::release:
      return detail::explain_release(text, failed, call);
    default:
      break;
  }
}

}  // namespace lab
