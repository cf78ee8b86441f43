// The files that a header includes depend on the compiler and the system. So the compiler preprocesses a
// source that includes all allowed headers. A submission may read the files that this source reads.
#include "build/read_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "build/build_cache.hpp"
#include "build/build_key.hpp"
#include "build/compiler.hpp"
#include "workspace/allowed.hpp"

namespace grader {
namespace {

constexpr std::uintmax_t largest_rule = 4 << 20;
constexpr const char* source_of_all = ".allowed.cu";

/// Whether a file is an inner part of the system's headers, which macros such as _GNU_SOURCE select. Programs
/// may define these macros.
bool is_inner_part(const fs::path& file) {
  constexpr std::string_view folders[] = {"asm", "asm-generic", "backward", "bits", "debug",
                                          "ext", "gnu",         "linux",    "pstl", "tr1"};
  const fs::path folder = file.parent_path();
  return file.string().starts_with("/usr/") &&
         std::any_of(folder.begin(), folder.end(), [&](const fs::path& part) {
           return std::find(std::begin(folders), std::end(folders), part.string()) != std::end(folders);
         });
}

std::string text_of_all(const std::vector<std::string>& headers) {
  std::string text;
  for (const std::string& header : headers)
    text += fmt::format("#if __has_include(<{0}>)\n#include <{0}>\n#endif\n", header);
  return text;
}

/// The make rule for a source that includes all allowed headers.
std::string rule_of_all(const Kit& kit, const Toolchain& toolchain, const Submission& submission,
                        Backend backend, Instrument instrument, const Machine& machine) {
  std::vector<std::string> headers = allowed_headers(submission.lab->allowed);
  for (const fs::path& header : files_below(toolchain.include_folder / "lab"))
    headers.push_back(header.lexically_relative(toolchain.include_folder));
  const std::string text = text_of_all(headers);
  std::vector<std::string> command =
      compiler_command(toolchain, backend, backend == Backend::gpu ? architecture(toolchain) : "",
                       is_relocatable(submission), code_for(instrument));
  Key key("allowed 1");
  key.add(environment_digest(toolchain, backend));
  for (const std::string& word : command) key.add(word);
  key.add(text);
  const std::string digest = key.digest();
  const BuildCache cache(kit.cache() / "build", machine.files);
  if (const auto known = cache.find(digest)) return read_file(known->program, largest_rule);

  const BuildCache::Workshop workshop(cache.new_workshop());
  const fs::path folder = workshop.path / "source";
  fs::create_directories(folder);
  machine.files.write(folder / source_of_all, text);
  command.insert(command.end(), {"-M", source_of_all});
  const ProcessResult done = compile(machine, kit, toolchain, backend, command, folder);
  if (!done.ok())
    throw Error(ErrorKind::fault,
                fmt::format("The headers that {} allows do not compile ({}).", submission.lab->id,
                            first_error(words_of(done))),
                fmt::format("look at `allowed` in its lab.toml, then: {}", fmt::join(command, " ")));
  const fs::path rule = workshop.path / "rule";
  machine.files.write(rule, done.out);
  cache.keep(digest, workshop.path, rule, "");
  return done.out;
}

/// The name of a file as an include line has it: "cublas_v2.h".
std::string shown_name(const fs::path& file) {
  std::string name = file.string();
  for (const std::string_view folder : {"/include/emu/", "/include/"})
    if (const std::size_t at = name.rfind(folder); at != std::string::npos) {
      name = name.substr(at + folder.size());
      break;
    }
  return printable(name);
}

}  // namespace

std::vector<fs::path> files_of_rule(std::string_view rule) {
  std::vector<fs::path> files;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) files.push_back(word);
    word.clear();
  };
  rule.remove_prefix(std::min(rule.find(": "), rule.size()));  // skips the target
  for (std::size_t i = std::min<std::size_t>(1, rule.size()); i < rule.size(); ++i) {
    const char c = rule[i], next = i + 1 < rule.size() ? rule[i + 1] : '\n';
    if (c == '\\' && (next == '\n' || next == '\r')) {
      end_word();
    } else if ((c == '\\' && (next == ' ' || next == '#' || next == '\\')) || (c == '$' && next == '$')) {
      word += next;
      ++i;
    } else if (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
      end_word();
    } else {
      word += c;
    }
  }
  end_word();
  return files;
}

std::string forbidden_file(const Kit& kit, const Toolchain& toolchain, const Submission& submission,
                           Backend backend, Instrument instrument, const std::vector<fs::path>& read,
                           const Machine& machine) {
  const bool all_own =
      std::none_of(read.begin(), read.end(), [](const fs::path& file) { return file.is_absolute(); });
  if (all_own) return {};
  std::set<fs::path> allowed;
  for (const fs::path& file :
       files_of_rule(rule_of_all(kit, toolchain, submission, backend, instrument, machine)))
    allowed.insert(file.lexically_normal());
  for (const fs::path& file : read) {
    if (!file.is_absolute() || allowed.count(file.lexically_normal()) > 0 || is_inner_part(file)) continue;
    return fmt::format(
        "the program includes <{}>, which {} does not allow: a kernel of your own must do the work",
        shown_name(file), submission.lab->id);
  }
  return {};
}

}  // namespace grader
