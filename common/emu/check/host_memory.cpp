#include "host_memory.hpp"

#include <unwind.h>

#include <cstdint>
#include <map>
#include <mutex>

#include "naming.hpp"
#include "services.hpp"
#include "source.hpp"

namespace cuemu::check {

namespace {

struct StackSearch {
  std::uintptr_t address;
  std::uintptr_t innermost = 0;  ///< the first frame's end
  std::uintptr_t end = 0;        ///< the end of the frame that contains the address
};

_Unwind_Reason_Code look_at_frame(_Unwind_Context* context, void* raw) {
  auto& search = *static_cast<StackSearch*>(raw);
  const std::uintptr_t end = _Unwind_GetCFA(context);
  if (search.innermost == 0) search.innermost = end;
  if (search.address < search.innermost) return _URC_END_OF_STACK;  // the address is in other memory
  if (search.address >= end) return _URC_NO_REASON;
  search.end = end;
  return _URC_END_OF_STACK;
}

/// Ends of local variables that earlier calls have found, by address. They are kept because another thread
/// may make the copy.
struct Ends {
  std::mutex mutex;
  std::map<std::uintptr_t, std::uintptr_t> by_address;
};
Ends& ends() {
  static auto* const all = new Ends;
  return *all;
}

/// Returns the memory from an address in local variables up to the return address of their function.
HostBlock local_variables_from(std::uintptr_t address) {
  constexpr std::uintptr_t largest_frame = std::uintptr_t{1} << 24;  // beyond it is other memory
  StackSearch search{address};
  _Unwind_Backtrace(look_at_frame, &search);
  const std::lock_guard<std::mutex> lock(ends().mutex);
  if (search.end != 0 && search.end - address <= largest_frame)
    ends().by_address[address] = search.end - sizeof(void*);
  const auto known = ends().by_address.find(address);
  return known != ends().by_address.end() ? HostBlock{address, known->second - address} : HostBlock{};
}

const Variable& variable_of(const HostBlock& block) {
  return variable_at(reinterpret_cast<const void*>(block.begin));
}

}  // namespace

HostBlock host_memory_at(const void* pointer) {
  if (in_device_space(reinterpret_cast<std::uintptr_t>(pointer))) return {};
  if (const HostBlock block = host_block_at(pointer); block.known()) return block;
  if (const Variable& variable = variable_at(pointer); !variable.name.empty())
    return {variable.begin, variable.end - variable.begin};
  return local_variables_from(reinterpret_cast<std::uintptr_t>(pointer));
}

std::string host_memory_text(const HostBlock& block) {
  const std::string bytes = bytes_text(block.bytes);
  if (host_block_at(reinterpret_cast<const void*>(block.begin)).known())
    return "a block of " + bytes + " in the host's heap";
  if (!variable_of(block).name.empty()) return "a variable of " + bytes;
  return "after which the local variables of its function have at most " + bytes;
}

}  // namespace cuemu::check
