// The program's kernels: their state, their shared variables, and the map from host functions to kernels.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <unordered_map>
#include <vector>

#include "device.hpp"
#include "launch_state.hpp"
#include "observer.hpp"
#include "report.hpp"
#include "runtime.hpp"
#include "worker.hpp"

namespace cuemu {

namespace {

/// If this is set, kernel_entry stores its kernel there and launches nothing.
thread_local Kernel** question = nullptr;

/// Descriptions of the program's shared variables, by slot.
struct SharedSlots {
  std::mutex mutex;
  std::vector<const char*> descriptions;
  static SharedSlots& get() {
    static auto* const slots = new SharedSlots;
    return *slots;
  }
  unsigned count() {
    const std::lock_guard<std::mutex> lock(mutex);
    return static_cast<unsigned>(descriptions.size());
  }
  unsigned add(const char* description) {
    const std::lock_guard<std::mutex> lock(mutex);
    descriptions.push_back(description);
    return static_cast<unsigned>(descriptions.size() - 1);
  }
  const char* description(unsigned slot) {
    const std::lock_guard<std::mutex> lock(mutex);
    return descriptions[slot];
  }
};

std::mutex& registry_mutex() {
  static auto* const mutex = new std::mutex;
  return *mutex;
}
std::map<const void*, detail::KernelFunction>& registry() {
  static auto* const map = new std::map<const void*, detail::KernelFunction>;
  return *map;
}

constexpr std::uint32_t static_shared_limit = 48 * 1024;

}  // namespace

Kernel& kernel_of(const KernelCode& code, const KernelInfo& info) {
  static auto* const mutex = new std::mutex;
  static auto* const kernels = new std::unordered_map<const KernelCode*, Kernel>;
  const std::lock_guard<std::mutex> lock(*mutex);
  return kernels->try_emplace(&code, Kernel{code, info}).first->second;
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

std::size_t static_shared_bytes(Kernel& kernel) {
  return std::max<std::size_t>(state_of(kernel).static_shared.load(), kernel.info.static_shared);
}

void fit_offsets(KernelState& state) {
  const std::lock_guard<std::mutex> lock(state.mutex);
  const unsigned needed = SharedSlots::get().count();
  if (state.offsets != nullptr && state.slots >= needed) return;
  const std::uint32_t slots = needed + 64;
  std::unique_ptr<std::uint32_t[]> grown(new std::uint32_t[slots]);
  for (std::uint32_t i = 0; i < slots; ++i)
    grown[i] = i < state.slots ? state.offsets[i] : KernelState::no_offset;
  if (state.offsets != nullptr)
    static_cast<void>(state.offsets.release());  // not freed, since running launches may still read it
  state.offsets = std::move(grown);
  state.slots = slots;
}

bool answer_question(Kernel& kernel) {
  if (question == nullptr) return false;
  *question = &kernel;
  return true;
}

/// Returns the size in bytes of the gap that a tool requires between shared variables; 0 if there is too little room.
static std::uint32_t gap_before(const Launch& launch, std::uint32_t end, std::uint32_t bytes) {
  if (!is_observed() || end == 0) return 0;
  const std::uint32_t gap = largest(std::uint32_t{0}, &Observer::shared_gap);
  const std::size_t limit = std::min<std::size_t>(static_shared_limit, device_profile().shared_per_block);
  return end + 2 * gap + bytes + launch.dynamic_shared <= limit ? gap : 0;
}

namespace detail {

unsigned new_shared_slot(const char* description) {
  return SharedSlots::get().add(description);
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
      end += gap_before(*block.launch, end, bytes);
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
  ready_shared(block, end);
  notify(&Observer::shared_placed, BlockView(block), SharedSlots::get().description(slot), offset, bytes);
  return offset;
}

unsigned char* find_shared_variable(const unsigned& slot, std::uint32_t bytes, std::uint32_t alignment) {
  return shared_variable(slot, bytes, alignment);
}

unsigned char* find_dynamic_shared() {
  return current_fiber->block->dynamic_shared;
}

void register_kernel(const void* function, KernelFunction how) {
  const std::lock_guard<std::mutex> lock(registry_mutex());
  registry()[function] = how;
}

Kernel* ask_kernel(const void* function, KernelFunction how) {
  if (function == nullptr) return nullptr;
  // All parameters are read from the same zeros. On a GPU, the parameters of a kernel have at most 32 KiB in all.
  alignas(64) static unsigned char zeros[64 * 1024];
  constexpr std::size_t most_parameters = 4096;
  std::vector<void*> arguments(most_parameters, zeros);
  Kernel* answer = nullptr;
  const RuntimeSection section;
  question = &answer;
  how.call(function, arguments.data());
  question = nullptr;
  return answer;
}

}  // namespace detail

const void* function_of(const Kernel& kernel) {
  std::map<const void*, detail::KernelFunction> known;
  {
    const std::lock_guard<std::mutex> lock(registry_mutex());
    known = registry();
  }
  for (const auto& [function, how] : known)
    if (detail::ask_kernel(function, how) == &kernel) return function;
  return nullptr;
}

/// Returns the kernel of a registered host function.
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
