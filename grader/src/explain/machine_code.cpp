#include "explain/machine_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

namespace grader {
namespace {

/// The instructions that nvcc emits for an operation for which the GPU has no instruction. Rare paths are
/// left out.
struct Expansion {
  const char* name;
  double fp32, fp64, integer, special;
};
constexpr Expansion operations[] = {
    {"divss", 8, 0, 0, 1},   {"divsd", 0, 10, 2, 1}, {"sqrtss", 6, 0, 0, 1}, {"sqrtsd", 0, 8, 2, 1},
    {"rsqrtss", 0, 0, 0, 1}, {"rcpss", 0, 0, 0, 1},  {"idiv", 0, 0, 20, 1},  {"div", 0, 0, 20, 1},
};
constexpr Expansion functions[] = {
    {"sinf", 14, 0, 6, 0}, {"cosf", 14, 0, 6, 0},    {"sincosf", 24, 0, 8, 0}, {"tanf", 22, 0, 6, 1},
    {"expf", 5, 0, 2, 1},  {"exp2f", 2, 0, 0, 1},    {"logf", 12, 0, 4, 0},    {"log2f", 2, 0, 0, 1},
    {"powf", 30, 0, 8, 2}, {"hypotf", 8, 0, 2, 1},   {"fmodf", 12, 0, 8, 1},   {"sin", 0, 22, 8, 0},
    {"cos", 0, 22, 8, 0},  {"sincos", 0, 36, 10, 0}, {"exp", 0, 16, 6, 0},     {"log", 0, 22, 8, 1},
    {"pow", 0, 50, 16, 1}, {"fmaf", 1, 0, 0, 0},     {"fma", 0, 1, 0, 0},
};
constexpr const char* integer_operations[] = {"add", "sub", "imul", "lea", "shl", "shr", "sar", "sal",
                                              "and", "or",  "xor",  "not", "neg", "cmp", "test"};

const Expansion* find(const Expansion* first, const Expansion* last, std::string_view name) {
  const auto* const at = std::find_if(first, last, [&](const Expansion& one) { return name == one.name; });
  return at != last ? at : nullptr;
}

/// Whether a name is that of an integer operation. A suffix for the operand's size does not matter: "addl" is
/// "add".
bool is_integer(std::string_view name) {
  return std::any_of(std::begin(integer_operations), std::end(integer_operations), [&](std::string_view one) {
    return name == one || (name.size() == one.size() + 1 && name.substr(0, one.size()) == one &&
                           std::string_view("bwlq").find(name.back()) != std::string_view::npos);
  });
}

/// The counts of a stretch that is being read.
struct Tallied {
  Mix mix;
  double single[2] = {0, 0}, twice[2] = {0, 0};  ///< multiplications and additions, by precision

