// The library that the CUDA driver loads into a program (CUDA_INJECTION64_PATH). Environment variables select its work:
//   LAB_PROFILE=FILE  appends the program's device activity, from CUPTI's activity records
//   LAB_PROFILE_CONTENT=1 with LAB_PROFILE: appends hashes of the bytes copied between host and device (contents.hpp)
//   CUDA_PROFILE=1    writes the log of CUDA's old text profiler (text_log.hpp)
//   LAB_POISON=1      fills fresh device memory with NaN words, so that reads of unwritten memory show
// In every case the library stores a refused launch's configuration in the program's environment,
//   LAB_REFUSED_LAUNCH="33 1 1 33 33 1 0"   grid, block, bytes of dynamic shared memory,
// where common/lab's CUDA_CHECK_LAUNCH reads it, because no CUDA function returns it. The program's source does not
// refer to the library. An error here becomes a note in the profile; the program continues.
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <mutex>
#include <unordered_set>

#include "contents.hpp"
#include "cupti_library.hpp"
#include "profile_file.hpp"
#include "text_profile.hpp"

namespace cuda_lab_profile {
namespace {

constexpr unsigned poison_word = 0x7fffdead;  // NaN as a float, as a double, and in the sum of its two halves
// In bytes. Filling more would slow programs noticeably.
constexpr std::size_t largest_poisoned = std::size_t{1} << 30;
constexpr std::size_t buffer_size = 512 << 10;
constexpr std::size_t buffer_alignment = 8;

/// CUPTI's MEMORY2 records come unordered, and addresses are reused. So records are sorted by time before they are
/// written.
struct MemoryEvent {
  std::uint64_t at_ns, address, bytes;
  bool is_alloc;
};

/// The library's state. It is never destroyed, since the driver may call the library after the program's destructors
/// have run.
struct Injection {
  CuptiLibrary cupti;
  DriverLibrary driver;
  bool driver_works = false;
  pid_t process = getpid();
  std::mutex mutex;  // protects the members below
  ProfileFile* file = nullptr;
  TextProfile* text = nullptr;
  Contents* contents = nullptr;
  bool header_written = false;
  std::string device;
  std::vector<MemoryEvent> memory;
  std::unordered_set<std::uint64_t> asked_for;  // addresses that the program's allocation calls returned
};

Injection* injection = nullptr;

std::string first_line_of(const char* file) {
  std::string line;
  std::ifstream in(file);
  std::getline(in, line);
  return line;
}

std::string driver_version() {
  const std::string version = first_line_of("/sys/module/nvidia/version");
  if (!version.empty()) return version;
  // "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.03  …": takes the first word that has only digits and
  // points.
  const std::string line = first_line_of("/proc/driver/nvidia/version");
  for (std::size_t begin = 0; begin < line.size();) {
    const std::size_t end = std::min(line.find(' ', begin), line.size());
    const std::string word = line.substr(begin, end - begin);
    if (word.find('.') != std::string::npos && word.find_first_not_of("0123456789.") == std::string::npos)
      return word;
    begin = end + 1;
  }
  return "";
}

/// @pre the mutex is held
void add(const std::string& line) {
  if (injection->file) injection->file->add(line);
}

/// @pre the mutex is held
void flush_file() {
  if (injection->file) injection->file->flush();
}

/// @pre the mutex is held
void write_header() {
  if (injection->header_written) return;
  injection->header_written = true;
  add(header_line(injection->device, driver_version(), injection->contents != nullptr));
}

void note(const std::string& text) {
  const std::lock_guard<std::mutex> lock(injection->mutex);
  if (!injection->file) return;
  injection->file->add(note_line(text));
  injection->file->flush();
}

std::string words(CUptiResult result) {
  const char* text = nullptr;
  injection->cupti.result_string(result, &text);
  return text ? text : "unknown error";
}

// ---------------------------------------------------------------------------------------------------------------------
// Activities. The old record types are deliberate: later versions only append fields, so these types fit all versions
// from CUDA 11 to 13.

const char* direction(std::uint8_t copy_kind) {
  switch (copy_kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOA:
      return "h2d";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOH:
      return "d2h";
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOH:
      return "h2h";
    default:
      return "d2d";
  }
}

void add_kernel(const CUpti_Activity* record) {
  const auto& kernel = *reinterpret_cast<const CUpti_ActivityKernel5*>(record);
  add(kernel_line({kernel.name,
                   kernel.start,
                   kernel.end,
                   {kernel.gridX, kernel.gridY, kernel.gridZ},
                   {kernel.blockX, kernel.blockY, kernel.blockZ},
                   kernel.staticSharedMemory,
                   kernel.dynamicSharedMemory,
                   kernel.registersPerThread}));
  if (!injection->text) return;
  cuda_profile_log::Record logged;
  logged.method = kernel_name(kernel.name);
  logged.is_kernel = true;
  const std::int32_t sizes[] = {kernel.gridX,  kernel.gridY,  kernel.gridZ,
                                kernel.blockX, kernel.blockY, kernel.blockZ};
  for (int i = 0; i < 3; ++i) {
    logged.grid[i] = static_cast<std::uint32_t>(sizes[i]);
    logged.block[i] = static_cast<std::uint32_t>(sizes[i + 3]);
  }
  logged.static_shared = static_cast<std::uint64_t>(kernel.staticSharedMemory);
  logged.dynamic_shared = static_cast<std::uint64_t>(kernel.dynamicSharedMemory);
  logged.registers = kernel.registersPerThread;
  injection->text->add(std::move(logged), kernel.start, kernel.end, kernel.correlationId);
}

void log_transfer(const std::string& method, std::uint64_t bytes, std::uint64_t start, std::uint64_t end,
                  std::uint32_t correlation) {
  if (!injection->text) return;
  cuda_profile_log::Record logged;
  logged.method = method;
  logged.bytes = bytes;
  injection->text->add(std::move(logged), start, end, correlation);
}

void add_memory(const CUpti_Activity* record) {
  const auto& memory = *reinterpret_cast<const CUpti_ActivityMemory2*>(record);
  if (memory.memoryKind != CUPTI_ACTIVITY_MEMORY_KIND_DEVICE &&
      memory.memoryKind != CUPTI_ACTIVITY_MEMORY_KIND_MANAGED)
    return;
  const bool is_alloc = memory.memoryOperationType == CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION;
  if (!is_alloc && memory.memoryOperationType != CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE) return;
  // The driver also allocates memory for __managed__ variables, with the same records. The program can't free it.
  if (is_alloc && injection->asked_for.count(memory.address) == 0) return;
  injection->memory.push_back({memory.timestamp, memory.address, memory.bytes, is_alloc});
}

void add_record(const CUpti_Activity* record) {
  switch (record->kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      add_kernel(record);
      break;
    case CUPTI_ACTIVITY_KIND_MEMCPY: {
      const auto& copy = *reinterpret_cast<const CUpti_ActivityMemcpy*>(record);
      add(memcpy_line(direction(copy.copyKind), copy.bytes, copy.start, copy.end));
      log_transfer(cuda_profile_log::copy_method(direction(copy.copyKind)), copy.bytes, copy.start, copy.end,
                   copy.correlationId);
      break;
    }
    case CUPTI_ACTIVITY_KIND_MEMSET: {
      const auto& set = *reinterpret_cast<const CUpti_ActivityMemset*>(record);
      if (set.value == poison_word) break;
      add(memset_line(set.bytes, set.start, set.end));
      log_transfer("memset", set.bytes, set.start, set.end, set.correlationId);
      break;
    }
    case CUPTI_ACTIVITY_KIND_RUNTIME: {
      const auto& call = *reinterpret_cast<const CUpti_ActivityAPI*>(record);
      if (injection->text) injection->text->add_call(call.start, call.end, call.correlationId);
      break;
    }
    case CUPTI_ACTIVITY_KIND_MEMORY2:
      add_memory(record);
      break;
    default:
      break;
  }
}

void CUPTIAPI give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(buffer_alignment, buffer_size));
  *size = *buffer ? buffer_size : 0;
  *most_records = 0;  // as many as fit
}

