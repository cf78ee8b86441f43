// The names of measures, with one line for each measure.
#include "model/measure.hpp"

#include <algorithm>
#include <array>

namespace grader {
namespace {

using Kind = Measure::Kind;
using Scope = Measure::Scope;

struct Form {
  Kind kind;
  std::string_view word;
  std::string_view name;  ///< placeholder of the name, for messages; empty: no name allowed
  bool alone;             ///< may be written without a name
  Scope scope;
};

// The forms, in the order of Kind.
constexpr std::array forms = {
    Form{Kind::h2d, "h2d", "", true, Scope::timer},
    Form{Kind::d2h, "d2h", "", true, Scope::timer},
    Form{Kind::kernel, "kernel", "NAME", true, Scope::timer},
    Form{Kind::printed, "printed", "LINE", false, Scope::column},
    Form{Kind::counter, "counter", "NAME", false, Scope::column},
    Form{Kind::ratio, "ratio", "COLUMN", false, Scope::column},
    Form{Kind::gain, "gain", "COLUMN", false, Scope::column},
    Form{Kind::peer, "peer", "PEER", false, Scope::peers},
    Form{Kind::own, "own", "PEER", false, Scope::peers},
    Form{Kind::speed, "speed", "PEER", false, Scope::peers},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < forms.size(); ++i) {
    if (static_cast<std::size_t>(forms[i].kind) != i) return false;
  }
  return true;
}
static_assert(in_order());

const Form& form_of(Kind kind) {
  return forms.at(static_cast<std::size_t>(kind));
}

std::string written(std::string_view word, std::string_view name) {
  std::string text(word);
  if (!name.empty()) text.append(":").append(name);
  return text;
}

}  // namespace

std::string Measure::text() const {
  return written(form_of(kind).word, name);
}

Measure::Scope Measure::scope() const {
  return form_of(kind).scope;
}

std::optional<Measure> measure_from(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view word = text.substr(0, colon);
  const auto form = std::find_if(forms.begin(), forms.end(), [&](const Form& f) { return f.word == word; });
  if (form == forms.end()) return std::nullopt;
  if (colon == std::string_view::npos) return form->alone ? std::optional(Measure{form->kind}) : std::nullopt;
  const std::string_view name = text.substr(colon + 1);
  if (form->name.empty() || name.empty()) return std::nullopt;
  return Measure{form->kind, std::string(name)};
}

std::vector<std::string> measure_forms(Measure::Scope scope) {
  std::vector<std::string> out;
  for (const Form& form : forms) {
    if (form.scope > scope) continue;
    if (form.alone) out.emplace_back(form.word);
    if (!form.name.empty()) out.push_back(written(form.word, form.name));
  }
  return out;
}

}  // namespace grader
