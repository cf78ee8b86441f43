// Reads PTX: statements, registers, labels, operands.
#include "lower/ptx.hpp"

#include <cctype>
#include <map>

#include "lower/ptx_instruction.hpp"

namespace emucc {
namespace {

using detail::ptx_space;
using detail::PtxArgument;
using detail::PtxInstruction;

struct Failure {
  std::string message;
};

const std::map<std::string, std::string>& special_registers() {
  static const std::map<std::string, std::string> all = {
      {"tid.x", "::cuemu::thread_idx().x"},
      {"tid.y", "::cuemu::thread_idx().y"},
      {"tid.z", "::cuemu::thread_idx().z"},
      {"ntid.x", "::cuemu::block_dim().x"},
      {"ntid.y", "::cuemu::block_dim().y"},
      {"ntid.z", "::cuemu::block_dim().z"},
      {"ctaid.x", "::cuemu::block_idx().x"},
      {"ctaid.y", "::cuemu::block_idx().y"},
      {"ctaid.z", "::cuemu::block_idx().z"},
      {"nctaid.x", "::cuemu::grid_dim().x"},
      {"nctaid.y", "::cuemu::grid_dim().y"},
      {"nctaid.z", "::cuemu::grid_dim().z"},
      {"laneid", "::cuemu::ptx::laneid()"},
      {"warpid", "::cuemu::ptx::warpid()"},
      {"nwarpid", "::cuemu::ptx::nwarpid()"},
      {"smid", "::cuemu::ptx::smid()"},
      {"nsmid", "::cuemu::ptx::nsmid()"},
      {"gridid", "::cuemu::ptx::gridid()"},
      {"clock", "::cuemu::ptx::clock32()"},
      {"clock_hi", "::cuemu::ptx::clock_hi()"},
      {"clock64", "::cuemu::ptx::clock64()"},
      {"globaltimer", "::cuemu::ptx::clock64()"},
      {"globaltimer_lo", "::cuemu::ptx::clock32()"},
      {"globaltimer_hi", "::cuemu::ptx::clock_hi()"},
      {"lanemask_eq", "::cuemu::lane_mask_eq()"},
      {"lanemask_lt", "::cuemu::lane_mask_lt()"},
      {"lanemask_le", "::cuemu::lane_mask_le()"},
      {"lanemask_gt", "::cuemu::lane_mask_gt()"},
      {"lanemask_ge", "::cuemu::lane_mask_ge()"},
      {"cluster_ctarank", "::__clusterRelativeBlockRank()"},
      {"cluster_nctarank", "::__clusterSizeInBlocks()"}};
  return all;
}

/// Returns the C++ type of a register that `.reg` declares.
std::string register_type(const std::string& type) {
  if (type == "pred") return ptx_space + "pred";
  if (type == "f32" || type == "f64") return ptx_space + type;
  if (type == "f16x2" || type == "bf16x2") return ptx_space + "u32";
  if (type == "f16" || type == "bf16" || type == "b16" || type == "u16" || type == "s16")
    return ptx_space + "u16";
  if (type == "b8" || type == "u8" || type == "s8") return ptx_space + "u8";
  if (type == "b32" || type == "u32" || type == "s32") return ptx_space + "u32";
  if (type == "b64" || type == "u64" || type == "s64") return ptx_space + "u64";
  return {};
}

std::string without_comments(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == "//") {
      while (i < text.size() && text[i] != '\n') ++i;
      plain += ' ';
    } else if (text.substr(i, 2) == "/*") {
      const std::size_t end = text.find("*/", i + 2);
      i = end == text.npos ? text.size() : end + 1;
      plain += ' ';
    } else {
      plain += text[i];
    }
  }
  return plain;
}

class PtxReader {
 public:
  PtxReader(std::string_view text, const std::vector<PtxOperand>& operands, int unique)
      : text_(without_comments(text)), operands_(operands), unique_(unique), scopes_(1) {}

  PtxTranslation read() {
    PtxTranslation result;
    try {
      for (blanks(); at_ < text_.size(); blanks()) statement();
    } catch (const Failure& failure) {
      result.error = failure.message;
    }
    result.declarations = std::move(declarations_);
    result.code = std::move(code_);
    return result;
  }