void CUPTIAPI take_buffer(CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t,
                          std::size_t valid) {
  {
    const std::lock_guard<std::mutex> lock(injection->mutex);
    write_header();
    CUpti_Activity* record = nullptr;
    while (injection->cupti.next_record(buffer, valid, &record) == CUPTI_SUCCESS) add_record(record);
    flush_file();
  }
  std::free(buffer);
  std::size_t dropped = 0;
  injection->cupti.dropped_records(context, stream, &dropped);
  if (dropped > 0) note(std::to_string(dropped) + " activities were lost: CUPTI had no room for them");
}

/// Writes all activity so far. Blocks until running activities have ended.
void flush() {
  if (!injection->file && !injection->text) return;
  injection->cupti.flush_all(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  const std::lock_guard<std::mutex> lock(injection->mutex);
  std::stable_sort(injection->memory.begin(), injection->memory.end(),
                   [](const MemoryEvent& a, const MemoryEvent& b) { return a.at_ns < b.at_ns; });
  for (const MemoryEvent& event : injection->memory)
    add(event.is_alloc ? alloc_line(event.address, event.bytes, event.at_ns)
                       : free_line(event.address, event.at_ns));
  injection->memory.clear();
  flush_file();
}

/// Reports a problem with the text profiler's log to the grader that runs the program, or otherwise to the user.
/// @pre the mutex is held
void report_log_problem(const std::string& problem) {
  if (injection->file && injection->file->is_channel())
    add(note_line(problem));
  else
    std::fprintf(stderr, "cuda_lab_profile: CUDA_PROFILE: %s\n", problem.c_str());
}

void at_exit() {
  if (getpid() != injection->process || (!injection->file && !injection->text))
    return;  // a fork of the program has no records
  flush();
  const std::lock_guard<std::mutex> lock(injection->mutex);
  write_header();
  if (injection->text)
    for (const std::string& problem : injection->text->write()) report_log_problem(problem);
  add(end_line());
  flush_file();
}

// ---------------------------------------------------------------------------------------------------------------------
// Callbacks: they fill memory after an allocation, and flush the device's records before they would be lost.

struct FreshMemory {
  CUdeviceptr address = 0;
  std::size_t bytes = 0;
  bool in_stream = false;
  CUstream stream = nullptr;
};

template <typename Parameters>
FreshMemory fresh(const void* parameters, std::size_t Parameters::*bytes) {
  const auto& call = *static_cast<const Parameters*>(parameters);
  return {reinterpret_cast<CUdeviceptr>(*call.devPtr), call.*bytes, false, nullptr};
}

/// Returns the memory that a successful call of the runtime or the driver allocated. For all other calls `bytes` is 0.
FreshMemory fresh_memory(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* parameters) {
  if (domain == CUPTI_CB_DOMAIN_DRIVER_API) {
    if (id != CUPTI_DRIVER_TRACE_CBID_cuMemAlloc_v2) return {};
    const auto& call = *static_cast<const cuMemAlloc_v2_params*>(parameters);
    return {*call.dptr, call.bytesize, false, nullptr};
  }
  switch (id) {
    case CUPTI_RUNTIME_TRACE_CBID_cudaMalloc_v3020:
      return fresh<cudaMalloc_v3020_params>(parameters, &cudaMalloc_v3020_params::size);
    case CUPTI_RUNTIME_TRACE_CBID_cudaMallocManaged_v6000:
      return fresh<cudaMallocManaged_v6000_params>(parameters, &cudaMallocManaged_v6000_params::size);
    case CUPTI_RUNTIME_TRACE_CBID_cudaMallocPitch_v3020: {
      const auto& call = *static_cast<const cudaMallocPitch_v3020_params*>(parameters);
      return {reinterpret_cast<CUdeviceptr>(*call.devPtr), *call.pitch * call.height, false, nullptr};
    }
    case CUPTI_RUNTIME_TRACE_CBID_cudaMallocAsync_v11020:
    case CUPTI_RUNTIME_TRACE_CBID_cudaMallocAsync_ptsz_v11020: {
      const auto& call = *static_cast<const cudaMallocAsync_v11020_params*>(parameters);
      return {reinterpret_cast<CUdeviceptr>(*call.devPtr), call.size, true, call.hStream};
    }
    default:
      return {};
  }
}

/// Returns whether the call launches a kernel. Stores the launch's configuration in `text`, unless `text` is null.
bool is_launch(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* parameters, std::string* text) {
  const auto say = [text](const unsigned(&sizes)[6], std::size_t shared) {
    if (!text) return true;
    for (const unsigned size : sizes) *text += std::to_string(size) + " ";
    *text += std::to_string(shared);
    return true;
  };
  if (domain == CUPTI_CB_DOMAIN_DRIVER_API) {
    if (id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel || id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz) {
      const auto& c = *static_cast<const cuLaunchKernel_params*>(parameters);
      return say({c.gridDimX, c.gridDimY, c.gridDimZ, c.blockDimX, c.blockDimY, c.blockDimZ},
                 c.sharedMemBytes);
    }
#if CUDA_VERSION >= 11080
    if (id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx ||
        id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz) {
      const CUlaunchConfig& c = *static_cast<const cuLaunchKernelEx_params*>(parameters)->config;
      return say({c.gridDimX, c.gridDimY, c.gridDimZ, c.blockDimX, c.blockDimY, c.blockDimZ},
                 c.sharedMemBytes);
    }
#endif
    return false;
  }
  if (id != CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000 &&
      id != CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_ptsz_v7000)
    return false;
  const auto& c = *static_cast<const cudaLaunchKernel_v7000_params*>(parameters);
  return say({c.gridDim.x, c.gridDim.y, c.gridDim.z, c.blockDim.x, c.blockDim.y, c.blockDim.z}, c.sharedMem);
}

bool succeeded(CUpti_CallbackDomain domain, const CUpti_CallbackData& call) {
  if (!call.functionReturnValue) return false;
  return domain == CUPTI_CB_DOMAIN_DRIVER_API
             ? *static_cast<const CUresult*>(call.functionReturnValue) == CUDA_SUCCESS
             : *static_cast<const cudaError_t*>(call.functionReturnValue) == cudaSuccess;
}

void poison(const FreshMemory& memory) {
  if (memory.address == 0 || memory.bytes == 0 || memory.bytes >= largest_poisoned) return;
  static thread_local bool busy = false;  // the library's own calls reach the callback, too
  if (busy) return;
  busy = true;
  const std::size_t whole_words = memory.bytes / sizeof poison_word, rest = memory.bytes % sizeof poison_word;
  if (memory.in_stream) {
    injection->driver.memset_words_async(memory.address, poison_word, whole_words, memory.stream);
  } else {
    if (whole_words > 0) injection->driver.memset_words(memory.address, poison_word, whole_words);
    if (rest > 0)
      injection->driver.memset_bytes(memory.address + whole_words * sizeof poison_word, 0xad, rest);
    injection->driver.context_synchronize();  // so that the program's streams don't overtake it
  }
  busy = false;
}

/// Called once, with the first context, because there is no current device before.
void learn_device() {
  char name[256] = "";
  CUdevice device = 0;
  if (injection->driver.context_get_device(&device) != CUDA_SUCCESS) device = 0;
  if (injection->driver.device_get_name(name, sizeof name, device) != CUDA_SUCCESS) return;
  const auto of = [device](CUdevice_attribute attribute) {
    int value = 0;
    injection->driver.device_get_attribute(&value, attribute, device);
    return value;
  };
  const std::lock_guard<std::mutex> lock(injection->mutex);
  if (injection->text)
    injection->text->set_device(
        name, {of(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR),
               of(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR),
               of(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR),
               static_cast<std::uint64_t>(of(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR)),
               static_cast<std::uint64_t>(of(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK))});
  if (injection->header_written || !injection->file) return;
  injection->device = name;
  write_header();
  injection->file->flush();
}

/// Called after a launch: stores the configuration of a refused launch in the environment, and removes it when a launch
/// is accepted.
void note_launch(CUpti_CallbackDomain domain, CUpti_CallbackId id, const CUpti_CallbackData& call) {
  constexpr const char* variable = "LAB_REFUSED_LAUNCH";
  static bool noted = false;
  const bool accepted = succeeded(domain, call);
  const std::lock_guard<std::mutex> lock(injection->mutex);
  if (accepted && noted) unsetenv(variable);
  noted = !accepted;
  if (accepted) return;
  std::string text;
  is_launch(domain, id, call.functionParams, &text);
  setenv(variable, text.c_str(), 1);
}

/// Writes the lines at once, because a program that ends without its exit handlers would lose unwritten lines.
void report_contents(CUpti_CallbackId id, const void* parameters) {
  if (!injection->contents) return;
  const std::string lines = injection->contents->after(id, parameters);
  if (lines.empty()) return;
  const std::lock_guard<std::mutex> lock(injection->mutex);
  write_header();
  add(lines);
  flush_file();
}

void CUPTIAPI on_callback(void* poisons, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
  if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
    if (id == CUPTI_CBID_RESOURCE_CONTEXT_CREATED && injection->driver_works) learn_device();
    return;
  }
  const auto& call = *static_cast<const CUpti_CallbackData*>(data);
  if (is_launch(domain, id, call.functionParams, nullptr)) {
    if (call.callbackSite == CUPTI_API_EXIT) note_launch(domain, id, call);
    return;
  }
  const bool before_reset =
      domain == CUPTI_CB_DOMAIN_RUNTIME_API && id == CUPTI_RUNTIME_TRACE_CBID_cudaDeviceReset_v3020;
  if (before_reset) {
    if (call.callbackSite == CUPTI_API_ENTER) flush();
  } else if (call.callbackSite == CUPTI_API_EXIT && succeeded(domain, call)) {
    if (domain == CUPTI_CB_DOMAIN_RUNTIME_API) report_contents(id, call.functionParams);
    const FreshMemory memory = fresh_memory(domain, id, call.functionParams);
    if (memory.bytes > 0) {
      const std::lock_guard<std::mutex> lock(injection->mutex);
      injection->asked_for.insert(memory.address);
    }
    if (poisons) poison(memory);
  }
}

