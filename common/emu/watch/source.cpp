#include "source.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <execinfo.h>
#include <unistd.h>
#include <algorithm>

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "expression.hpp"

namespace cuemu {

namespace {

int no_separate_file(Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*, GElf_Word,
                     char**) {
  return -1;  // debug information outside the program itself is not searched
}

const Dwfl_Callbacks callbacks = {&dwfl_linux_proc_find_elf, &no_separate_file, nullptr, nullptr};

/// The running program's debug information.
class DebugInformation {
 public:
  DebugInformation() : dwfl_(dwfl_begin(&callbacks)) {
    if (dwfl_ == nullptr) return;
    if (dwfl_linux_proc_report(dwfl_, getpid()) != 0 || dwfl_report_end(dwfl_, nullptr, nullptr) != 0) {
      dwfl_end(dwfl_);
      dwfl_ = nullptr;
    }
  }
  /// Returns the user's lines at an address, through inlined calls, innermost first.
  std::vector<Line> find(Dwarf_Addr address) const;
  /// Returns the line of the instruction itself, without inlining.
  Line direct(Dwarf_Addr address) const;
  Variable variable(Dwarf_Addr address) const;
  /// Returns the element size of the arrays to which references of this name are bound, in the compilation unit of an
  /// address; 0 if the size is unknown, or if the arrays have different sizes.
  std::size_t element_bytes(Dwarf_Addr address, const std::string& reference) const;

 private:
  Line near(Dwarf_Addr address, const std::vector<Dwarf_Die>& functions) const;

  Dwfl* dwfl_;
};

bool has(const std::string& text, const char* part) {
  return text.find(part) != text.npos;
}

/// False for files of the emulation and of the system.
bool is_user_file(const std::string& file) {
  return !file.empty() && file[0] != '<' && !has(file, "/include/emu/") &&
         !has(file, "/common/emu/include/") && !has(file, "/common/emu/runtime/") &&
         !has(file, "/common/emu/watch/") &&
         ((!has(file, "/common/emu/check/") && !has(file, "/common/emu/extras/")) || has(file, "/tests/")) &&
         file.rfind("/usr/", 0) != 0;
}

/// clang++ gives file names relative to its working folder.
std::string absolute(const std::string& file, const char* folder) {
  const std::filesystem::path path(file);
  return path.is_absolute() || folder == nullptr ? file : (folder / path).lexically_normal().string();
}

/// Returns the location of the call of an inlined function.
Line call_of(Dwarf_Die* inlined, Dwarf_Die* unit) {
  Dwarf_Attribute attribute;
  Dwarf_Word file = 0;
  Dwarf_Word line = 0;
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file) != 0 ||
      dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line) != 0 ||
      dwarf_getsrcfiles(unit, &files, &count) != 0 || file >= count)
    return {};
  Dwarf_Word column = 0;
  if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_column, &attribute), &column) != 0) column = 0;
  const char* const name = dwarf_filesrc(files, file, nullptr, nullptr);
  if (name == nullptr) return {};
  const char* const folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
  return {absolute(name, folder), static_cast<int>(line), static_cast<int>(column)};
}

/// Finds the function at an address and the calls inlined there, outermost first. dwarf_getscopes() does not search
/// namespaces, where clang++ puts functions.
bool find_functions(Dwarf_Die& parent, Dwarf_Addr address, std::vector<Dwarf_Die>& functions) {
  Dwarf_Die child;
  if (dwarf_child(&parent, &child) != 0) return false;
  do {
    switch (dwarf_tag(&child)) {
      case DW_TAG_namespace:
      case DW_TAG_class_type:
      case DW_TAG_structure_type:
        if (find_functions(child, address, functions)) return true;
        break;
      case DW_TAG_inlined_subroutine:
      case DW_TAG_lexical_block:
      case DW_TAG_subprogram:
        if (dwarf_haspc(&child, address) <= 0) break;
        if (dwarf_tag(&child) != DW_TAG_lexical_block) functions.push_back(child);
        find_functions(child, address, functions);
        return true;
      default:
        break;
    }
  } while (dwarf_siblingof(&child, &child) == 0);
  return false;
}

/// Finds the underlying type, without `const` and typedefs. False if there is none.
bool type_of(Dwarf_Die& of, Dwarf_Die& type) {
  Dwarf_Attribute attribute;
  return dwarf_formref_die(dwarf_attr_integrate(&of, DW_AT_type, &attribute), &type) != nullptr &&
         dwarf_peel_type(&type, &type) == 0;
}

