#include "split/fission_dump.hpp"

#include <algorithm>

namespace emucc {
namespace {

class FissionDump {
 public:
  FissionDump(const Syntax& syntax, const Fission& plan) : syntax_(syntax), plan_(plan) {}

  std::string write() {
    variables();
    steps(plan_.steps, "  ");
    for (std::size_t i = 0; i < plan_.barriers.size(); ++i)
      text_ += "  barrier " + std::to_string(i + 1) + lines(plan_.barriers[i]->head, plan_.barriers[i]->end) +
               "\n";
    if (plan_.returns) text_ += "  threads may return while others go on\n";
    if (plan_.whole_rows) text_ += "  right where rows of a block are whole warps\n";
    return std::move(text_);
  }

 private:
  void variables() {
    static constexpr const char* names[] = {"uniform", "index", "kept", "local", "shared", "group"};
    for (int kind = 0; kind < 6; ++kind) {
      std::string list;
      for (const KernelVariable& variable : plan_.variables)
        if (static_cast<int>(variable.kind) == kind) list += " " + variable.name;
      if (!list.empty()) text_ += std::string("  ") + names[kind] + ":" + list + "\n";
    }
  }

  /// Returns "line 12" or "lines 12 to 15": the tokens' source lines.
  std::string lines(std::size_t begin, std::size_t end) const {
    std::uint32_t first = ~0U, last = 0;
    for (std::size_t i = begin; i < end; ++i) {
      first = std::min(first, syntax_.stream().tokens[i].line);
      last = std::max(last, syntax_.stream().tokens[i].line);
    }
    if (first == last) return " line " + std::to_string(first);
    return " lines " + std::to_string(first) + " to " + std::to_string(last);
  }

  static const char* word(const FissionStep& step) {
    switch (step.kind) {
      case FissionStep::Kind::uniform:
        return "once";
      case FissionStep::Kind::phase:
        return "each thread";
      case FissionStep::Kind::control:
        return "together";
      case FissionStep::Kind::warps:
        return "each warp";
      case FissionStep::Kind::exchange:
        return "warp function";
      case FissionStep::Kind::barrier:
        return "barrier";
      case FissionStep::Kind::scope:
        return "scope";
    }
    return "";
  }

  void steps(const std::vector<FissionStep>& all, const std::string& indent) {
    for (const FissionStep& step : all) {
      text_ += indent + word(step);
      if (!step.leaves.empty())
        text_ += lines(step.leaves.front()->head, step.leaves.back()->end);
      else if (step.kind == FissionStep::Kind::control && step.statement->close != Syntax::npos)
        text_ += " '" + std::string(syntax_.at(step.statement->head)) + "'" +
                 lines(step.statement->head, step.statement->head + 1);
      else
        text_ += lines(step.statement->head, step.statement->head + 1);
      if (!step.calls.empty()) text_ += ", behind " + std::to_string(step.calls.size()) + " warp function(s)";
      if (step.guard.x_begin != step.guard.x_end)
        text_ += ", in one column";
      else if (step.guard.begin != step.guard.end)
        text_ += ", under a guard";
      if (step.of_warp) text_ += ", by the warp's number";
      if (step.masked) text_ += ", with the lanes that take it";
      if (step.interchanged) text_ += ", all one turn, then all the next one";
      if (step.deferred) text_ += ", deferred to the next barrier";
      text_ += "\n";
      for (const auto& part : step.parts) steps(part, indent + "  ");
    }
  }

  const Syntax& syntax_;
  const Fission& plan_;
  std::string text_;
};

}  // namespace

std::string dump_fission(const Syntax& syntax, const Fission& plan) {
  return FissionDump(syntax, plan).write();
}

}  // namespace emucc