// ---------------------------------------------------------------------------------------------------------------------

/// @return whether callbacks are installed; if not, a note says why
bool subscribe(bool poisons, bool contents) {
  CuptiLibrary& cupti = injection->cupti;
  CUpti_SubscriberHandle subscriber = nullptr;
  static int yes = 1;
  const CUptiResult result = cupti.subscribe(&subscriber, on_callback, poisons ? &yes : nullptr);
  if (result != CUPTI_SUCCESS) {
    note("CUPTI gave no callbacks (" + words(result) + "): fresh memory is not poisoned");
    return false;
  }
  cupti.enable_callback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CONTEXT_CREATED);
  cupti.enable_callback(1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API,
                        CUPTI_RUNTIME_TRACE_CBID_cudaDeviceReset_v3020);
  cupti.enable_callback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuMemAlloc_v2);
  for (const CUpti_CallbackId id : {
         CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
#if CUDA_VERSION >= 11080
             CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz
#endif
       })
    cupti.enable_callback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, id);
  for (const CUpti_CallbackId id :
       {CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_ptsz_v7000,
        CUPTI_RUNTIME_TRACE_CBID_cudaMalloc_v3020, CUPTI_RUNTIME_TRACE_CBID_cudaMallocManaged_v6000,
        CUPTI_RUNTIME_TRACE_CBID_cudaMallocPitch_v3020, CUPTI_RUNTIME_TRACE_CBID_cudaMallocAsync_v11020,
        CUPTI_RUNTIME_TRACE_CBID_cudaMallocAsync_ptsz_v11020})
    cupti.enable_callback(1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API, id);
  bool all = true;
  for (const CUpti_CallbackId id : Contents::watched()) {
    if (contents)
      all = cupti.enable_callback(1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API, id) == CUPTI_SUCCESS && all;
  }
  return all;
}