/// Returns the element size of the array to which a variable refers; 0 if the variable is not a reference to an array.
Dwarf_Word referred_element(Dwarf_Die& variable) {
  Dwarf_Die reference, array, element;
  Dwarf_Word bytes = 0;
  const bool known = type_of(variable, reference) && dwarf_tag(&reference) == DW_TAG_reference_type &&
                     type_of(reference, array) && dwarf_tag(&array) == DW_TAG_array_type &&
                     type_of(array, element) && dwarf_aggregate_size(&element, &bytes) == 0;
  return known ? bytes : 0;
}

void find_elements(Dwarf_Die& parent, const std::string& reference, std::set<Dwarf_Word>& sizes) {
  Dwarf_Die child;
  if (dwarf_child(&parent, &child) != 0) return;
  do {
    switch (dwarf_tag(&child)) {
      case DW_TAG_namespace:
      case DW_TAG_class_type:
      case DW_TAG_structure_type:
      case DW_TAG_lexical_block:
      case DW_TAG_subprogram:
        find_elements(child, reference, sizes);
        break;
      case DW_TAG_variable:
        if (const char* const name = dwarf_diename(&child); name != nullptr && name == reference)
          if (const Dwarf_Word bytes = referred_element(child); bytes != 0) sizes.insert(bytes);
        break;
      default:
        break;
    }
  } while (dwarf_siblingof(&child, &child) == 0);
}

std::size_t DebugInformation::element_bytes(Dwarf_Addr address, const std::string& reference) const {
  Dwfl_Module* const module = dwfl_ != nullptr ? dwfl_addrmodule(dwfl_, address) : nullptr;
  Dwarf_Addr bias = 0;
  Dwarf_Die* const unit = module != nullptr ? dwfl_module_addrdie(module, address, &bias) : nullptr;
  std::set<Dwarf_Word> sizes;
  if (unit != nullptr) find_elements(*unit, reference, sizes);
  return sizes.size() == 1 ? *sizes.begin() : 0;
}

Line DebugInformation::direct(Dwarf_Addr address) const {
  Dwfl_Module* const module = dwfl_ != nullptr ? dwfl_addrmodule(dwfl_, address) : nullptr;
  Dwfl_Line* const found = module != nullptr ? dwfl_module_getsrc(module, address) : nullptr;
  if (found == nullptr) return {};
  int number = 0;
  int column = 0;
  const char* const file = dwfl_lineinfo(found, nullptr, &number, &column, nullptr, nullptr);
  return file != nullptr ? Line{absolute(file, dwfl_line_comp_dir(found)), number, column} : Line{};
}

/// Returns the address at which the file that contains `address` begins in memory. libdwfl finds a module by the pages
/// mapped from its file, but most of a program's zero-initialised variables lie on later pages.
Dwarf_Addr begin_of_file(Dwarf_Addr address) {
  Dl_info file;
  const bool known = dladdr(reinterpret_cast<const void*>(address), &file) != 0;
  return known ? reinterpret_cast<Dwarf_Addr>(file.dli_fbase) : address;
}

Variable DebugInformation::variable(Dwarf_Addr address) const {
  Dwfl_Module* const module = dwfl_ != nullptr ? dwfl_addrmodule(dwfl_, begin_of_file(address)) : nullptr;
  if (module == nullptr) return {};
  GElf_Off offset = 0;
  GElf_Sym symbol;
  const char* const name = dwfl_module_addrinfo(module, address, &offset, &symbol, nullptr, nullptr, nullptr);
  if (name == nullptr || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || offset >= symbol.st_size) return {};
  int status = 0;
  char* const readable =
      std::strncmp(name, "_Z", 2) == 0 ? abi::__cxa_demangle(name, nullptr, nullptr, &status) : nullptr;
  Variable result{readable != nullptr ? readable : name, address - offset, address - offset + symbol.st_size};
  std::free(readable);
  return result;
}

