#include "analyse/sides.hpp"

namespace emucc {

Side side_of(const Words& words) {
  if (words.global) return Side::device;
  if (!words.device) return Side::host;
  return words.host ? Side::both : Side::device;
}

std::size_t launched_name(const Syntax& syntax, std::size_t launch) {
  const std::size_t last = launch - 1;
  const bool instance = syntax.is(last, ">") && syntax.template_open(last) != npos;
  return instance ? syntax.template_open(last) - 1 : last;
}

std::size_t marked_lambda(const Syntax& syntax, std::size_t at) {
  if (!syntax.is(at, "[")) return npos;
  const std::size_t body = syntax.lambda_body(at);
  if (body == npos) return npos;
  for (std::size_t i = syntax.after(at); i < body; ++i)
    if (syntax.word(i) == Word::device || syntax.word(i) == Word::host) return body;
  return npos;
}

void Compiled::collect() const {
  if (collected_) return;
  collected_ = true;
  for (std::size_t i = 0; i < syntax_.size(); ++i) {
    if (syntax_.is_launch_open(i) && i > 0) launched_.insert(syntax_.at(launched_name(syntax_, i)));
    if (syntax_.is_name(i) && !once_.insert(syntax_.at(i)).second) often_.insert(syntax_.at(i));
  }
}

bool Compiled::has(const Declaration& function, bool in_class) const {
  const Words& words = function.words;
  const bool always = !words.template_ && (words.global || (!words.inline_ && !words.static_ && !in_class));
  if (always) return true;
  collect();
  const std::string_view name = syntax_.at(function.name);
  if (words.template_) return words.global && launched_.count(name) > 0;
  return syntax_.word(function.name) == Word::operator_ || often_.count(name) > 0;
}

}  // namespace emucc