 private:
  // ---- characters
  void blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  char peek() {
    blanks();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c))
      throw Failure{std::string("this PTX can't be read: '") + c + "' is missing before '" +
                    text_.substr(at_, 20) + "'"};
  }
  /// Reads letters, digits, `_`, `$`, and the characters in `more`.
  std::string word(const char* more = "") {
    blanks();
    std::string result;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const bool in_word = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' ||
                           std::string_view(more).find(c) != std::string_view::npos;
      if (!in_word) break;
      result += c;
      ++at_;
    }
    return result;
  }

  // ---- statements
  void statement() {
    if (accept(';')) return;
    if (accept('{')) {
      scopes_.emplace_back();
      return;
    }
    if (accept('}')) {
      if (scopes_.size() > 1) scopes_.pop_back();
      return;
    }
    if (peek() == '.') return directive();
    std::string condition;
    if (accept('@')) {
      const bool negated = accept('!');
      condition = (negated ? "!" : "") + register_named();
    }
    const std::string name = word(".:");
    if (name.empty()) throw Failure{"this PTX can't be read: '" + text_.substr(at_, 20) + "'"};
    if (condition.empty() && name.back() == ':') return label(name.substr(0, name.size() - 1));
    if (condition.empty() && accept(':')) return label(name);
    std::string call =
        name == "bra" || name == "bra.uni" ? "goto " + label_name(word()) + ";" : instruction(name);
    if (peek() != '}') expect(';');
    code_ += condition.empty() ? call + " " : "if (" + condition + ") { " + call + " } ";
  }

  void label(const std::string& name) { code_ += label_name(name) + ":; "; }
  std::string label_name(const std::string& name) const {
    return "cuemu_label_" + std::to_string(unique_) + "_" + plain(name);
  }
  static std::string plain(const std::string& name) {
    std::string result;
    for (const char c : name) result += c == '$' || c == '%' ? '_' : c;
    return result;
  }

  void directive() {
    const std::string name = word(".");
    if (name.rfind(".reg", 0) != 0)
      throw Failure{"the emulation does not know the PTX directive '" + name + "' in an asm statement"};
    std::string type = name.size() > 5 ? name.substr(5) : word(".").substr(1);
    const std::string in_cpp = register_type(type);
    if (in_cpp.empty()) throw Failure{"the emulation does not know PTX registers of type '." + type + "'"};
    do {
      if (accept('%')) accept('%');  // in an asm statement with operands %p is written `%%p`
      const std::string variable = word();
      int count = -1;
      if (accept('<')) {
        count = std::atoi(word().c_str());
        expect('>');
      }
      for (int i = count < 0 ? -1 : 0; i < count || i < 0; ++i) {
        declare(variable + (i < 0 ? "" : std::to_string(i)), in_cpp);
        if (i < 0) break;
      }
    } while (accept(','));
    expect(';');
  }
  void declare(const std::string& name, const std::string& type) {
    const std::string variable = "cuemu_" + plain(name) + "_" + std::to_string(++registers_);
    scopes_.back()[name] = variable;
    declarations_ += "[[maybe_unused]] " + type + " " + variable + "{}; ";
  }

  // ---- operands
  std::string instruction(const std::string& name) {
    PtxInstruction read;
    read.full = name;
    std::size_t begin = 0;
    for (std::size_t dot = 0; dot != name.npos; begin = dot + 1) {
      dot = name.find('.', begin);
      const std::string part = name.substr(begin, dot - begin);
      if (begin == 0)
        read.name = part;
      else
        read.modifiers.push_back(part);
    }
    if (peek() != ';' && peek() != '}' && peek() != '\0') {
      do read.arguments.push_back(argument());
      while (accept(','));
    }
    std::string call = detail::ptx_call(read);
    if (call.empty())
      throw Failure{"the emulation does not know the PTX instruction '" + name +
                    "': use the CUDA function for it, or guard it with #ifndef __CUEMU__"};
    return call;
  }

  PtxArgument argument() {
    PtxArgument result;
    if (accept('{')) {
      do result.parts.push_back(argument());
      while (accept(','));
      expect('}');
    } else if (accept('[')) {
      result.is_address = true;
      result.code = value();
      result.offset = "0";
      if (accept('+')) {
        const bool negative = accept('-');
        result.offset = (negative ? "-" : "") + offset();
      } else if (accept('-')) {
        result.offset = "-" + offset();
      }
      while (accept(',')) result.parts.push_back(argument());
      expect(']');
    } else {
      result.negated = negates();
      result.code = value();
      result.selector = selector();
      if (accept('|')) result.second = value();
    }
    return result;
  }
  /// Returns true if a `-` precedes a register. The sign of a number is a part of the number.
  bool negates() {
    if (peek() != '-') return false;
    const std::size_t next = text_.find_first_not_of(" \t\n", at_ + 1);
    if (next == text_.npos || std::isdigit(static_cast<unsigned char>(text_[next])) != 0) return false;
    return accept('-');
  }
  /// Reads which byte or half of the preceding register is meant: "b0" … "b3", "h0", "h1"; empty for the
  /// whole register.
  std::string selector() {
    if (!is_selector(std::string_view(text_).substr(at_, 3))) return "";
    at_ += 3;
    return text_.substr(at_ - 2, 2);
  }
  static bool is_selector(std::string_view text) {
    return text.size() == 3 && text[0] == '.' &&
           ((text[1] == 'b' && text[2] >= '0' && text[2] <= '3') ||
            (text[1] == 'h' && (text[2] == '0' || text[2] == '1')));
  }
  std::string offset() {
    if (peek() == '%') return ptx_space + "get<" + ptx_space + "s64>(" + register_named() + ")";
    return word();
  }

  std::string value() {
    const char c = peek();
    if (accept('!')) return "!" + value();
    if (c == '-' || std::isdigit(static_cast<unsigned char>(c)) != 0) return literal();
    return register_named();
  }

  std::string literal() {
    const std::string sign = accept('-') ? "-" : "";
    std::string digits = word(".");
    if (digits.size() == 10 && (digits.rfind("0f", 0) == 0 || digits.rfind("0F", 0) == 0))
      return sign + ptx_space + "float_bits(0x" + digits.substr(2) + "u)";
    if (digits.size() == 18 && (digits.rfind("0d", 0) == 0 || digits.rfind("0D", 0) == 0))
      return sign + ptx_space + "double_bits(0x" + digits.substr(2) + "ull)";
    const bool hexadecimal = digits.rfind("0x", 0) == 0 || digits.rfind("0X", 0) == 0;
    if (!hexadecimal && digits.find_first_of(".eE") != digits.npos) {
      if (accept('-')) digits += "-" + word();  // 1.0e-5
      return ptx_space + "Real{" + sign + digits + "}";
    }
    while (!digits.empty() && (digits.back() == 'U' || digits.back() == 'u')) digits.pop_back();
    return ptx_space + "Integer{" + sign + "static_cast<long long>(" + digits + "ull)}";
  }

  std::string register_named() {
    blanks();
    if (accept('%')) {
      if (at_ < text_.size() && text_[at_] == '%') ++at_;
      if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) {
        const std::size_t index = static_cast<std::size_t>(std::stoul(word()));
        if (index >= operands_.size())
          throw Failure{"the asm statement has no operand %" + std::to_string(index)};
        return ptx_register(index);
      }
      if (at_ < text_.size() && text_[at_] == '[') {
        ++at_;
        const std::string name = word();
        expect(']');
        for (std::size_t i = 0; i < operands_.size(); ++i)
          if (operands_[i].name == name) return ptx_register(i);
        throw Failure{"the asm statement has no operand %[" + name + "]"};
      }
      std::string name = word(".");
      if (name.size() > 3 && is_selector(std::string_view(name).substr(name.size() - 3))) {
        name.resize(name.size() - 3);
        at_ -= 3;
      }
      const auto special = special_registers().find(name);
      if (special != special_registers().end()) return special->second;
      return declared(name, "%" + name);
    }
    const std::string name = word();
    if (name == "_") return ptx_space + "Nowhere{}";
    if (name == "WARP_SZ") return ptx_space + "Integer{32}";
    return declared(name, name);
  }
  std::string declared(const std::string& name, const std::string& spelling) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      const auto found = scope->find(name);
      if (found != scope->end()) return found->second;
    }
    throw Failure{"the emulation does not know the PTX register '" + spelling + "'"};
  }

  std::string text_;
  std::size_t at_ = 0;
  const std::vector<PtxOperand>& operands_;
  int unique_;
  int registers_ = 0;
  std::vector<std::map<std::string, std::string>> scopes_;
  std::string declarations_, code_;
};

}  // namespace

std::string PtxOperand::type() const {
  switch (constraint.empty() ? '\0' : constraint.back()) {
    case 'h':
      return ptx_space + "u16";
    case 'r':
      return ptx_space + "u32";
    case 'l':
      return ptx_space + "u64";
    case 'f':
      return ptx_space + "f32";
    case 'd':
      return ptx_space + "f64";
    case 'b':
      return ptx_space + "pred";
    case 'n':
      return "Integer";
    default:
      return {};
  }
}

std::string ptx_register(std::size_t index) {
  return "cuemu_r" + std::to_string(index);
}

PtxTranslation translate_ptx(std::string_view text, const std::vector<PtxOperand>& operands, int unique) {
  return PtxReader(text, operands, unique).read();
}

}  // namespace emucc