/// Returns the nearest line before an address, if the compiler has merged the address's code from several lines.
Line DebugInformation::near(Dwarf_Addr address, const std::vector<Dwarf_Die>& functions) const {
  bool users = false;
  if (!functions.empty()) {
    Dwarf_Die inner = functions.back();
    const char* const file = dwarf_decl_file(&inner);
    users = file != nullptr && is_user_file(file);
  }
  constexpr Dwarf_Addr near_by = 256;
  for (Dwarf_Addr back = 1; back < near_by; ++back) {
    const Line line = direct(address - back);
    if (!line.known()) return {};
    if (line.line != 0 && (!users || is_user_file(line.file))) return {line.file, line.line, 0};
  }
  return {};
}

std::vector<Line> DebugInformation::find(Dwarf_Addr address) const {
  Line own = direct(address);
  if (!own.known()) return {};
  Dwfl_Module* const module = dwfl_addrmodule(dwfl_, address);
  Dwarf_Addr bias = 0;
  Dwarf_Die* const unit = dwfl_module_addrdie(module, address, &bias);
  std::vector<Dwarf_Die> functions;
  if (unit != nullptr) find_functions(*unit, address - bias, functions);
  if (own.line == 0) own = near(address, functions);
  if (!own.known()) return {};
  std::vector<Line> result;
  const auto add = [&](Line line, std::size_t depth) {
    if (line.line == 0 || !is_user_file(line.file)) return;
    const char* const name = depth > 0 ? dwarf_diename(&functions[depth - 1]) : nullptr;
    line.function = name != nullptr ? std::string(name, std::strcspn(name, "<")) : "";
    result.push_back(std::move(line));
  };
  add(own, functions.size());
  for (std::size_t depth = functions.size(); depth > 0; --depth)
    if (Dwarf_Die& call = functions[depth - 1]; dwarf_tag(&call) == DW_TAG_inlined_subroutine)
      add(call_of(&call, unit), depth - 1);
  return result;
}

DebugInformation& information() {
  static auto* const read = new DebugInformation;
  return *read;
}

std::mutex& source_mutex() {
  static auto* const mutex = new std::mutex;
  return *mutex;
}

const std::vector<std::string>& lines_of(const std::string& file) {
  static auto* const files = new std::map<std::string, std::vector<std::string>>;
  const auto [at, fresh] = files->try_emplace(file);
  if (fresh) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) at->second.push_back(line);
  }
  return at->second;
}

}  // namespace

namespace {

/// Returns the user's lines at an address, innermost first.
const std::vector<Line>& all_lines_of(const void* address) {
  const Busy busy;
  static auto* const known = new std::map<const void*, std::vector<Line>>;
  const std::lock_guard<std::mutex> lock(source_mutex());
  const auto [at, fresh] = known->try_emplace(address);
  // A return address is the address after the call, so the address before it belongs to the call.
  if (fresh && address != nullptr) at->second = information().find(reinterpret_cast<Dwarf_Addr>(address) - 1);
  return at->second;
}

}  // namespace

Line line_of(const void* address) {
  const std::vector<Line>& all = all_lines_of(address);
  return all.empty() ? Line{} : all.front();
}

bool is_direct(const void* address) {
  const Busy busy;
  const Line line = line_of(address);
  const std::lock_guard<std::mutex> lock(source_mutex());
  // Code with line 0 does not count as the user's, because it may belong to the emulation.
  return line.known() && information().direct(reinterpret_cast<Dwarf_Addr>(address) - 1) == line;
}

const Variable& variable_at(const void* address) {
  const Busy busy;
  static auto* const known = new std::map<const void*, Variable>;
  const std::lock_guard<std::mutex> lock(source_mutex());
  const auto [at, fresh] = known->try_emplace(address);
  if (fresh) at->second = information().variable(reinterpret_cast<Dwarf_Addr>(address));
  return at->second;
}

bool in_variable_template(const void* address) {
  const std::string& name = variable_at(address).name;
  return !name.empty() && name.back() == '>';
}

Line line_of(const std::vector<void*>& stack) {
  for (const void* const address : stack)
    if (const Line line = line_of(address); line.known()) return line;
  return {};
}

std::vector<Line> users_lines(const std::vector<void*>& stack) {
  std::vector<Line> result;
  for (const void* const address : stack) {
    const std::vector<Line>& here = all_lines_of(address);
    result.insert(result.end(), here.begin(), here.end());
  }
  return result;
}

const void* users_address(const std::vector<void*>& stack) {
  for (const void* const address : stack)
    if (line_of(address).known()) return address;
  return nullptr;
}

