#include "cuemu/launch.hpp"

#include <cstdio>
#include <cstring>
#include <map>
#include <new>
#include <vector>

#include "clock.hpp"
#include "cuda_runtime.h"
#include "device.hpp"
#include "errors.hpp"
#include "launch_state.hpp"
#include "profile.hpp"
#include "report.hpp"
#include "runtime.hpp"
#include "stream.hpp"
#include "worker.hpp"

namespace cuemu {

namespace {

thread_local PendingLaunch* pending_of_host = nullptr;
/// The configurations that wait: a host thread's, or a CUDA thread's own, since others run between.
PendingLaunch*& pending() {
  return in_kernel() ? current_fiber->pending : pending_of_host;
}
/// While set, kernel_entry answers which kernel it is instead of launching.
thread_local Kernel** question = nullptr;

std::atomic<unsigned>& shared_slots() {
  static std::atomic<unsigned> count{0};
  return count;
}

std::mutex& registry_mutex() {
  static auto* const mutex = new std::mutex;
  return *mutex;
}
std::map<const void*, detail::KernelFunction>& registry() {
  static auto* const map = new std::map<const void*, detail::KernelFunction>;
  return *map;
}

constexpr std::uint32_t static_shared_limit = 48 * 1024;

/// Makes sure that the kernel's table has an entry for every shared variable of the program.
void fit_offsets(KernelState& state) {
  const std::lock_guard<std::mutex> lock(state.mutex);
  const unsigned needed = shared_slots().load();
  if (state.offsets != nullptr && state.slots >= needed) return;
  const std::uint32_t slots = needed + 64;
  std::unique_ptr<std::uint32_t[]> grown(new std::uint32_t[slots]);
  for (std::uint32_t i = 0; i < slots; ++i)
    grown[i] = i < state.slots ? state.offsets[i] : KernelState::no_offset;
  if (state.offsets != nullptr)
    static_cast<void>(state.offsets.release());  // launches that run may still read it
  state.offsets = std::move(grown);
  state.slots = slots;
}

/// Before a kernel has run, what its body declares is all that is known.
std::size_t static_shared_bytes(const Kernel& kernel, const KernelState& state) {
  return std::max<std::size_t>(state.static_shared.load(), kernel.info.static_shared);
}

bool fits_device(const PendingLaunch& config, const Kernel& kernel, const KernelState& state) {
  const DeviceProfile& device = device_profile();
  const cudaDeviceProp limits = device_properties();
  const dim3& grid = config.grid;
  const dim3& block = config.block;
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || block.x == 0 || block.y == 0 || block.z == 0) return false;
  if (grid.x > static_cast<unsigned>(limits.maxGridSize[0]) ||
      grid.y > static_cast<unsigned>(limits.maxGridSize[1]) ||
      grid.z > static_cast<unsigned>(limits.maxGridSize[2]))
    return false;
  for (const auto& [size, limit] :
       {std::pair(block.x, limits.maxThreadsDim[0]), std::pair(block.y, limits.maxThreadsDim[1]),
        std::pair(block.z, limits.maxThreadsDim[2])})
    if (size > static_cast<unsigned>(limit)) return false;
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  if (threads > static_cast<unsigned>(device.threads_per_block)) return false;
  if (kernel.info.max_threads != 0 && threads > kernel.info.max_threads) return false;
  const int opt_in = state.max_dynamic_shared.load();
  const std::size_t static_shared = static_shared_bytes(kernel, state);
  const std::size_t limit =
      opt_in > 0
          ? std::max<std::size_t>(device.shared_per_block, static_shared + static_cast<std::size_t>(opt_in))
          : device.shared_per_block;
  return config.dynamic_shared <= device.shared_per_block_optin &&
         config.dynamic_shared + static_shared <= limit;
}

cudaError_t queue_launch(Kernel& kernel, const void* closure, const PendingLaunch& config) {
  start_runtime();
  if (const cudaError_t error = context_error(); error != cudaSuccess) return error;
  KernelState& state = state_of(kernel);
  fit_offsets(state);
  if (!fits_device(config, kernel, state)) return cudaErrorInvalidValue;
  if (config.cooperative) {
    int blocks = 0;
    const auto threads = static_cast<int>(config.block.x * config.block.y * config.block.z);
    detail::max_active_blocks(&blocks, &kernel, threads, config.dynamic_shared);
    const std::uint64_t resident =
        static_cast<std::uint64_t>(blocks) * static_cast<unsigned>(device_profile().multiprocessors);
    if (std::uint64_t{config.grid.x} * config.grid.y * config.grid.z > resident)
      return cudaErrorCooperativeLaunchTooLarge;
  }
  Stream* const stream = stream_of(config.stream);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;

  auto launch = std::make_shared<Launch>();
  launch->kernel = &kernel;
  launch->grid = config.grid;
  launch->block = config.block;
  launch->dynamic_shared = config.dynamic_shared;
  launch->cooperative = config.cooperative;
  launch->block_count = std::uint64_t{config.grid.x} * config.grid.y * config.grid.z;
  launch->closure = ::operator new(kernel.closure_bytes, std::align_val_t(kernel.closure_alignment));
  kernel.copy(launch->closure, closure);
  enqueue(*stream, [launch] {
    const std::int64_t begin = now_ns();
    const int error = run_launch(*launch);
    profile_kernel(*launch, begin, now_ns());
    if (error != 0) destroy_context(static_cast<cudaError_t>(error));
  });
  return cudaSuccess;
}

}  // namespace

