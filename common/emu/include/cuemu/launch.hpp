// Launching kernels: the translator's output for `__global__` functions and for `<<<…>>>`.
//
//   void k(float* p) {                                  // __global__ void k(float* p) { body }
//     ::cuemu::kernel_entry(::cuemu::KernelInfo{"k"}, [=](CUEMU_KERNEL_PARAMS) mutable -> void { body });
//   }
//   (::cuemu::push_launch(grid, block, bytes, stream), k(p));     // k<<<grid, block, bytes, stream>>>(p)
//
// The closure is the kernel's argument block. It is copied at the launch, and each CUDA thread gets a separate copy,
// since kernels may change their parameters. kernel_entry is a template so that the loop over the threads of a block
// is compiled together with the kernel's body.
#pragma once

#include <cstring>
#include <initializer_list>
#include <new>
#include <type_traits>
#include <utility>

#include "cuemu/shared.hpp"
#include "cuemu/thread.hpp"
#include "driver_types.h"

/// The parameters of a kernel's closure: the built-in variables. The loop over the threads passes them.
#define CUEMU_KERNEL_PARAMS                                                          \
  [[maybe_unused]] const ::uint3 threadIdx, [[maybe_unused]] const ::uint3 blockIdx, \
      [[maybe_unused]] const ::dim3 blockDim, [[maybe_unused]] const ::dim3 gridDim, \
      [[maybe_unused]] const int warpSize

namespace cuemu {

/// The properties of a kernel that are known at its definition.
struct KernelInfo {
  const char* name;               ///< as written by the user
  const char* file = nullptr;     ///< the source file; null: the kernel is part of the emulation
  unsigned max_threads = 0;       ///< `__launch_bounds__`; 0: no bound
  std::size_t static_shared = 0;  ///< bytes of the shared variables that its body declares
  dim3 cluster{};                 ///< `__cluster_dims__`, in blocks
  /// Whether the kernel's code reports its accesses to tools.
#ifdef CUEMU_WATCHED
  bool watched = true;
#else
  bool watched = false;
#endif
};

/// Size and alignment of a shared variable that a kernel declares.
struct SharedSize {
  std::size_t bytes, alignment;
};
/// Returns the total bytes of variables laid out one after another.
constexpr std::size_t shared_bytes(std::initializer_list<SharedSize> variables) {
  std::size_t end = 0;
  for (const SharedSize& one : variables)
    end = (end + one.alignment - 1) / one.alignment * one.alignment + one.bytes;
  return end;
}

/// Returns the total bytes of a kernel's parameters, laid out one after another.
template <class... P>
constexpr std::size_t parameter_bytes() {
  return shared_bytes({SharedSize{sizeof(P), alignof(P)}...});
}

/// If a block's index is below this limit, fewer than 2³¹ threads precede each of its threads in that dimension.
inline constexpr unsigned near_blocks = (1u << 31) / max_block_threads;

/// Flags of kernel_entry.
/// `plain_loop`: the body uses no shared memory, and calls only functions that neither wait nor read the thread's index
/// (math, min, max, __ldg …). Its threads run as a plain loop, which the compiler may vectorise. `whole_block`: the
/// body runs the block as a whole, in loops over its threads: the extra `optimiser` writes such bodies.
enum KernelFlags : unsigned { no_flags = 0, plain_loop = 1, whole_block = 2 };

/// How to run a kernel. Each closure type has one constant object of this class.
struct KernelCode {
  void (*run_threads)(Block&);  ///< runs threads of a block until one must wait or all have run
  std::size_t closure_bytes;
  std::size_t closure_alignment;
  /// Copies a closure that owns memory. Null: the closure is copied byte by byte and never destroyed, as a GPU treats
  /// parameters.
  void (*copy)(void* to, const void* from) = nullptr;
  void (*destroy)(void* closure) noexcept = nullptr;
};

/// One kernel. The runtime creates the object at the first launch or query. The object is not in the program's
/// variables, so an overrun of the program's arrays does not reach it.
struct Kernel : KernelCode {
  KernelInfo info;
  void* state = nullptr;  ///< the runtime's, under its lock
};

namespace detail {

/// Returns whether the thread's fiber should be released, because other threads of the block are ready or all have
/// begun.
bool finish_promoted_thread(Block& block, Fiber& fiber);
/// Launches a kernel with the configuration that push_launch left for this thread.
void launch(const KernelCode& code, const KernelInfo& info, const void* closure);
/// Returns the closure of a running launch.
const void* closure_of(const Block& block);

inline bool finish_thread(Block& block, Fiber& fiber) {
  ++block.finished;
  WarpState& warp = block.warps[fiber.linear / warp_width];
  warp.exited |= 1u << fiber.linear % warp_width;
  if (__builtin_expect(fiber.promoted || block.barrier.arrived != 0 || block.warp_waiters != 0 ||
                           block.outer_waiters != 0 || !block.ready.empty(),
                       0))
    return finish_promoted_thread(block, fiber);
  return false;
}

/// Makes `block` the next of the blocks that its worker has taken. Returns false if there is none, or if other work
/// comes first. Used for blocks that run from beginning to end on one fiber.
bool next_whole_block(Block& block);

/// Memory of the running block, one piece for each `slot`. The function returns the same piece each time, as long as
/// the piece is large enough. Compilers may rely on no other pointer leading to this memory.
__attribute__((malloc, alloc_size(2), assume_aligned(64))) void* thread_storage(unsigned slot,
                                                                                std::size_t bytes);

/// After this call, the running thread of the block is unknown.
inline void begin_whole_block(Block& block) {
  block.whole = true;
  current_fiber->linear = no_thread;
}

/// A thread's own copy of the launch's arguments, byte by byte. As on a GPU, no copy constructor and no destructor runs
/// for a thread.
template <class Closure, bool = std::is_trivially_copyable_v<Closure>>
class OwnClosure {
 public:
  explicit OwnClosure(const Closure& arguments) : value_(arguments) {}
  Closure& get() { return value_; }

