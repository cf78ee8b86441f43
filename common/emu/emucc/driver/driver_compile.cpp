// Compiles one source file to its object.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <thread>

#include "analyse/hidden_code.hpp"
#include "analyse/line_markers.hpp"
#include "driver/driver_detail.hpp"
#include "driver/includes.hpp"
#include "driver/messages.hpp"

namespace emucc {

namespace fs = std::filesystem;

namespace {
/// True if the environment sets the splitting of kernels to this value.
bool fission_is(const char* what) {
  const char* const wish = std::getenv("CUEMU_FISSION");
  return wish != nullptr && std::strcmp(wish, what) == 0;
}

/// Removes a file from a make rule that g++ wrote.
void remove_prerequisite(std::string& rule, const std::string& file) {
  std::string name;  // as g++ writes file names
  for (const char c : file) {
    if (c == '$') name += '$';
    if (c == ' ' || c == '#') name += '\\';
    name += c;
  }
  for (std::size_t at = rule.find(name); at != rule.npos; at = rule.find(name, at)) {
    std::size_t end = at + name.size();
    if (end < rule.size() && rule[end] == ':') ++end;  // the empty rule that -MP adds
    const std::string_view blanks = " \n";
    const bool whole = at > 0 && blanks.find(rule[at - 1]) != blanks.npos &&
                       (end == rule.size() || blanks.find(rule[end]) != blanks.npos);
    if (whole) rule.erase(at, end - at);
    if (!whole) at = end;
  }
}

/// Makes the make rule the same as without a precompiled header. The header is a file of emucc's cache, so
/// make would fail after the cache is emptied.
/// @param flags the flags that requested the rule
void leave_out_of_rule(const std::vector<std::string>& flags, const std::string& header,
                       const std::string& include_folder) {
  const auto option = std::find(flags.begin(), flags.end(), "-MF");
  if (option == flags.end() || option + 1 == flags.end()) return;
  const std::string& file = *(option + 1);
  std::ifstream in(file, std::ios::binary);
  std::string rule{std::istreambuf_iterator<char>(in), {}};
  in.close();
  remove_prerequisite(rule, header);
  remove_prerequisite(rule, include_folder + "/" + only_precompiled);
  std::ofstream(file, std::ios::binary) << rule;
}
}  // namespace

CommandResult Driver::execute(const Command& command) {
  if (options_.verbose) say("#$ " + quote(command.argv));
  CommandResult result;
  if (options_.dry_run) {
    result.started = true;
    return result;
  }
  Command wrapped = command;
  if (tools_.kind == HostKind::gcc && command.argv[0] == tools_.compiler)
    wrapped.argv = reporting_kills(command.argv);
  return emucc::run(wrapped);
}

Outcome Driver::compile(const Input& input, const std::string& object) {
  if (input.language == Language::cuda) return compile_cuda(input, object);
  if (!options_.hidden_code) {
    const std::string hidden = hidden_code_in(input);
    if (!hidden.empty()) return {false, hidden};
  }
  const auto header = input.language == Language::cxx ? precompiled(input) : std::nullopt;
  Command command;
  command.argv = preprocess_command(input);
  if (header) append(command.argv, {"-include", header->header()});
  const auto rule = dependency_flags(input, object);
  append(command.argv, rule);
  append(command.argv,
         {"-pipe", "-x", input.language == Language::c ? "c" : "c++", "-c", input.path, "-o", object});
  CommandResult result = execute(command);
  if (!result.started)
    return {false, tools_.compiler + " could not be started: " + result.start_error + "\n"};
  if (header && result.ok()) leave_out_of_rule(rule, header->header(), tools_.include_folder);
  return {result.ok(), tidy_messages(result.messages)};
}

/// Returns the errors about hidden code in a source that is not translated, or the reason why the source
/// can't be preprocessed.
std::string Driver::hidden_code_in(const Input& input) {
  Command command;
  command.argv = preprocess_command(input);
  append(command.argv, {"-E", "-x", input.language == Language::c ? "c" : "c++", input.path});
  command.capture_output = true;
  const CommandResult result = execute(command);
  if (!result.ok())
    return tidy_messages(result.messages) + "emucc: error: '" + input.path + "' can't be preprocessed\n";
  std::string messages;
  const TokenStream stream = lex(result.output);
  for (const Diagnostic& one : check_line_markers(stream, load_file)) messages += describe(one, "error");
  for (const Diagnostic& one : check_hidden_code(stream)) messages += describe(one, "error");
  for (const std::size_t at : assembly_in(stream)) messages += describe(host_assembly(stream, at), "error");
  return messages;
}

/// Preprocesses a CUDA source. @param side the flags that select one side
CommandResult Driver::preprocess_cuda(const Input& input, const std::optional<PrecompiledHeader>& header,
                                      const std::vector<std::string>& side) {
  Command command;
  command.argv = preprocess_command(input);
  append(command.argv, {"-E"});
  if (header)
    append(command.argv,
           {"-fpch-preprocess", "-include", header->header(), "-include", "cuemu/hidden_macros.h"});
  else
    append(command.argv, {"-include", "cuda_runtime.h"});
  append(command.argv, side);
  append(command.argv, {"-x", "c++", input.path});
  command.capture_output = true;
  CommandResult result = execute(command);
  if (header && result.ok()) leave_out_of_rule(side, header->header(), tools_.include_folder);
  return result;
}

Outcome Driver::compile_cuda(const Input& input, const std::string& object) {
  auto header = precompiled(input);
  CommandResult result = preprocess_cuda(input, header, dependency_flags(input, object));
  if (header && result.ok() && uses_special_function(result.output)) {
    header.reset();
    result = preprocess_cuda(input, header, dependency_flags(input, object));
  }
  if (!result.started)
    return {false, tools_.compiler + " could not be started: " + result.start_error + "\n"};
  if (!result.ok()) return {false, tidy_messages(result.messages)};
  std::string host_messages;
  auto host_side = [&]() -> std::optional<std::string> {
    CommandResult host = preprocess_cuda(input, header, {"-include", "cuemu/host_side.h"});
    if (host.ok()) return std::move(host.output);
    host_messages = std::move(host.messages);
    return std::nullopt;
  };
  const Translation translation = translate_cuda(input, result.output, host_side, options_.fission);
  std::string messages = std::move(result.messages) + host_messages;
  const auto add = [&](const std::vector<Diagnostic>& diagnostics, const char* kind) {
    for (const auto& each : diagnostics) messages += describe(each, kind);
  };
  if (!silent()) add(translation.warnings, "warning");
  add(translation.errors, "error");
  if (!translation.errors.empty() || !host_messages.empty()) return {false, std::move(messages)};
  Outcome outcome = compile_translated(input, object, translation, messages);
  if (outcome.ok || !translation.split || interrupted()) return outcome;
  // The split code may fail to compile although the unsplit code compiles. If both fail, the messages about
  // the unsplit code are better, since they refer to the user's code.
  const Translation unsplit = translate_cuda(input, result.output, host_side, false);
  Outcome second = compile_translated(input, object, unsplit, messages);
  if (!second.ok) return second;
  if (fission_is("strict")) return outcome;
  if (options_.verbose)
    say(input.path + ": note: all kernels run thread by thread, since this failed for the split ones:\n" +
        outcome.messages);
  return second;
}

Translation Driver::translate_cuda(const Input& input, const std::string& preprocessed,
                                   std::function<std::optional<std::string>()> host_side, bool fission) {
  // nvcc prints the architecture when it starts its translator. CMake reads its default architecture there.
  if (options_.verbose)
    say("#$ (translates) -arch compute_" + std::to_string(options_.architecture / 10) + " " +
        quote({input.path}));
  TranslateOptions how;
  how.check = options_.check || options_.watchable;
  how.host = tools_.kind;
  how.fission = fission && !fission_is("0");
  how.lockstep = options_.lockstep;
  how.hidden_code = options_.hidden_code;
  // Unrolling makes a checked program no faster, but its compilation many times slower. The counters need the
  // code that a GPU would run.
  how.unroll = !options_.check || options_.counters || options_.watchable;
  how.language = {options_.relocatable, options_.extended_lambda, options_.relaxed_constexpr};
  how.dump = options_.dump;
  how.kernel_parameters = tools_.kernel_parameters;
  how.lex.user_system_folders = options_.system_folders;
  how.host_side = std::move(host_side);
  Translation translation = translate(preprocessed, how);
  for (const auto& note : translation.notes)
    if (options_.verbose) say(note.file + ":" + std::to_string(note.line) + ": note: " + note.message);
  if (!translation.dump.empty()) std::fputs(translation.dump.c_str(), stdout);
  if (options_.keep)
    std::ofstream(fs::path(input.path).stem().string() + ".emucc.ii", std::ios::binary) << translation.text;
  return translation;
}

Outcome Driver::compile_translated(const Input& input, const std::string& object,
                                   const Translation& translation, const std::string& messages) {
  Command command;
  // A device function may be called by kernels of the same file. If the code is relocatable, kernels of any
  // file may call it.
  command.argv = compile_command(input, object, translation.has_kernels || options_.relocatable);
  command.input = translation.text;
  CommandResult result = execute(command);
  if (!result.started)
    return {false, messages + tools_.compiler + " could not be started: " + result.start_error + "\n"};
  return {result.ok(), messages + tidy_messages(result.messages)};
}

/// Writes an error like a compiler's message, with the source line and a caret.
std::string Driver::describe(const Diagnostic& error, const char* kind) const {
  const char* bold = color_ ? "\033[1m" : "";
  const char* red = color_ ? "\033[1;31m" : "";
  const char* off = color_ ? "\033[0m" : "";
  std::string text = bold + error.file + ":" + std::to_string(error.line) + ":";
  if (error.column > 0) text += std::to_string(error.column) + ":";
  text += std::string(off) + " " + red + kind + ": " + off + error.message + "\n";
  const auto source = load_file(error.file);
  if (!source) return text;
  std::size_t at = 0;
  for (std::uint32_t line = 1; line < error.line && at != source->npos; ++line)
    at = source->find('\n', at) == source->npos ? source->npos : source->find('\n', at) + 1;
  if (at == source->npos) return text;
  const std::string line = source->substr(at, source->find('\n', at) - at);
  text += "  " + line + "\n";
  if (error.column == 0) return text;
  std::string blanks;
  for (std::size_t i = 0; i + 1 < error.column && i < line.size(); ++i)
    blanks += line[i] == '\t' ? '\t' : ' ';
  return text + "  " + blanks + red + "^" + off + "\n";
}

/// Compiles with one thread for each core. Prints the messages in the order of the inputs.
bool Driver::compile_all(const std::vector<std::pair<Input, std::string>>& jobs) {
  std::vector<Outcome> outcomes(jobs.size());
  std::atomic<std::size_t> next{0};
  auto work = [&] {
    for (std::size_t i = next++; i < jobs.size() && !interrupted(); i = next++) {
      outcomes[i] = compile(jobs[i].first, jobs[i].second);
    }
  };
  const std::size_t cores = options_.threads > 0 ? static_cast<std::size_t>(options_.threads)
                                                 : std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::thread> helpers;
  for (std::size_t i = 1; i < std::min(cores, jobs.size()); ++i) helpers.emplace_back(work);
  work();
  for (auto& helper : helpers) helper.join();
  bool ok = !interrupted();
  for (const auto& outcome : outcomes) {
    if (!interrupted()) std::fputs(outcome.messages.c_str(), stderr);
    ok = ok && outcome.ok;
  }
  return ok;
}

}  // namespace emucc
