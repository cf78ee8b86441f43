// The program's __device__, __constant__ and __managed__ variables.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "cuda_runtime_api.h"
#include "views.hpp"

namespace cuemu {

/// Returns the size in bytes of the symbol that begins at `address`; 0 if there is no such symbol.
std::size_t symbol_bytes(const void* address);
/// The kind of variable that holds `address`.
enum class SymbolKind { none, device, managed };
SymbolKind symbol_kind(const void* address);
/// A symbol, and the offset and byte count of a copy to or from it. The values are not checked yet.
struct SymbolPart {
  const void* symbol;
  std::size_t offset, count;
};
/// Checks a copy of `part` to or from `other` as the API does, and stores the copy's ends in `to` and `from`.
cudaError_t ends_of_symbol_copy(const SymbolPart& part, const void* other, cudaMemcpyKind kind,
                                bool to_symbol, Place& to, Place& from);
/// Address and bytes of each __managed__ variable.
std::vector<std::pair<const void*, std::size_t>> managed_variables();
/// Restores the initial values of all variables.
void reset_variables();
/// Returns the variable that host code knows by this address (host_side() of cuemu/launch.hpp); otherwise the address
/// itself.
const void* symbol_of(const void* address);
/// Returns whether `address` lies in any symbol.
bool is_symbol_memory(const void* address);

}  // namespace cuemu
