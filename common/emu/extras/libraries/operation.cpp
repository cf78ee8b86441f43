#include "operation.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <thread>

#include "cuda_runtime.h"
#include "cuemu/launch.hpp"
#include "errors.hpp"
#include "launch_state.hpp"
#include "memory.hpp"
#include "observer.hpp"
#include "symbols.hpp"
#include "worker.hpp"

/// The checker's function; null if no checker is linked. Reports an access of the calling CUDA thread by the
/// code at `pc`.
extern "C" void cuemu_check_library(const void* at, std::size_t bytes, bool writes, const void* pc)
    __attribute__((weak));

namespace cuemu::library {

namespace {

thread_local const char* called_name = "a library";
thread_local const void* called_from = nullptr;

/// One thread for the work of all libraries. A library may use all of the machine's cores by itself.
class Server {
 public:
  static Server& get() {
    static auto* const server = new Server;  // never destroyed: its thread may outlive static destructors
    return *server;
  }

  /// @return the error; empty: none
  std::string run(const std::function<void()>& work) {
    Request request;
    request.work = &work;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      requests_.push_back(&request);
    }
    changed_.notify_one();
    std::unique_lock<std::mutex> lock(mutex_);
    done_.wait(lock, [&] { return request.done; });
    return std::move(request.problem);
  }

 private:
  struct Request {
    const std::function<void()>* work = nullptr;
    std::string problem;
    bool done = false;  ///< under the lock
  };

  Server() {
    std::thread([this] { serve(); }).detach();
  }

  void serve() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return !requests_.empty(); });
      Request& request = *requests_.front();
      requests_.pop_front();
      lock.unlock();
      {
        // Threads that a library starts inherit the access rights to device memory.
        const DeviceAccess access;
        try {
          (*request.work)();
        } catch (const std::bad_alloc&) {
          request.problem = "no memory is left for its work";
        } catch (const std::exception& problem) {
          request.problem = problem.what();
        }
      }
      lock.lock();
      request.done = true;
      done_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::condition_variable done_;
  std::deque<Request*> requests_;
};

/// Calls `visit(at, bytes)` for each part of the memory that has no gap.
template <class Visit>
void each_stretch(const Use& use, const Visit& visit) {
  const auto* const begin = static_cast<const unsigned char*>(use.at);
  if (use.rows == 0 || use.columns == 0) return;
  if (use.shape == Shape::full && (use.leading == use.rows || use.columns == 1))
    return visit(begin, use.element * use.rows * use.columns);
  for (std::size_t column = 0; column < use.columns; ++column) {
    std::size_t first = 0, last = use.rows;
    if (use.shape == Shape::lower) first = std::min(column, use.rows);
    if (use.shape == Shape::upper) last = std::min(column + 1, use.rows);
    if (first < last)
      visit(begin + (column * use.leading + first) * use.element, (last - first) * use.element);
  }
}

/// Whether memory is inside one allocation that the device may use, or inside a variable of the program.
bool is_usable(const unsigned char* at, std::size_t bytes) {
  Allocation found;
  if (find_allocation(at, found))
    return reinterpret_cast<std::uintptr_t>(at) - found.begin + bytes <= found.bytes;
  return is_symbol_memory(at);
}

/// Describes what is wrong with an operand; empty if nothing is.
std::string problem_of(const Use& use) {
  std::string text;
  each_stretch(use, [&](const unsigned char* at, std::size_t bytes) {
    if (!text.empty() || is_usable(at, bytes)) return;
    const auto address = reinterpret_cast<std::uintptr_t>(at);
    const std::string name = std::string("its ") + use.name;
    if (!in_device_space(address)) {
      text = name + (use.at == nullptr ? " is a null pointer"
                                       : " is the host's memory: it takes what cudaMalloc or "
                                         "cudaMallocManaged gave");
      return;
    }
    Allocation found;
    text = name;
    if (find_allocation(at, found))
      text += " ends " + std::to_string(address + bytes - found.begin - found.bytes) +
              " bytes beyond its memory: are its sizes and its leading dimension right?";
    else
      text += " is no memory that is allocated now: " + describe_address(address);
  });
  return text;
}

void report(const Use& use, bool writes, const void* pc) {
  each_stretch(
      use, [&](const unsigned char* at, std::size_t bytes) { cuemu_check_library(at, bytes, writes, pc); });
}

/// A launch's copy of a call's parameters.
struct Closure {
  std::shared_ptr<const Operation> operation;
  const char* name;
  const void* from;
};

/// Stops the kernel if `problem()` returns a sentence.
template <class Problem>
void stop_with(cudaError_t error, const Problem& problem) {
  static thread_local char sentence[512];  // not on the stack, which stop_kernel() abandons
  sentence[0] = '\0';
  {
    const RuntimeSection section;
    const std::string text = problem();
    if (!text.empty()) std::snprintf(sentence, sizeof sentence, "%s", text.c_str());
  }
  if (sentence[0] != '\0') stop_kernel(error, sentence);
}

void check_uses(const Uses& uses) {
  for (const Use& use : uses.all()) stop_with(cudaErrorIllegalAddress, [&] { return problem_of(use); });
}

