#include "own_code.hpp"

#include <elf.h>

#include <algorithm>

/// The linker defines it for programs and shared libraries alike. `__executable_start` and `etext`, which look apt, are
/// missing in shared libraries, or the program's.
extern "C" [[gnu::visibility("hidden")]] const Elf64_Ehdr __ehdr_start;

namespace cuemu::check {

namespace {
OwnCode find_own_code() {
  const Elf64_Ehdr& header = __ehdr_start;
  const auto begin = reinterpret_cast<std::uintptr_t>(&header);
  const auto* const parts = reinterpret_cast<const Elf64_Phdr*>(begin + header.e_phoff);
  std::uintptr_t first = 0;  // the header's address before the object was moved to where it lies
  std::uintptr_t code_end = 0, variables = UINTPTR_MAX, constant_end = 0;
  for (const Elf64_Phdr* part = parts; part != parts + header.e_phnum; ++part) {
    if (part->p_type == PT_GNU_RELRO) constant_end = part->p_vaddr + part->p_memsz;
    if (part->p_type != PT_LOAD) continue;
    if (part->p_offset == 0) first = part->p_vaddr;
    if ((part->p_flags & PF_X) != 0)
      code_end = std::max<std::uintptr_t>(code_end, part->p_vaddr + part->p_memsz);
    if ((part->p_flags & PF_W) != 0) variables = std::min<std::uintptr_t>(variables, part->p_vaddr);
  }
  // Tables that are written once, when the object is loaded, are constant too.
  variables = std::max(variables, constant_end);
  return {begin, begin - first + code_end, begin - first + variables};
}
}  // namespace

const OwnCode& own_code() {
  static const OwnCode known = find_own_code();
  return known;
}

}  // namespace cuemu::check
