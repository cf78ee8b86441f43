#include "own_code.hpp"

#include <elf.h>
#include <link.h>

#include <algorithm>

/// The linker defines this symbol in programs and shared libraries. `__executable_start` and `etext` don't
/// suffice: shared libraries lack them, or get the program's.
extern "C" [[gnu::visibility("hidden")]] const Elf64_Ehdr __ehdr_start;

namespace cuemu::check {

namespace {
/// Returns the object that contains an address in its code, or in the constants before the code.
std::optional<OwnCode> found_with(std::uintptr_t address) {
  struct Search {
    std::uintptr_t address;
    std::optional<OwnCode> found;
  } search{address, std::nullopt};
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        const std::uintptr_t moved = object->dlpi_addr;
        std::uintptr_t first = 0;  // the header's address before relocation
        std::uintptr_t code_end = 0, variables = UINTPTR_MAX, constant_end = 0;
        bool holds = false;
        for (const auto* part = object->dlpi_phdr; part != object->dlpi_phdr + object->dlpi_phnum; ++part) {
          const std::uintptr_t end = part->p_vaddr + part->p_memsz;
          if (part->p_type == PT_GNU_RELRO) constant_end = end;
          if (part->p_type != PT_LOAD) continue;
          if (part->p_offset == 0) first = part->p_vaddr;
          if ((part->p_flags & PF_X) != 0) code_end = std::max(code_end, end);
          if ((part->p_flags & PF_W) != 0) variables = std::min<std::uintptr_t>(variables, part->p_vaddr);
          holds |= wanted.address - moved - part->p_vaddr < part->p_memsz;
        }
        if (!holds || wanted.address - moved >= code_end) return 0;
        // Tables that are written only at load time count as constant, too.
        variables = std::max(variables, constant_end);
        wanted.found = {moved + first, moved + code_end, moved + variables};
        return 1;
      },
      &search);
  return search.found;
}
}  // namespace

const OwnCode& own_code() {
  static const OwnCode known = found_with(reinterpret_cast<std::uintptr_t>(&__ehdr_start)).value();
  return known;
}

std::optional<OwnCode> object_with(const void* code) {
  return found_with(reinterpret_cast<std::uintptr_t>(code));
}

}  // namespace cuemu::check
