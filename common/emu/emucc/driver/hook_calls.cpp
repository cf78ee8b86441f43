#include "driver/hook_calls.hpp"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <type_traits>

namespace emucc {
namespace {

/// Returns the structure at an offset of the file, or nothing if a part of it is beyond the file's end.
template <class T>
std::optional<T> read_at(std::string_view bytes, std::uint64_t offset) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

/// True for an entry point that does nothing in a program without a tool. Atomic operations, copies and
/// bounds checks have a result even without a tool, so they are not replaced.
bool is_empty_without_tool(std::string_view name) {
  static constexpr std::array<std::string_view, 6> beginnings = {
      "__tsan_read",      "__tsan_write", "__tsan_unaligned_",
      "__tsan_volatile_", "__tsan_func_", "__sanitizer_cov_trace_"};
  return std::any_of(beginnings.begin(), beginnings.end(), [&](std::string_view beginning) {
    return name.substr(0, beginning.size()) == beginning;
  });
}

/// An x86-64 object file.
class ObjectFile {
 public:
  explicit ObjectFile(std::string& bytes) : bytes_(bytes) {}

  bool readable() {
    const auto header = read_at<Elf64_Ehdr>(bytes_, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != EM_X86_64 || header->e_type != ET_REL)
      return false;
    header_ = *header;
    return true;
  }

  std::size_t remove_calls() {
    std::size_t removed = 0;
    for (unsigned index = 0; index < header_.e_shnum; ++index) {
      const auto relocations = section(index);
      if (!relocations || relocations->sh_type != SHT_RELA) continue;
      const auto code = section(relocations->sh_info), symbols = section(relocations->sh_link);
      if (!code || !symbols || (code->sh_flags & SHF_EXECINSTR) == 0) continue;
      if (!holds(*relocations) || !holds(*code)) continue;
      for (std::uint64_t at = 0; at + sizeof(Elf64_Rela) <= relocations->sh_size; at += sizeof(Elf64_Rela))
        removed += remove_call(relocations->sh_offset + at, *code, *symbols) ? 1 : 0;
    }
    return removed;
  }

 private:
  /// Whether all bytes of the section are in the file.
  bool holds(const Elf64_Shdr& section) const {
    return section.sh_offset <= bytes_.size() && section.sh_size <= bytes_.size() - section.sh_offset;
  }

  std::optional<Elf64_Shdr> section(unsigned index) const {
    return read_at<Elf64_Shdr>(bytes_, header_.e_shoff + std::uint64_t{index} * sizeof(Elf64_Shdr));
  }

  std::string_view name_of(const Elf64_Shdr& symbols, std::uint64_t index) const {
    const auto symbol = read_at<Elf64_Sym>(bytes_, symbols.sh_offset + index * sizeof(Elf64_Sym));
    const auto names = section(symbols.sh_link);
    if (!symbol || !names || names->sh_offset + symbol->st_name >= bytes_.size()) return "";
    const std::string_view rest = std::string_view(bytes_).substr(names->sh_offset + symbol->st_name);
    return rest.substr(0, rest.find('\0'));
  }

  bool remove_call(std::uint64_t at, const Elf64_Shdr& code, const Elf64_Shdr& symbols) {
    auto relocation = read_at<Elf64_Rela>(bytes_, at);
    if (!relocation) return false;
    const auto type = ELF64_R_TYPE(relocation->r_info);
    if ((type != R_X86_64_PLT32 && type != R_X86_64_PC32) || relocation->r_addend != -4) return false;
    constexpr std::string_view nop("\x0f\x1f\x44\x00\x00", 5);
    constexpr char call =
        '\xe8';  // followed by the four bytes of the distance, which the relocation fills in
    const std::uint64_t in_code = relocation->r_offset - 1;
    if (relocation->r_offset == 0 || code.sh_size < nop.size() || in_code > code.sh_size - nop.size())
      return false;
    const std::uint64_t begin = code.sh_offset + in_code;
    if (bytes_[begin] != call) return false;
    if (!is_empty_without_tool(name_of(symbols, ELF64_R_SYM(relocation->r_info)))) return false;
    bytes_.replace(begin, nop.size(), nop);
    relocation->r_info = ELF64_R_INFO(0, R_X86_64_NONE);
    std::memcpy(bytes_.data() + at, &*relocation, sizeof(Elf64_Rela));
    return true;
  }

  std::string& bytes_;
  Elf64_Ehdr header_{};
};

}  // namespace

std::size_t remove_hook_calls(std::string& object) {
  ObjectFile file(object);
  return file.readable() ? file.remove_calls() : 0;
}

}  // namespace emucc