void report_uses(const Uses& uses, const void* from) {
  if (cuemu_check_library == nullptr || !is_observed()) return;
  for (const Use& use : uses.all())
    if (use.whole && use.access != Access::writes) report(use, false, from);
  for (const Use& use : uses.all())
    if (use.access != Access::reads) report(use, true, from);
}

/// Runs the single thread of a launch.
void run_operation(Block& block) {
  const auto& closure = *static_cast<const Closure*>(detail::closure_of(block));
  Fiber& fiber = *current_fiber;
  fiber.linear = block.next_thread++;
  fiber.thread_index = block.next_index;
  const Operation& operation = *closure.operation;
  const Call call(closure.name, closure.from);
  check_uses(operation.uses);
  Uses more;
  if (operation.more_uses) {
    {
      const RuntimeSection section;
      more = operation.more_uses();
    }
    check_uses(more);
  }
  report_uses(operation.uses, closure.from);
  report_uses(more, closure.from);
  if (operation.before) operation.before();
  stop_with(cudaErrorLaunchFailure, [&] {
    more = {};
    return Server::get().run(operation.work);
  });
  if (operation.after) operation.after();
  detail::finish_thread(block, fiber);
}

/// Returns the kernel for a function, by the function's name.
const KernelCode& code_of(const char* name) {
  static auto* const mutex = new std::mutex;
  static auto* const codes = new std::map<std::string, KernelCode>;
  const std::lock_guard<std::mutex> lock(*mutex);
  return codes
      ->try_emplace(name,
                    KernelCode{&run_operation, sizeof(Closure), alignof(Closure),
                               [](void* to, const void* from) {
                                 ::new (to) Closure(*static_cast<const Closure*>(from));
                               },
                               [](void* closure) noexcept { static_cast<Closure*>(closure)->~Closure(); }})
      .first->second;
}

}  // namespace

Uses& Uses::matrix(const char* name, const void* at, std::size_t element, std::size_t rows,
                   std::size_t columns, std::size_t leading, Access access, Shape shape) {
  all_.push_back({name, at, element, rows, columns, leading, shape, access, true});
  return *this;
}

Uses& Uses::vector(const char* name, const void* at, std::size_t element, std::size_t n,
                   std::ptrdiff_t stride, Access access) {
  const std::size_t step = static_cast<std::size_t>(stride < 0 ? -stride : stride);
  return matrix(name, at, element, 1, n, step, access);
}

Uses& Uses::storage(const char* name, const void* at, std::size_t bytes, Access access) {
  all_.push_back({name, at, 1, bytes, 1, bytes, Shape::full, access, false});
  return *this;
}

Call::Call(const char* name, const void* from) : outer_name_(called_name), outer_from_(called_from) {
  called_name = name;
  called_from = from;
}
Call::~Call() {
  called_name = outer_name_;
  called_from = outer_from_;
}
const char* Call::name() {
  return called_name;
}
const void* Call::from() {
  return called_from;
}

cudaError_t submit(cudaStream_t stream, Operation operation) {
  const Closure closure{std::make_shared<const Operation>(std::move(operation)), Call::name(), Call::from()};
  const cudaError_t before = cudaGetLastError();
  {
    const PendingLaunch pending(1, 1, 0, stream);
    detail::launch(code_of(closure.name), KernelInfo{closure.name}, &closure);
  }
  const cudaError_t error = cudaPeekAtLastError();
  if (error == cudaSuccess) remember(before);
  return error;
}

namespace {
/// Loaded libraries by their files; null: not found. The lock is held only briefly, since the libraries'
/// thread takes it, too.
struct Loaded {
  std::mutex mutex;
  std::map<std::string, void*> handles;
  static Loaded& get() {
    static auto* const loaded = new Loaded;
    return *loaded;
  }
  bool find(const char* library, void*& handle) {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto found = handles.find(library);
    if (found != handles.end()) handle = found->second;
    return found != handles.end();
  }
};

/// Loads a library on the libraries' thread, so that threads which the library starts may access device
/// memory.
void* loaded(const char* library) {
  void* handle = nullptr;
  if (Loaded::get().find(library, handle)) return handle;
  static auto* const one_at_a_time = new std::mutex;
  const std::lock_guard<std::mutex> loading(*one_at_a_time);
  if (Loaded::get().find(library, handle)) return handle;
  Server::get().run([&] {
    handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) return;
    using SetThreads = void(int);
    if (void* const set = dlsym(handle, "openblas_set_num_threads"))
      reinterpret_cast<SetThreads*>(set)(static_cast<int>(worker_threads()));
  });
  const std::lock_guard<std::mutex> lock(Loaded::get().mutex);
  Loaded::get().handles[library] = handle;
  return handle;
}
}  // namespace

void* find_function(const char* library, const std::string& name) {
  void* const handle = loaded(library);
  return handle != nullptr ? dlsym(handle, name.c_str()) : nullptr;
}

bool is_present(const char* library, const char* title, const char* package) {
  if (loaded(library) != nullptr) return true;
  static auto* const mutex = new std::mutex;
  static auto* const said = new std::set<std::string>;
  const std::lock_guard<std::mutex> lock(*mutex);
  if (said->insert(package).second)
    std::fprintf(stderr,
                 "cuemu: %s is computed by a library that is not installed here: sudo apt-get install %s\n",
                 title, package);
  return false;
}

}  // namespace cuemu::library