Launch::~Launch() {
  if (closure == nullptr) return;
  kernel->destroy(closure);
  ::operator delete(closure, std::align_val_t(kernel->closure_alignment));
}

KernelState& state_of(Kernel& kernel) {
  static auto* const mutex = new std::mutex;
  if (void* const known = __atomic_load_n(&kernel.state, __ATOMIC_ACQUIRE))
    return *static_cast<KernelState*>(known);
  const std::lock_guard<std::mutex> lock(*mutex);
  if (kernel.state == nullptr) {
    auto* const state = new KernelState;
    state->code = interruptible_code(reinterpret_cast<std::uintptr_t>(kernel.run_threads));
    __atomic_store_n(&kernel.state, state, __ATOMIC_RELEASE);
  }
  return *static_cast<KernelState*>(kernel.state);
}

PendingLaunch::PendingLaunch(dim3 grid_, dim3 block_, std::size_t dynamic_shared_, cudaStream_t stream_,
                             bool cooperative_)
    : grid(grid_),
      block(block_),
      dynamic_shared(dynamic_shared_),
      stream(stream_),
      cooperative(cooperative_),
      previous(cuemu::pending()) {
  cuemu::pending() = this;
}

PendingLaunch::~PendingLaunch() {
  PendingLaunch*& top = pending();
  if (top == this) top = previous;
}

