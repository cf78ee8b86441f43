#include "translator.hpp"

#include <algorithm>

#include "sides.hpp"
#include "translator_detail.hpp"

namespace emucc {
namespace {

/// Does any of the user's files look at the macro that tells the sides apart?
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
  TokenStream stream = lex(preprocessed, options.lex);
  if (options.host_side && mentions_architecture(stream, options)) {
    if (const auto host = options.host_side()) {
      if (auto both = join_sides(stream, lex(*host, options.lex))) {
        joined = std::move(*both);
        stream = lex(joined, options.lex);
      }
    }
  }
  if (options.keep_columns) align_columns(stream, options.load);
  return detail::Translator(stream, options).run();
}

}  // namespace emucc
