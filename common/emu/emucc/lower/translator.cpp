#include "lower/translator.hpp"

#include <algorithm>

#include "analyse/execution_space.hpp"
#include "analyse/hidden_code.hpp"
#include "analyse/line_markers.hpp"
#include "analyse/memory_words.hpp"
#include "analyse/object_calls.hpp"
#include "analyse/pointer_sizes.hpp"
#include "analyse/restrictions.hpp"
#include "lower/translator_detail.hpp"
#include "parse/host_device.hpp"

namespace emucc {
namespace {

/// Returns true if a user's file contains the macro that distinguishes host and device code.
bool mentions_architecture(const TokenStream& stream, const TranslateOptions& options) {
  return std::any_of(stream.places.begin(), stream.places.end(), [&](const Place& place) {
    if (place.file.empty() || place.file.front() == '<') return false;
    const auto text = options.load(place.file);
    return text && text->find("__CUDA_ARCH__") != text->npos;
  });
}

}  // namespace

Translation translate(std::string_view preprocessed, const TranslateOptions& options) {
  std::string joined;  // the stream points into it
  std::vector<Diagnostic> warnings;
  TokenStream stream = lex(preprocessed, options.lex);
  std::vector<Diagnostic> errors;
  const auto look_at_markers = [&](const TokenStream& side) {
    if (options.hidden_code) return;
    for (Diagnostic& one : check_line_markers(side, options.load)) errors.push_back(std::move(one));
  };
  look_at_markers(stream);
  if (options.host_side && mentions_architecture(stream, options)) {
    if (const auto host = options.host_side()) {
      const TokenStream host_stream = lex(*host, options.lex);
      look_at_markers(host_stream);
      JoinedSides both = join_sides(stream, host_stream);
      for (const LeftOut& one : both.left_out)
        warnings.push_back({one.file, one.line, 0,
                            "the host's own '" + one.name +
                                "' is left out: both sides of __CUDA_ARCH__ declare it, each in its own "
                                "way, and the emulation takes the device's for both"});
      if (both.text) {
        joined = std::move(*both.text);
        stream = lex(joined, options.lex);
      }
    }
  }
  if (options.keep_columns) align_columns(stream, options.load);
  const Syntax syntax(stream);
  const SpaceFindings spaces = check_spaces(syntax, options.language);
  for (const Findings& each :
       {check_restrictions(syntax, options.language), check_memory_words(syntax, options.language),
        check_object_calls(syntax, options.language), Findings(spaces)}) {
    errors.insert(errors.end(), each.errors.begin(), each.errors.end());
    warnings.insert(warnings.end(), each.warnings.begin(), each.warnings.end());
  }
  for (Diagnostic& one : check_pointer_sizes(syntax)) warnings.push_back(std::move(one));
  std::vector<std::size_t> assembly;
  if (!options.hidden_code) {
    for (Diagnostic& one : check_hidden_code(stream)) errors.push_back(std::move(one));
    if (!options.language.relocatable)
      for (Diagnostic& one : check_device_functions(syntax)) errors.push_back(std::move(one));
    assembly = assembly_in(stream);
  }
  Translation translation = detail::Translator(stream, options, spaces.names_on_host).run();
  for (const std::size_t at : assembly)
    if (translation.ptx.count(at) == 0) errors.push_back(host_assembly(stream, at));
  translation.errors.insert(translation.errors.end(), errors.begin(), errors.end());
  translation.warnings = std::move(warnings);
  return translation;
}

}  // namespace emucc