  void expand(const Expansion& e) {
    mix.fp32 += e.fp32;
    mix.fp64 += e.fp64;
    mix.integer += e.integer;
    mix.special += e.special;
    mix.flops += 1;
  }
  void add(std::string_view name, std::string_view operands) {
    if (!name.empty() && name.front() == 'v') name.remove_prefix(1);
    if (const auto* const e = find(std::begin(operations), std::end(operations), name)) return expand(*e);
    if (name.substr(0, 4) == "idiv") return expand(operations[6]);
    const auto floating = [&](std::string_view stem, int which) {
      if (name.substr(0, stem.size()) != stem || name.size() != stem.size() + 2) return false;
      const std::string_view type = name.substr(stem.size());
      if (type == "ss" || type == "ps")
        single[which] += type == "ps" ? 4 : 1;
      else if (type == "sd" || type == "pd")
        twice[which] += type == "pd" ? 2 : 1;
      else
        return false;
      return true;
    };
    if (floating("mul", 0) || floating("add", 1) || floating("sub", 1)) return;
    if (name.substr(0, 5) == "fmadd" || name.substr(0, 6) == "fnmadd" || name.substr(0, 5) == "fmsub") {
      auto& of = name.substr(name.size() - 2) == "sd" ? twice : single;
      ++of[0], ++of[1];
      return;
    }
    if (name == "maxss" || name == "minss" || name == "comiss" || name == "ucomiss") ++mix.fp32;
    if (name == "maxsd" || name == "minsd" || name == "comisd" || name == "ucomisd") ++mix.fp64;
    if (name.substr(0, 3) == "cvt" || name.substr(0, 4) == "cmov") ++mix.integer;
    if (!is_integer(name) || operands.find("%rsp") != operands.npos) return;
    const std::size_t comma = operands.rfind(',');
    if (comma == operands.npos) return;
    const std::string_view from = operands.substr(0, comma), to = operands.substr(comma + 1);
    if (name.substr(0, 3) == "lea" && to == "%rdi") return;  // the address for the next report
    if (name.substr(0, 3) == "xor" && from == to) return;    // zero
    ++mix.integer;
  }
  void call(std::string_view function) {
    function = function.substr(0, function.find_first_of("@>+"));
    if (const auto* const e = find(std::begin(functions), std::end(functions), function)) expand(*e);
  }
  Mix result() const {
    Mix all = mix;
    all.fp32 += std::max(single[0], single[1]);
    all.fp64 += std::max(twice[0], twice[1]);
    all.flops += single[0] + single[1] + twice[0] + twice[1];
    return all;
  }
};

struct Instruction {
  std::uint64_t address = 0;
  std::string_view name, operands;
};

/// A line of objdump: "   1009d:\tcall   326b0 <__tsan_read4>".
bool parse(std::string_view line, Instruction& instruction) {
  const std::size_t colon = line.find(":\t");
  if (colon == line.npos) return false;
  std::string_view number = line.substr(0, colon);
  number.remove_prefix(std::min(number.find_first_not_of(' '), number.size()));
  instruction.address = 0;
  for (const char c : number) {
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (digit < 0) return false;
    instruction.address = instruction.address * 16 + static_cast<unsigned>(digit);
  }
  std::string_view rest = line.substr(colon + 2);
  const std::size_t blank = rest.find(' ');
  instruction.name = rest.substr(0, blank);
  rest = blank == rest.npos ? std::string_view() : rest.substr(blank);
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  instruction.operands = rest.substr(0, rest.find(" #"));
  while (!instruction.operands.empty() && instruction.operands.back() == ' ')
    instruction.operands.remove_suffix(1);
  return true;
}

}  // namespace

std::vector<std::string> disassembly_command(const std::string& program, const std::vector<Stretch>& code) {
  std::uint64_t first = ~std::uint64_t{0}, last = 0;
  for (const Stretch& stretch : code) {
    first = std::min(first, stretch.address);
    last = std::max(last, stretch.address);
  }
  constexpr std::uint64_t longest = 1 << 16;  // most bytes of the last stretch
  return {"objdump",
          "-d",
          "--no-show-raw-insn",
          fmt::format("--start-address={:#x}", first),
          fmt::format("--stop-address={:#x}", last + longest),
          program};
}

Mix mix_of(const std::string& disassembly, const std::vector<Stretch>& code) {
  std::map<std::uint64_t, double> warps;
  for (const Stretch& stretch : code) warps[stretch.address] += stretch.warps;
  Mix sum;
  Tallied current;
  double times = 0;  // 0 outside of all stretches
  const auto end = [&] {
    sum += current.result() * times;
    current = {};
    times = 0;
  };
  std::string_view rest = disassembly;
  while (!rest.empty()) {
    const std::size_t newline = std::min(rest.find('\n'), rest.size() - 1);
    Instruction instruction;
    const bool is_code = parse(rest.substr(0, rest.find('\n')), instruction);
    rest.remove_prefix(newline + 1);
    if (!is_code) continue;
    if (const auto found = warps.find(instruction.address); found != warps.end()) {
      end();
      times = found->second;
    }
    if (times == 0) continue;
    if (instruction.name == "call") {
      const std::size_t begin = instruction.operands.find('<');
      const std::string_view function =
          begin == std::string_view::npos ? std::string_view() : instruction.operands.substr(begin + 1);
      if (function.substr(0, 24) == "__sanitizer_cov_trace_pc")
        end();
      else
        current.call(function);
    } else if (instruction.name == "jmp" || instruction.name == "ret") {
      end();
    } else {
      current.add(instruction.name, instruction.operands);
    }
  }
  end();
  return sum;
}

}  // namespace grader
