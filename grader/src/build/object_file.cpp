// The file may contain any numbers, so at() checks every read against the file's size.
#include "build/object_file.hpp"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>

#include "base/columns.hpp"
#include "base/descriptor.hpp"

namespace grader {
namespace {

/// Names of functions of C. A C++ function has a longer, mangled name, so no source defines one of these by
/// chance.
constexpr std::string_view names[] = {
    // clocks
    "clock", "clock_gettime", "__clock_gettime", "clock_getres", "gettimeofday", "time", "timespec_get",
    "omp_get_wtime",
    // the emulation's channel
    "getenv", "secure_getenv", "recv", "send", "read", "write", "fcntl", "close", "getrandom", "syscall",
    "pthread_atfork", "__register_atfork", "sscanf", "__isoc99_sscanf", "memcpy", "memcmp", "strlen",
    // the heap, which the checker tracks
    "malloc", "calloc", "realloc", "free", "aligned_alloc", "memalign", "posix_memalign",
    // the start of a program
    "_start", "_init", "__libc_start_main", "__libc_init_first", "__libc_csu_init",
    "_dl_relocate_static_pie"};
/// The clocks of C++. No header defines them, and a definition in a program would replace them.
constexpr std::string_view clocks_of_cpp[] = {"_ZNSt6chrono3_V212steady_clock3nowEv",
                                              "_ZNSt6chrono3_V212system_clock3nowEv"};
/// The functions with which the emulation reports to the grader. No header calls them.
constexpr std::string_view of_channel[] = {"_ZN5cuemu13write_channel", "_ZN5cuemu11send_report",
                                           "_ZN5cuemu11has_channel", "_ZN5cuemu7setting"};
/// The section in which the compiler stores the address of the early function that it adds to a watchable
/// object. A second address in this section comes from the student's source.
constexpr std::string_view section_of_watchable = ".init_array.00099";
/// How forbidden names begin. The inline functions of kit_wire write the records and seals, and no header
/// that sources include names them.
constexpr std::string_view beginnings[] = {"cuda", "cupti", "cuemu", "_ZN8kit_wire", "_ZNK8kit_wire",
                                           // the functions to which watchable code reports
                                           "__tsan_", "__ubsan_", "__sanitizer_", "__wrap_", "__real_"};
/// Inline functions of the kit's headers are weak in every object. A strong definition would replace them.
constexpr std::string_view strong_beginnings[] = {"_ZN5cuemu", "_ZNSt6chrono", "_ZN3lab"};
constexpr std::string_view sections_before_main[] = {".preinit_array", ".init_array.", ".ctors", ".init"};

bool begins_with_one_of(std::string_view text, const auto& beginnings_of) {
  return std::any_of(std::begin(beginnings_of), std::end(beginnings_of),
                     [&](std::string_view beginning) { return text.starts_with(beginning); });
}

bool is_reserved(std::string_view name, bool strong) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names) ||
         begins_with_one_of(name, clocks_of_cpp) || begins_with_one_of(name, of_channel) ||
         begins_with_one_of(name, beginnings) || (strong && begins_with_one_of(name, strong_beginnings));
}

bool runs_before_main(std::string_view section) {
  // Every object that has a global variable of class type has a plain ".init_array".
  return section != ".init_array" && begins_with_one_of(section, sections_before_main);
}

/// The leading names of a mangled symbol, without its parameters: "lab::Args" for "_ZN3lab4ArgsC2EPKcS2_".
/// The library's demangler is not safe for hostile symbols.
std::string written_name(std::string_view symbol) {
  std::string name;
  std::string_view rest = symbol;
  if (rest.starts_with("_ZN")) rest.remove_prefix(3);
  if (rest.starts_with("St")) {
    name = "std";
    rest.remove_prefix(2);
  }
  while (rest.size() != symbol.size() && !rest.empty() && rest[0] >= '0' && rest[0] <= '9') {
    std::size_t length = 0, at = 0;
    for (; at < rest.size() && length < rest.size() && rest[at] >= '0' && rest[at] <= '9'; ++at)
      length = length * 10 + static_cast<std::size_t>(rest[at] - '0');
    name += (name.empty() ? "" : "::") + std::string(rest.substr(at, length));
    rest.remove_prefix(std::min(at + length, rest.size()));
  }
  return printable(name.empty() ? std::string(symbol) : name);
}

class Reader {
 public:
  Reader(std::string_view bytes, bool watchable) : bytes_(bytes), watchable_(watchable) {}

