#include "code_lines.hpp"

#include <elf.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdio>
#include <fstream>
#include <map>

namespace cuemu {

namespace {

/// The file from which the code at an address was loaded, and the address within this file.
struct CodePlace {
  std::uintptr_t address = 0;
  std::uintptr_t in_file = 0;
  std::string file;
};

int look_for_code(dl_phdr_info* info, std::size_t, void* raw) {
  CodePlace& place = *static_cast<CodePlace*>(raw);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
    if (header.p_type != PT_LOAD || place.address < begin || place.address - begin >= header.p_memsz)
      continue;
    place.in_file = place.address - info->dlpi_addr;
    place.file = info->dlpi_name != nullptr ? info->dlpi_name : "";
    return 1;
  }
  return 0;
}

CodePlace place_of_code(std::uintptr_t address) {
  CodePlace place;
  place.address = address;
  if (dl_iterate_phdr(look_for_code, &place) == 0 || !place.file.empty()) return place;
  std::array<char, PATH_MAX> program{};  // the program itself has no name in the list
  if (readlink("/proc/self/exe", program.data(), program.size() - 1) > 0) place.file = program.data();
  return place;
}

/// System libraries have line tables, too, if their debug information is installed.
bool is_system_library(const std::string& file) {
  return file.rfind("/usr/", 0) == 0 || file.rfind("/lib", 0) == 0;
}

std::string in_quotes(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

bool is_users_file(const std::string& file) {
  const auto has = [&](const char* part) { return file.find(part) != std::string::npos; };
  return !file.empty() && file[0] != '?' && !has("/include/emu/") && !has("/common/emu/include/") &&
         !has("/common/emu/runtime/") &&
         ((!has("/common/emu/check/") && !has("/common/emu/extras/")) || has("/tests/")) &&
         file.rfind("/usr/", 0) != 0;
}

/// Shortens "/tmp/x/kernel.cu:41 (discriminator 2)" to "kernel.cu:41"; empty for code that is not the user's.
std::string tidy_line(std::string line) {
  line = line.substr(0, line.find(" ("));
  const std::size_t colon = line.rfind(':');
  if (colon == std::string::npos || !is_users_file(line)) return "";
  const std::string number = line.substr(colon + 1);
  if (number.empty() || number == "0" || number[0] == '?') return "";
  return line.substr(line.rfind('/') + 1);
}

/// Looks up addresses of one file with addr2line. Its output is the address, then its lines, innermost first.
void ask_addr2line(const std::string& file, const std::vector<std::uintptr_t>& in_file,
                   std::map<std::uintptr_t, std::string>& known) {
  std::string command = "addr2line -a -i -e " + in_quotes(file);
  for (const std::uintptr_t address : in_file) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), " 0x%zx", static_cast<std::size_t>(address));
    command += text.data();
  }
  std::FILE* const answer = popen((command + " 2>/dev/null").c_str(), "re");
  if (answer == nullptr) return;
  std::array<char, PATH_MAX + 64> line{};
  std::uintptr_t address = 0;
  while (std::fgets(line.data(), static_cast<int>(line.size()), answer) != nullptr) {
    std::string text = line.data();
    while (!text.empty() && text.back() == '\n') text.pop_back();
    if (text.rfind("0x", 0) == 0)
      address = std::stoull(text, nullptr, 16);
    else if (known[address].empty())
      known[address] = tidy_line(text);
  }
  pclose(answer);
}

}  // namespace

std::vector<std::string> code_lines(const std::vector<std::uintptr_t>& addresses) {
  std::vector<CodePlace> places;
  std::map<std::string, std::vector<std::uintptr_t>> questions;
  for (const std::uintptr_t address : addresses) {
    places.push_back(place_of_code(address));
    std::vector<std::uintptr_t>& asked = questions[places.back().file];
    if (places.back().file.empty() || is_system_library(places.back().file)) continue;
    if (std::find(asked.begin(), asked.end(), places.back().in_file) == asked.end())
      asked.push_back(places.back().in_file);
  }
  std::map<std::string, std::map<std::uintptr_t, std::string>> known;
  for (const auto& [file, in_file] : questions)
    if (!in_file.empty()) ask_addr2line(file, in_file, known[file]);
  std::vector<std::string> lines;
  for (const CodePlace& place : places) lines.push_back(known[place.file][place.in_file]);
  return lines;
}

std::string code_symbol(std::uintptr_t address) {
  const CodePlace place = place_of_code(address);
  std::ifstream file(place.file, std::ios::binary);
  const auto read = [&](auto* to, std::size_t count, std::uint64_t at) {
    file.seekg(static_cast<std::streamoff>(at));
    file.read(reinterpret_cast<char*>(to), static_cast<std::streamsize>(count * sizeof *to));
    return static_cast<bool>(file);
  };
  Elf64_Ehdr header{};
  if (!read(&header, 1, 0) || header.e_shentsize != sizeof(Elf64_Shdr)) return "";
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  if (!read(sections.data(), sections.size(), header.e_shoff)) return "";
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
    std::vector<Elf64_Sym> symbols(section.sh_size / sizeof(Elf64_Sym));
    if (!read(symbols.data(), symbols.size(), section.sh_offset)) return "";
    for (const Elf64_Sym& symbol : symbols) {
      if (symbol.st_value != place.in_file || ELF64_ST_TYPE(symbol.st_info) != STT_FUNC) continue;
      file.seekg(static_cast<std::streamoff>(sections[section.sh_link].sh_offset + symbol.st_name));
      std::string name;
      std::getline(file, name, '\0');
      return name;
    }
  }
  return "";
}

}  // namespace cuemu
