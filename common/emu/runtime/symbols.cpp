#include "symbols.hpp"

#include <dlfcn.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "copy.hpp"
#include "cuda_runtime_api.h"
#include "cuemu/launch.hpp"
#include "errors.hpp"
#include "observer.hpp"
#include "plan.hpp"

namespace cuemu {

namespace {
struct Variable {
  std::string name;
  std::size_t bytes = 0;
  bool managed = false;
  const void* object = nullptr;        ///< base address of the program or library that holds it
  std::vector<unsigned char> initial;  ///< empty: zeros, as in most large arrays, or a managed variable
  void* copy = nullptr;                ///< the host's copy, never freed; null: host code has not named it
};
struct Registry {
  std::mutex mutex;
  std::map<std::uintptr_t, Variable> variables;
  std::unordered_map<const void*, const void*>
      copies;  ///< variables that have copies, by both addresses that host code uses
};
Registry& registered() {
  static Registry* const variables = new Registry;
  return *variables;
}

constexpr std::size_t page_bytes = 4096;
const unsigned char zeros[page_bytes] = {};

/// Calls `use(offset, count)` for each page of a variable, so that callers can skip pages without writing to them,
/// which saves memory.
template <class Use>
void for_pages(std::size_t bytes, const Use& use) {
  for (std::size_t at = 0; at < bytes; at += page_bytes) use(at, std::min(page_bytes, bytes - at));
}

/// Base address of the program or library that contains an address; null if there is none, or if the library was
/// closed.
const void* object_at(const void* address) {
  Dl_info found;
  return dladdr(address, &found) != 0 ? found.dli_fbase : nullptr;
}

std::vector<unsigned char> content_of(const unsigned char* memory, std::size_t bytes) {
  bool zero = true;
  for_pages(bytes, [&](std::size_t at, std::size_t count) {
    zero = zero && std::memcmp(memory + at, zeros, count) == 0;
  });
  return zero ? std::vector<unsigned char>() : std::vector<unsigned char>(memory, memory + bytes);
}
}  // namespace

RegisterVariable::RegisterVariable(const char* name, const volatile void* address, std::size_t bytes,
                                   VariableKind kind) {
  {
    Registry& known = registered();
    const std::lock_guard<std::mutex> lock(known.mutex);
    const void* const memory = const_cast<const void*>(address);
    const void* const object = object_at(memory);
    // An instance of a template registers itself repeatedly.
    Variable& variable = known.variables[reinterpret_cast<std::uintptr_t>(address)];
    if (variable.bytes != bytes || variable.object != object)
      variable = {name,
                  bytes,
                  kind == VariableKind::managed,
                  object,
                  kind == VariableKind::managed
                      ? std::vector<unsigned char>()
                      : content_of(static_cast<const unsigned char*>(memory), bytes),
                  nullptr};
  }
  notify(&Observer::symbol_known, name, kind, address, bytes);
}

namespace {

constexpr std::size_t rounded_to_pages(std::size_t bytes) {
  return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

/// Maps pages for a copy, and the same number of inaccessible pages after them. Null if there is no memory.
void* make_copy(std::size_t half) {
  void* const pages = mmap(nullptr, 2 * half, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) return nullptr;
  mprotect(pages, half, PROT_READ | PROT_WRITE);
  return pages;
}

}  // namespace

void* host_side(const volatile void* const variable, const HostSide side) {
  Registry& known = registered();
  void* const itself = const_cast<void*>(variable);
  std::unique_lock<std::mutex> lock(known.mutex);
  const auto found = known.variables.find(reinterpret_cast<std::uintptr_t>(variable));
  if (found == known.variables.end() || found->second.managed) return itself;
  const std::size_t half = rounded_to_pages(found->second.bytes);
  const bool is_new = found->second.copy == nullptr;
  if (is_new) found->second.copy = make_copy(half);
  auto* const copy = static_cast<unsigned char*>(found->second.copy);
  if (copy == nullptr) return itself;
  if (is_new) {
    known.copies[copy] = known.copies[copy + half] = itself;
    const std::string name = found->second.name;
    lock.unlock();
    notify(&Observer::symbol_named_on_host, name.c_str(), copy, 2 * half);
  }
  return side == HostSide::address ? copy + half : copy;
}

const void* symbol_of(const void* const address) {
  Registry& known = registered();
  const std::lock_guard<std::mutex> lock(known.mutex);
  const auto found = known.copies.find(address);
  return found != known.copies.end() ? found->second : address;
}

void reset_variables() {
  Registry& known = registered();
  const std::lock_guard<std::mutex> lock(known.mutex);
  for (const auto& [address, variable] : known.variables) {
    auto* const memory = reinterpret_cast<unsigned char*>(address);
    // Managed variables keep their values, as on a GPU. Variables of a closed library no longer exist.
    if (variable.managed || object_at(memory) != variable.object) continue;
    for_pages(variable.bytes, [&, &initial = variable.initial](std::size_t at, std::size_t count) {
      const unsigned char* const from = initial.empty() ? zeros : initial.data() + at;
      if (std::memcmp(memory + at, from, count) != 0) std::memcpy(memory + at, from, count);
    });
  }
}

std::size_t symbol_bytes(const void* address) {
  Registry& known = registered();
  const std::lock_guard<std::mutex> lock(known.mutex);
  const auto found = known.variables.find(reinterpret_cast<std::uintptr_t>(address));
  return found != known.variables.end() ? found->second.bytes : 0;
}

std::vector<std::pair<const void*, std::size_t>> managed_variables() {
  Registry& known = registered();
  const std::lock_guard<std::mutex> lock(known.mutex);
  std::vector<std::pair<const void*, std::size_t>> result;
  for (const auto& [address, variable] : known.variables)
    if (variable.managed) result.emplace_back(reinterpret_cast<const void*>(address), variable.bytes);
  return result;
}

SymbolKind symbol_kind(const void* address) {
  Registry& known = registered();
  const std::lock_guard<std::mutex> lock(known.mutex);
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  auto after = known.variables.upper_bound(at);
  if (after == known.variables.begin()) return SymbolKind::none;
  --after;
  if (at - after->first >= after->second.bytes) return SymbolKind::none;
  return after->second.managed ? SymbolKind::managed : SymbolKind::device;
}

bool is_symbol_memory(const void* address) {
  return symbol_kind(address) != SymbolKind::none;
}

cudaError_t ends_of_symbol_copy(const SymbolPart& part, const void* other, cudaMemcpyKind kind,
                                bool to_symbol, Place& to, Place& from) {
  const auto [named, offset, count] = part;
  const void* const symbol = symbol_of(named);
  const std::size_t bytes = symbol_bytes(symbol);
  if (bytes == 0) return cudaErrorInvalidSymbol;
  const cudaMemcpyKind from_host = to_symbol ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
  if (kind != from_host && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  const auto bytes_of = [count = count](const void* memory) {
    return Place{static_cast<unsigned char*>(const_cast<void*>(memory)), count, count};
  };
  to = bytes_of(static_cast<const unsigned char*>(symbol) + offset);
  from = bytes_of(other);
  if (!to_symbol) std::swap(to, from);
  if (offset <= bytes && count <= bytes - offset) return cudaSuccess;
  notify(&Observer::copy_refused, CopyView{to, from, {count, 1, 1}, from_host}, cudaErrorInvalidValue);
  return cudaErrorInvalidValue;
}

namespace {

cudaError_t copy_symbol(const void* symbol, std::size_t offset, const void* other, std::size_t count,
                        cudaMemcpyKind kind, cudaStream_t stream, Pace pace, bool to_symbol) {
  Place to, from;
  if (const cudaError_t error =
          ends_of_symbol_copy({symbol, offset, count}, other, kind, to_symbol, to, from);
      error != cudaSuccess)
    return remember(error);
  return copy_box(to, from, {count, 1, 1}, kind, stream, pace);
}

}  // namespace

}  // namespace cuemu

using namespace cuemu;

extern "C" {

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* src, size_t count, size_t offset,
                               cudaMemcpyKind kind) {
  return copy_symbol(symbol, offset, src, count, kind, nullptr, Pace::wait, true);
}
cudaError_t cudaMemcpyFromSymbol(void* dst, const void* symbol, size_t count, size_t offset,
                                 cudaMemcpyKind kind) {
  return copy_symbol(symbol, offset, dst, count, kind, nullptr, Pace::wait, false);
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* src, size_t count, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_symbol(symbol, offset, src, count, kind, stream, Pace::queue, true);
}
cudaError_t cudaMemcpyFromSymbolAsync(void* dst, const void* symbol, size_t count, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_symbol(symbol, offset, dst, count, kind, stream, Pace::queue, false);
}

cudaError_t cudaGetSymbolAddress(void** devPtr, const void* symbol) {
  if (devPtr == nullptr) return remember(cudaErrorInvalidValue);
  const void* const variable = symbol_of(symbol);
  if (symbol_bytes(variable) == 0) return remember(cudaErrorInvalidSymbol);
  *devPtr = const_cast<void*>(variable);
  return cudaSuccess;
}

cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol) {
  if (size == nullptr) return remember(cudaErrorInvalidValue);
  const std::size_t bytes = symbol_bytes(symbol_of(symbol));
  if (bytes == 0) return remember(cudaErrorInvalidSymbol);
  *size = bytes;
  return cudaSuccess;
}
}
