// The program's __device__, __constant__ and __managed__ variables.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace cuemu {

/// The bytes of the symbol that begins at `address`; 0 where none does.
std::size_t symbol_bytes(const void* address);
/// What kind of variable `address` lies in, if any.
enum class SymbolKind { none, device, managed };
SymbolKind symbol_kind(const void* address);
/// Address and bytes of each __managed__ variable.
std::vector<std::pair<const void*, std::size_t>> managed_variables();
/// True if `address` lies in any symbol.
bool is_symbol_memory(const void* address);

}  // namespace cuemu
