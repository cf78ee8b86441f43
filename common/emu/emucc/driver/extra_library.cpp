#include "driver/extra_library.hpp"

#include <dlfcn.h>

#include <sstream>

#include "lex/align.hpp"

namespace emucc {

std::vector<ExtraLibrary> extra_libraries(std::string_view lines) {
  std::vector<ExtraLibrary> found;
  std::istringstream text{std::string(lines)};
  for (std::string line; std::getline(text, line);) {
    ExtraLibrary one;
    std::istringstream fields(line);
    for (std::string* const field : {&one.name, &one.target, &one.title, &one.file, &one.package})
      std::getline(fields, *field, '|');
    found.push_back(std::move(one));
  }
  return found;
}

std::vector<ExtraLibrary> extra_libraries_beside(const std::filesystem::path& runtime) {
  return extra_libraries(load_file((runtime.parent_path() / "extras.txt").string()).value_or(""));
}

bool can_be_loaded(const char* file) {
  void* const found = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
  if (found != nullptr) dlclose(found);
  return found != nullptr;
}

std::string missing_package(const ExtraLibrary& library, bool (*is_there)(const char*)) {
  if (library.file.empty() || is_there(library.file.c_str())) return {};
  return library.title + " is computed by a library that is not installed here: sudo apt-get install " +
         library.package;
}

}  // namespace emucc