 private:
  Closure value_;
};
template <class Closure>
class OwnClosure<Closure, false> {
 public:
  explicit OwnClosure(const Closure& arguments) {
    std::memcpy(bytes_, static_cast<const void*>(&arguments), sizeof(Closure));
  }
  Closure& get() { return *std::launder(reinterpret_cast<Closure*>(bytes_)); }

 private:
  alignas(Closure) unsigned char bytes_[sizeof(Closure)];
};

/// Returns whether a thread has not begun.
inline bool has_thread(const Block& block) {
  return block.next_thread < block.thread_count;
}

/// Begins the next thread of the block on the calling fiber. @return its index
inline uint3 begin_thread(Block& block, Fiber& fiber) {
  const uint3 index = block.next_index;
  fiber.linear = block.next_thread++;
  fiber.thread_index = index;
  fiber.fruitless = 0;
  if (++block.next_index.x == block.block_dim.x) {
    block.next_index.x = 0;
    if (++block.next_index.y == block.block_dim.y) {
      block.next_index.y = 0;
      ++block.next_index.z;
    }
  }
  return index;
}

/// The same operations as calls of the runtime, for loops in code that reports each memory access, so that the loop
/// itself makes no accesses. The loop's condition is computed before a thread begins, so it is the same for all
/// threads.
/// @{
/// An index that is passed in registers, whereas a uint3 would be passed through memory.
struct PackedIndex {
  std::uint32_t x;
  std::uint64_t yz;
};
bool has_watched_thread(const Block& block);
PackedIndex begin_watched_thread(Block& block);
bool finish_watched_thread(Block& block);  ///< true if another thread may begin on this fiber
/// @}

#ifndef CUEMU_WATCHED

/// Begins the block's threads one after another on the calling fiber.
template <class Closure>
void run_threads(Block& block) {
  const auto& arguments = *static_cast<const Closure*>(closure_of(block));
  Fiber& fiber = *current_fiber;
  const uint3 block_index = block.block_index;
  const dim3 block_dim = block.block_dim;
  const dim3 grid_dim = block.grid_dim;
  while (has_thread(block)) {
    const uint3 index = begin_thread(block, fiber);
    OwnClosure<Closure> own(arguments);
    set_preemptible(fiber, true);
    own.get()(index, block_index, block_dim, grid_dim, warp_size());
    set_preemptible(fiber, false);
    if (finish_thread(block, fiber)) return;
  }
}

#else

/// Begins the block's threads one after another on the calling fiber.
template <class Closure>
void run_threads(Block& block) {
  const OwnClosure<Closure> arguments(*static_cast<const Closure*>(closure_of(block)));
  const uint3 block_index = block.block_index;
  const dim3 block_dim = block.block_dim;
  const dim3 grid_dim = block.grid_dim;
  for (bool more = has_watched_thread(block); more; more = finish_watched_thread(block)) {
    const PackedIndex next = begin_watched_thread(block);
    const uint3 index{next.x, static_cast<unsigned>(next.yz), static_cast<unsigned>(next.yz >> 32)};
    OwnClosure<Closure> own(arguments);
    own.get()(index, block_index, block_dim, grid_dim, warp_size());
  }
}

#endif

/// Runs bodies that cannot wait. Threads have no stored state, so the compiler sees a plain loop.
template <class Closure>
void run_plain_loop(Block& block) {
  if (block.grid_dim.x > near_blocks) return run_threads<Closure>(block);
  begin_whole_block(block);
  do {
    const Closure& arguments = *static_cast<const Closure*>(closure_of(block));
    const uint3 block_index = block.block_index;
    const dim3 block_dim = block.block_dim;
    const dim3 grid_dim = block.grid_dim;
    // From these limits, the compiler can derive that global indices don't overflow and are therefore consecutive.
    if (block_index.x >= near_blocks || block_index.y >= 65536 || block_index.z >= 65536 ||
        block_dim.x > max_block_threads || block_dim.y > max_block_threads || block_dim.z > 64)
      __builtin_unreachable();
    for (unsigned z = 0; z < block_dim.z; ++z)
      for (unsigned y = 0; y < block_dim.y; ++y)
        for (unsigned x = 0; x < block_dim.x; ++x) {
          OwnClosure<Closure> own(arguments);
          own.get()(uint3{x, y, z}, block_index, block_dim, grid_dim, warp_size());
        }
  } while (next_whole_block(block));
  block.next_thread = block.finished = block.thread_count;
}

/// Runs bodies that contain the loops over the threads.
template <class Closure>
void run_whole_block(Block& block) {
  begin_whole_block(block);
  do {
    OwnClosure<Closure> own(*static_cast<const Closure*>(closure_of(block)));
    own.get()(uint3{0, 0, 0}, block.block_index, block.block_dim, block.grid_dim, warp_size());
  } while (next_whole_block(block));
  block.next_thread = block.finished = block.thread_count;
}

}  // namespace detail

namespace detail {
/// Returns the address at which a kernel sees the object of a pointer argument.
const volatile void* as_device_sees(const volatile void* pointer);
/// Replaces each word of an object that points to the host's heap or stacks by the address that a kernel sees.
void let_device_see(void* object, std::size_t bytes);

template <class T>
void give_to_device(T*& pointer) {
  if constexpr (!std::is_function_v<T>) pointer = (T*)as_device_sees((const volatile void*)pointer);
}
template <class T>
void give_to_device(T* __restrict__& pointer) {
  if constexpr (!std::is_function_v<T>) pointer = (T*)as_device_sees((const volatile void*)pointer);
}
template <class T>
void give_to_device([[maybe_unused]] T& object) {
  // Other classes have destructors or copy constructors, which need pointers that the host can use.
  if constexpr (std::is_class_v<T> && !std::is_const_v<T> && std::is_trivially_copyable_v<T> &&
                alignof(T) >= alignof(void*))
    let_device_see(const_cast<std::remove_volatile_t<T>*>(__builtin_addressof(object)), sizeof(T));
}
}  // namespace detail

/// The first statement of every kernel's host function. It makes pointers to memory that kernels can't access invalid
/// for kernels, as they are on a GPU. A pointer that is const, or inside a class that is not trivially copyable,
/// remains unchanged.
template <class... P>
void give_to_device([[maybe_unused]] P&... parameters) {
  (detail::give_to_device(parameters), ...);
}

/// Returns the address that a parameter of reference type passes.
template <class T>
T* device_address(T& object) {
  T* address = __builtin_addressof(object);
  give_to_device(address);
  return address;
}

/// The body of every kernel's host function. If a configuration is pending, it launches the kernel. Otherwise it ends
/// the program with a message, since a kernel cannot be called like a function.
template <unsigned Flags = no_flags, class Closure>
inline void kernel_entry(const KernelInfo& info, Closure&& closure) {
  using Type = std::decay_t<Closure>;
  constexpr auto run = [] {
    if constexpr ((Flags & plain_loop) != 0)
      return &detail::run_plain_loop<Type>;
    else if constexpr ((Flags & whole_block) != 0)
      return &detail::run_whole_block<Type>;
    else
      return &detail::run_threads<Type>;
  }();
  // A constant: each instance of a kernel template compiles this function, so it does little.
  static constexpr KernelCode code{run, sizeof(Type), alignof(Type)};
  detail::launch(code, info, &closure);
}

/// Pending configurations are on a stack of each host thread, because arguments of a launch may contain launches. This
/// guard removes a configuration if its launch never happened, because an argument threw an exception.
class PendingLaunch {
 public:
  PendingLaunch(dim3 grid, dim3 block, std::size_t dynamic_shared, cudaStream_t stream,
                bool cooperative = false);
  ~PendingLaunch();
  PendingLaunch(const PendingLaunch&) = delete;
  PendingLaunch& operator=(const PendingLaunch&) = delete;