  std::string find() const {
    Elf64_Ehdr head{};
    if (!at(0, head) || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_ident[EI_DATA] != ELFDATA2LSB ||
        head.e_shentsize != sizeof(Elf64_Shdr))
      return {};
    Elf64_Shdr first{};
    if (!at(head.e_shoff, first)) return {};
    // If there are too many sections for the fields of the header, the first section contains the numbers.
    const std::uint64_t count = head.e_shnum != 0 ? head.e_shnum : first.sh_size;
    const std::uint64_t of_names = head.e_shstrndx != SHN_XINDEX ? head.e_shstrndx : first.sh_link;
    std::uint64_t early =
        watchable_ ? sizeof(Elf64_Addr) : 0;  // the bytes that the compiler's own address takes
    for (std::uint64_t i = 0; i < count; ++i) {
      Elf64_Shdr section{};
      if (!section_at(head, i, section)) break;
      const std::string_view name = text_at(head, of_names, section.sh_name);
      if (name == section_of_watchable && section.sh_size <= early)
        early -= section.sh_size;
      else if (runs_before_main(name))
        return fmt::format("puts code into the section {}, which runs before the program",
                           printable(std::string(name)));
      if (section.sh_type == SHT_SYMTAB && section.sh_entsize == sizeof(Elf64_Sym))
        if (std::string found = find_among(head, section); !found.empty()) return found;
    }
    return {};
  }

 private:
  template <class T>
  bool at(std::uint64_t offset, T& value) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof value) return false;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return true;
  }
  bool section_at(const Elf64_Ehdr& head, std::uint64_t number, Elf64_Shdr& section) const {
    if (number > bytes_.size() / sizeof section || head.e_shoff > bytes_.size()) return false;
    return at(head.e_shoff + number * sizeof section, section);
  }
  /// A string in a string table. Empty if it is missing. The strings that matter are at most 64 bytes long.
  std::string_view text_at(const Elf64_Ehdr& head, std::uint64_t table, std::uint64_t offset) const {
    Elf64_Shdr strings{};
    if (!section_at(head, table, strings) || strings.sh_offset > bytes_.size()) return {};
    const std::string_view all = bytes_.substr(strings.sh_offset, strings.sh_size);
    if (offset >= all.size()) return {};
    const std::string_view text = all.substr(offset, 64);
    return text.substr(0, text.find('\0'));
  }
  std::string find_among(const Elf64_Ehdr& head, const Elf64_Shdr& symbols) const {
    for (std::uint64_t i = 0; i < symbols.sh_size / sizeof(Elf64_Sym); ++i) {
      Elf64_Sym symbol{};
      if (i > bytes_.size() || symbols.sh_offset > bytes_.size() ||
          !at(symbols.sh_offset + i * sizeof symbol, symbol))
        break;
      const unsigned binding = ELF64_ST_BIND(symbol.st_info), type = ELF64_ST_TYPE(symbol.st_info);
      std::string_view name = text_at(head, symbols.sh_link, symbol.st_name);
      name = name.substr(0, name.find('@'));  // a versioned name counts, too: clock_gettime@GLIBC_2.17
      if (symbol.st_shndx == SHN_UNDEF) {
        if (begins_with_one_of(name, of_channel))
          return fmt::format("calls {}, by which the emulation speaks to the grader; use another name",
                             written_name(name));
        continue;
      }
      if (type == STT_GNU_IFUNC)
        return fmt::format("has several versions of {}, and chooses one before the program runs",
                           written_name(name));
      // Static variables of inline functions are unique symbols. A function is a unique symbol only if its
      // author wants this.
      const bool strong = binding == STB_GLOBAL || (binding == STB_GNU_UNIQUE && type == STT_FUNC);
      if (binding == STB_LOCAL || !is_reserved(name, strong)) continue;
      if (name.starts_with("_ZN3lab"))
        return fmt::format(
            "defines {}, which the kit's headers define: use another name, and include none of lab/impl/",
            written_name(name));
      return fmt::format(
          "defines {}, a function by which the run is started, watched or timed; use another name",
          written_name(name));
    }
    return {};
  }

  std::string_view bytes_;
  bool watchable_;
};

}  // namespace

std::string forbidden_in_object(std::string_view object, bool watchable) {
  return Reader(object, watchable).find();
}

std::string forbidden_in_object_file(const fs::path& object, bool watchable) {
  const Descriptor file(open(object.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!file.open() || fstat(file.get(), &status) != 0 || status.st_size <= 0) return {};
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const bytes = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (bytes == MAP_FAILED) return {};
  std::string found = forbidden_in_object(std::string_view(static_cast<const char*>(bytes), size), watchable);
  munmap(bytes, size);
  return found;
}

}  // namespace grader