namespace detail {

unsigned new_shared_slot() {
  return shared_slots().fetch_add(1);
}

const void* closure_of(const Block& block) {
  return block.launch->closure;
}

std::uint32_t place_shared(unsigned slot, std::uint32_t bytes, std::uint32_t alignment) {
  Block& block = *current_fiber->block;
  if (block.launch == nullptr) fatal("a __shared__ variable was used outside a kernel");
  KernelState& state = state_of(*block.launch->kernel);
  std::uint32_t end = 0;
  std::uint32_t offset = 0;
  {
    const RuntimeSection section;
    const std::lock_guard<std::mutex> lock(state.mutex);
    offset = block.shared_offset[slot];
    end = state.static_shared.load(std::memory_order_relaxed);
    if (offset == KernelState::no_offset) {
      offset = (end + alignment - 1) / alignment * alignment;
      end = offset + bytes;
      if (end <= static_shared_limit) {
        __atomic_store_n(const_cast<std::uint32_t*>(&block.shared_offset[slot]), offset, __ATOMIC_RELAXED);
        state.static_shared.store(end, std::memory_order_relaxed);
      }
    }
  }
  const std::size_t sum = end + block.launch->dynamic_shared;
  const std::size_t limit = device_profile().shared_per_block;
  if (end > std::min<std::size_t>(static_shared_limit, limit) ||
      (sum > limit && state.max_dynamic_shared.load() == 0)) {
    char text[256];
    std::snprintf(text, sizeof text,
                  "its shared memory is too large: %u bytes of __shared__ variables and %zu bytes dynamic, "
                  "of %zu bytes "
                  "that a block may have",
                  end, block.launch->dynamic_shared, limit);
    stop_kernel(cudaErrorInvalidValue, text);
  }
  constexpr std::uint32_t word = 0x7fffdeadu;
  for (std::uint32_t at = (block.shared_ready + 3) / 4 * 4; at + 4 <= (end + 3) / 4 * 4; at += 4)
    std::memcpy(block.shared + at, &word, 4);
  block.shared_ready = end;
  return offset;
}

void launch(Kernel& kernel, const void* closure) {
  if (question != nullptr) {
    *question = &kernel;
    return;
  }
  PendingLaunch* const config = pending();
  if (config == nullptr || config->taken)
    fatal(("kernel " + std::string(kernel.info.name) +
           " was called like a function; launch it with kernel<<<grid, block>>>(arguments)")
              .c_str());
  config->taken = true;
  pending() = config->previous;
  if (in_kernel()) stop_kernel(cudaErrorNotSupported, "launching kernels from kernels is not supported yet");
  remember(queue_launch(kernel, closure, *config));
}

void register_kernel(const void* function, KernelFunction how) {
  const std::lock_guard<std::mutex> lock(registry_mutex());
  registry()[function] = how;
}

Kernel* ask_kernel(const void* function, KernelFunction how) {
  if (function == nullptr) return nullptr;
  // Every parameter is read from the same zeros; a GPU's parameters are at most 32 KiB together.
  alignas(64) static unsigned char zeros[64 * 1024];
  constexpr std::size_t most_parameters = 4096;
  std::vector<void*> arguments(most_parameters, zeros);
  Kernel* answer = nullptr;
  question = &answer;
  how.call(function, arguments.data());
  question = nullptr;
  return answer;
}

cudaError_t launch_kernel(const void* function, KernelFunction how, dim3 grid, dim3 block, void** arguments,
                          std::size_t dynamic_shared, cudaStream_t stream, bool cooperative) {
  if (function == nullptr) return remember(cudaErrorInvalidDeviceFunction);
  const cudaError_t before = cudaGetLastError();
  {
    const PendingLaunch config(grid, block, dynamic_shared, stream, cooperative);
    how.call(function, arguments);
  }
  const cudaError_t error = cudaPeekAtLastError();
  if (error == cudaSuccess) remember(before);
  return error;
}

bool is_cooperative(const cudaLaunchConfig_t& config) {
  for (unsigned i = 0; i < config.numAttrs; ++i)
    if (config.attrs[i].id == cudaLaunchAttributeCooperative) return config.attrs[i].val.cooperative != 0;
  return false;
}

cudaError_t function_attributes(cudaFuncAttributes* attributes, Kernel* kernel) {
  if (attributes == nullptr) return remember(cudaErrorInvalidValue);
  if (kernel == nullptr) return remember(cudaErrorInvalidDeviceFunction);
  const KernelState& state = state_of(*kernel);
  const DeviceProfile& device = device_profile();
  *attributes = {};
  attributes->sharedSizeBytes = static_shared_bytes(*kernel, state);
  attributes->maxThreadsPerBlock =
      kernel->info.max_threads != 0 ? static_cast<int>(kernel->info.max_threads) : device.threads_per_block;
  attributes->numRegs = 32;
  attributes->ptxVersion = attributes->binaryVersion = device.major * 10 + device.minor;
  const int opt_in = state.max_dynamic_shared.load();
  attributes->maxDynamicSharedSizeBytes =
      opt_in > 0 ? opt_in : static_cast<int>(device.shared_per_block - attributes->sharedSizeBytes);
  return cudaSuccess;
}

cudaError_t set_function_attribute(Kernel* kernel, cudaFuncAttribute attribute, int value) {
  if (kernel == nullptr) return remember(cudaErrorInvalidDeviceFunction);
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
    return value >= -1 && value <= 100 ? cudaSuccess : remember(cudaErrorInvalidValue);
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return remember(cudaErrorInvalidValue);
  KernelState& state = state_of(*kernel);
  const std::size_t limit = device_profile().shared_per_block_optin - static_shared_bytes(*kernel, state);
  if (value < 0 || static_cast<std::size_t>(value) > limit) return remember(cudaErrorInvalidValue);
  state.max_dynamic_shared.store(value);
  return cudaSuccess;
}

cudaError_t max_active_blocks(int* blocks, Kernel* kernel, int block_size, std::size_t dynamic_shared) {
  if (blocks == nullptr || block_size <= 0) return remember(cudaErrorInvalidValue);
  if (kernel == nullptr) return remember(cudaErrorInvalidDeviceFunction);
  const DeviceProfile& device = device_profile();
  const int warps = (block_size + 31) / 32;
  const std::size_t shared =
      (static_shared_bytes(*kernel, state_of(*kernel)) + dynamic_shared + device.shared_reserved + 127) /
      128 * 128;
  *blocks = 0;
  if (block_size > device.threads_per_block ||
      shared > device.shared_per_block_optin + device.shared_reserved)
    return cudaSuccess;
  constexpr int registers_per_warp = 32 * 32;
  int most = std::min(device.blocks_per_multiprocessor, device.threads_per_multiprocessor / (warps * 32));
  most = std::min(most, device.registers_per_multiprocessor / (warps * registers_per_warp));
  if (shared > 0) most = std::min(most, static_cast<int>(device.shared_per_multiprocessor / shared));
  *blocks = most;
  return cudaSuccess;
}

cudaError_t largest_block_for_occupancy(int* grid, int* block, Kernel* kernel,
                                        std::size_t (*shared)(int, void*), void* context, int limit) {
  if (grid == nullptr || block == nullptr) return remember(cudaErrorInvalidValue);
  const DeviceProfile& device = device_profile();
  const int largest = limit > 0 ? std::min(limit, device.threads_per_block) : device.threads_per_block;
  int best_threads = -1;
  for (int size = (largest + 31) / 32 * 32; size > 0; size -= 32) {
    const int threads = std::min(size, largest);
    int blocks = 0;
    if (const cudaError_t error = max_active_blocks(&blocks, kernel, threads, shared(threads, context));
        error != cudaSuccess)
      return error;
    if (blocks * threads <= best_threads) continue;
    best_threads = blocks * threads;
    *block = threads;
    *grid = blocks * device.multiprocessors;
  }
  return cudaSuccess;
}

}  // namespace detail

/// The kernel that an address stands for, if its host function was registered.
Kernel* registered_kernel(const void* function, detail::KernelFunction* how) {
  {
    const std::lock_guard<std::mutex> lock(registry_mutex());
    const auto found = registry().find(function);
    if (found == registry().end()) return nullptr;
    *how = found->second;
  }
  return detail::ask_kernel(function, *how);
}

}  // namespace cuemu