  dim3 grid;
  dim3 block;
  std::size_t dynamic_shared;
  cudaStream_t stream;
  bool cooperative;
  dim3 cluster{};  ///< blocks of a cluster; one: the size that the kernel declares
  bool taken = false;
  PendingLaunch* previous;
};

/// Pushes a configuration for the kernel that the same full expression calls next. `grid` and `block` convert from
/// integers and dim3; `dynamic_shared` is in bytes. As with nvcc, `<<<grid>>>` launches blocks of one thread.
inline PendingLaunch push_launch(dim3 grid, dim3 block = 1, std::size_t dynamic_shared = 0,
                                 cudaStream_t stream = nullptr) {
  return PendingLaunch(grid, block, dynamic_shared, stream);
}

/// Registers a `__device__`, `__constant__` or `__managed__` variable, so that cudaMemcpyToSymbol and similar
/// functions distinguish symbols from other addresses.
enum class VariableKind { device, constant, managed };
class RegisterVariable {
 public:
  RegisterVariable(const char* name, const volatile void* address, std::size_t bytes,
                   VariableKind kind = VariableKind::device);
};

/// Registers the program or library that contains the object, since its classes have virtual functions.
class RegisterTables {
 public:
  RegisterTables();
};

/// Host code has a separate copy of each `__device__` and `__constant__` variable, as with nvcc. The copy is
/// initialised with zeros. cudaMemcpyToSymbol and similar functions identify the variable by this copy.
enum class HostSide {
  value,   ///< the copy
  address  ///< inaccessible memory, whose address is passed to a kernel in place of the copy's address
};
void* host_side(const volatile void* variable, HostSide side);

/// emucc writes these functions around the variables' names in host code. They return managed variables, and all other
/// expressions, unchanged.
template <class T>
inline T& on_host(T& variable) {
  return *reinterpret_cast<T*>(host_side(&variable, HostSide::value));
}
template <class T>
inline T& address_on_host(T& variable) {
  return *reinterpret_cast<T*>(host_side(&variable, HostSide::address));
}
/// Does the same for an argument of a kernel; an array is passed as its address.
template <class T>
inline T& argument_on_host(T& variable) {
  return *reinterpret_cast<T*>(
      host_side(&variable, std::is_array_v<T> ? HostSide::address : HostSide::value));
}

/// Returns the address of a `__device__` function in host code. On a GPU, the function has another address in kernels.
const volatile void* function_on_host(const volatile void* function);
template <class Function>
inline Function& function_on_host(Function& function) {
  static_assert(std::is_function_v<Function>);
  return *(Function*)function_on_host((const volatile void*)&function);
}
/// Does the same for an overloaded name: `choose` returns the overload that has its argument's type.
template <class Choose>
struct OverloadOnHost {
  Choose choose;
  template <class Function, class = std::enable_if_t<std::is_function_v<Function>>>
  operator Function*() const {
    return &function_on_host(*choose(static_cast<Function*>(nullptr)));
  }
  const OverloadOnHost& operator&() const { return *this; }
};
template <class Choose>
inline OverloadOnHost<Choose> overload_on_host(Choose choose) {
  return {choose};
}

/// Registers an instance of a variable template before its use as a symbol.
template <class T>
inline T& known_variable(T& variable) {
  const RegisterVariable known("", &variable, sizeof(T));
  return variable;
}

namespace detail {

/// Size and alignment of a kernel's parameter.
struct ParameterRoom {
  std::size_t bytes, alignment;
};
/// How to call a kernel's host function with arguments in a `void**` array.
struct KernelFunction {
  void (*call)(const void* function, void** arguments);
  const ParameterRoom* parameters;
  std::size_t parameter_count;
};
void register_kernel(const void* function, KernelFunction how);

/// Dummy object for reference parameters of a kernel that is called only to identify it (ask_kernel): the parameters
/// are bound to this object but never read.
alignas(128) inline unsigned char nothing_to_refer_to[128];

/// Reads an argument. For a parameter of reference type, the argument is an address.
template <class P>
inline std::remove_reference_t<P>& argument_at(void* const argument) {
  using T = std::remove_reference_t<P>;
  if constexpr (std::is_lvalue_reference_v<P>) {
    T* const address = *static_cast<T**>(argument);
    return address != nullptr ? *address : reinterpret_cast<T&>(nothing_to_refer_to);
  } else {
    return *static_cast<T*>(argument);
  }
}
template <class... P, std::size_t... I>
inline void call_with(void (*function)(P...), void** arguments, std::index_sequence<I...>) {
  (void)arguments;
  function(argument_at<P>(arguments[I])...);
}
template <class... P>
inline void call_kernel(const void* function, void** arguments) {
  call_with(reinterpret_cast<void (*)(P...)>(const_cast<void*>(function)), arguments,
            std::index_sequence_for<P...>{});
}
/// Size and alignment of a parameter; a reference occupies the space of an address.
template <class P>
using StoredParameter = std::conditional_t<std::is_reference_v<P>, std::remove_reference_t<P>*, P>;
template <class... P>
inline constexpr ParameterRoom parameter_rooms[] = {
    {sizeof(StoredParameter<P>), alignof(StoredParameter<P>)}..., {0, 1}};
template <class... P>
constexpr KernelFunction how_to_call() {
  return {&call_kernel<P...>, parameter_rooms<P...>, sizeof...(P)};
}
/// Calls the host function with zeroed arguments, and returns the Kernel to which it belongs.
Kernel* ask_kernel(const void* function, KernelFunction how);

template <class... P>
inline Kernel* kernel_of(void (*function)(P...)) {
  register_kernel(reinterpret_cast<const void*>(function), how_to_call<P...>());
  return ask_kernel(reinterpret_cast<const void*>(function), how_to_call<P...>());
}

}  // namespace detail

/// Registers a kernel by the address of its host function, for cudaLaunchKernel((void*)k, …) and similar functions.
template <class... P>
class RegisterKernel {
 public:
  explicit RegisterKernel(void (*function)(P...)) {
    detail::register_kernel(reinterpret_cast<const void*>(function), detail::how_to_call<P...>());
  }
};
template <class... P>
RegisterKernel(void (*)(P...)) -> RegisterKernel<P...>;

/// Replaces `(void*)k` in arguments of cudaLaunchKernel and similar functions, and registers the kernel.
template <class... P>
inline const void* kernel_pointer(void (*function)(P...)) {
  detail::register_kernel(reinterpret_cast<const void*>(function), detail::how_to_call<P...>());
  return reinterpret_cast<const void*>(function);
}
template <class T>
inline const void* kernel_pointer(T* pointer) {
  return const_cast<const void*>(static_cast<const volatile void*>(pointer));
}

/// `printf` of device code: the output is stored in the device's queue, and printed at the next synchronisation or at
/// exit. In host code this is the host's printf. Returns the number of arguments, or -1 for a null format.
#ifndef __CUDA__  // an editor reads this as clang's device code, which has no "..."
int device_printf(const char* format, ...) __attribute__((format(printf, 1, 2)));
#endif

/// Called by a failed `assert`, with the parameters of the C library's __assert_fail. In a kernel, it prints CUDA's
/// message and ends the kernel with cudaErrorAssert.
[[noreturn]] void device_assert_fail(const char* expression, const char* file, unsigned line,
                                     const char* function);

/// `__trap()`: ends the kernel with cudaErrorLaunchFailure.
[[noreturn]] void device_trap();

}  // namespace cuemu