Line launch_line_of(const std::vector<void*>& stack) {
  Line kernel;
  for (const void* const address : stack)
    for (const Line& line : all_lines_of(address)) {
      if (kernel.known() && !(line == kernel)) return line;
      kernel = line;
    }
  return kernel;
}

std::vector<void*> call_stack() {
  std::array<void*, 24> frames{};
  const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
  return std::vector<void*>(frames.begin(),
                            frames.begin() + count);  // braces would make a list of two elements
}

const std::vector<std::string>& source_lines(const std::string& file) {
  const Busy busy;
  const std::lock_guard<std::mutex> lock(source_mutex());
  return lines_of(file);
}

namespace {
struct Places {
  std::mutex mutex;
  std::vector<std::vector<void*>> stacks{{}};
  std::map<std::vector<void*>, std::uint32_t> numbers;
};
Places& places() {
  static auto* const all = new Places;
  return *all;
}
}  // namespace

std::uint32_t remember_place() {
  const Busy busy;
  std::vector<void*> stack = call_stack();
  Places& all = places();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto [at, fresh] = all.numbers.try_emplace(stack, static_cast<std::uint32_t>(all.stacks.size()));
  if (fresh) all.stacks.push_back(std::move(stack));
  return at->second;
}

Line line_of_place(std::uint32_t place) {
  std::vector<void*> stack;
  {
    const std::lock_guard<std::mutex> lock(places().mutex);
    stack = places().stacks[place];
  }
  return line_of(stack);
}

const std::string& raw_text(const Line& line) {
  static const std::string none;
  const auto& lines = source_lines(line.file);
  const auto number = static_cast<std::size_t>(line.line);
  return line.line >= 1 && number <= lines.size() ? lines[number - 1] : none;
}

std::string text_of(const Line& line) {
  const std::string& text = raw_text(line);
  const std::size_t begin = text.find_first_not_of(" \t");
  return begin != text.npos ? text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin) : "";
}

std::string text_of_call(const Line& line, const std::string& function) {
  const std::string& text = raw_text(line);
  const Span call = call_at(text, line.column, function);
  return call.known() ? text.substr(static_cast<std::size_t>(call.begin) - 1) : "";
}

namespace {

std::vector<std::string> declared_dynamic_arrays(const std::vector<std::string>& lines) {
  std::vector<std::string> names;
  for (const std::string& line : lines) {
    const std::size_t at = line.find("__shared__");
    if (at == line.npos || line.rfind("extern", at) == line.npos) continue;
    std::size_t end = line.find('[', at);
    if (end == line.npos) continue;
    while (end > at && !is_word(line[end - 1])) --end;
    std::size_t begin = end;
    while (begin > at && is_word(line[begin - 1])) --begin;
    const std::string name = line.substr(begin, end - begin);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

/// Returns the arrays known so far. @pre the sources' mutex is held
const std::vector<std::string>& known_dynamic_arrays(const std::string& file) {
  static auto* const known = new std::map<std::string, std::vector<std::string>>;
  const auto [names, is_new] = known->try_emplace(file);
  if (is_new) names->second = declared_dynamic_arrays(lines_of(file));
  return names->second;
}

}  // namespace

const std::vector<std::string>& dynamic_arrays_in(const std::string& file) {
  const Busy busy;
  const std::lock_guard<std::mutex> lock(source_mutex());
  return known_dynamic_arrays(file);
}

DynamicArray dynamic_array_of(const std::string& file, const void* code) {
  const Busy busy;
  static auto* const known = new std::map<std::pair<std::string, const void*>, DynamicArray>;
  const std::lock_guard<std::mutex> lock(source_mutex());
  const auto [array, is_new] = known->try_emplace({file, code});
  if (is_new) {
    if (const auto& names = known_dynamic_arrays(file); names.size() == 1) array->second.name = names.front();
    if (!array->second.name.empty())
      array->second.element =
          information().element_bytes(reinterpret_cast<Dwarf_Addr>(code), array->second.name);
  }
  return array->second;
}

std::string short_path(const std::string& path) {
  std::array<char, 4096> folder{};
  if (getcwd(folder.data(), folder.size()) == nullptr) return path;
  const std::string here = std::string(folder.data()) + "/";
  return path.rfind(here, 0) == 0 ? path.substr(here.size()) : path;
}

}  // namespace cuemu
