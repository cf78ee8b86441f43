#include "translator.hpp"

#include "translator_detail.hpp"

namespace emucc {

Translation translate(std::string_view preprocessed, const TranslateOptions& options) {
  TokenStream stream = lex(preprocessed, options.lex);
  if (options.keep_columns) align_columns(stream, options.load);
  return detail::Translator(stream, options).run();
}

}  // namespace emucc