/// Starts recording. False if CUPTI can't record; a note then says why.
bool record_activities() {
  CuptiLibrary& cupti = injection->cupti;
  CUptiResult result = cupti.register_callbacks(give_buffer, take_buffer);
  for (const CUpti_ActivityKind kind : {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                                        CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_MEMORY2}) {
    if (result == CUPTI_SUCCESS) result = cupti.enable_activity(kind);
  }
  if (result == CUPTI_SUCCESS && injection->text) result = cupti.enable_activity(CUPTI_ACTIVITY_KIND_RUNTIME);
  if (result != CUPTI_SUCCESS) note("CUPTI records nothing here: " + words(result));
  return result == CUPTI_SUCCESS;
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value && std::strcmp(value, "0") != 0;
}

void start() {
  injection = new Injection;
  const bool poisons = is_set("LAB_POISON");
  if (is_set("LAB_PROFILE")) injection->file = new ProfileFile(std::getenv("LAB_PROFILE"));
  if (cuda_profile_log::Settings settings = cuda_profile_log::read_settings(); settings.on)
    injection->text = new TextProfile(std::move(settings));
  const bool profiles = injection->file != nullptr || injection->text != nullptr;
  const std::string problem = injection->cupti.load();
  if (!problem.empty()) return note(problem);
  std::uint32_t version = 0;
  injection->cupti.get_version(&version);
  injection->driver_works = injection->driver.load();
  if (!injection->driver_works)
    note("libcuda lacks a function that this library needs: fresh memory is not poisoned");
  const bool contents = is_set("LAB_PROFILE_CONTENT") && injection->file && injection->driver_works;
  if (subscribe(poisons && injection->driver_works, contents) && contents)
    injection->contents = new Contents(injection->driver);
  if (!profiles) return;
  if (record_activities()) {
    std::atexit(at_exit);
  } else {
    // A header without records would mean that the program did nothing.
    injection->file = nullptr;
    injection->text = nullptr;
  }
}

}  // namespace
}  // namespace cuda_lab_profile

/// The driver calls this function once, in the program's first CUDA call. @return 1: continue
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  try {
    if (!cuda_lab_profile::injection) cuda_lab_profile::start();
  } catch (...) {
    // The memory is exhausted; the program will report it.
  }
  return 1;
}
