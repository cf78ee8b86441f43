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

Instances::Instances(const Syntax& syntax) : syntax_(syntax) {
  for (std::size_t i = 1; i < syntax.size(); ++i)
    if (syntax.is_launch_open(i)) launched_.insert(syntax.at(launched_name(syntax, i)));
}

bool Instances::has(const Declaration& function) const {
  return !function.words.template_ ||
         (function.words.global && launched_.count(syntax_.at(function.name)) > 0);
}

}  // namespace emucc
