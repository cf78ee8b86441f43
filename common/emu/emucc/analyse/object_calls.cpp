#include "analyse/object_calls.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_set>

#include "analyse/library_names.hpp"
#include "analyse/sides.hpp"
#include "parse/parameters.hpp"
#include "parse/syntax_tree.hpp"
#include "parse/units.hpp"
#include "parse/variables.hpp"

namespace emucc {
namespace {

/// A function that an expression may call.
struct Candidate {
  Words words;
  std::size_t parameters;
  std::string name;
};

class ObjectCalls {
 public:
  ObjectCalls(const Syntax& syntax, const LanguageOptions& options)
      : syntax_(syntax), options_(options), compiled_(syntax), classes_(syntax.tree().classes()) {}

  Findings run() {
    for (const Class& each : classes_.all()) {
      if (each.name == npos) continue;
      overriding(each);
      note_words(each);
    }
    device_variables(0, syntax_.size());
    if (host_words_.empty() && device_words_.empty()) return std::move(findings_);
    collect(0, syntax_.size(), nullptr, false);
    for (const Function& each : functions_) {
      side_ = side_of(each.unit.declaration.words);
      function_ = &each;
      if (side_ == Side::device) parts_of_object(each);
      if (side_ != Side::both && (mentions_one(each.unit) || has_device_lambda(each.unit)))
        body(each.unit.body);
    }
    return std::move(findings_);
  }

 private:
  void body(std::size_t open) {
    for (const Statement& one : syntax_.tree().body(open + 1, syntax_.after(open) - 1).statements)
      statement(one);
  }
  void error(std::size_t at, std::string message) { findings_.error(syntax_, at, std::move(message)); }

  // ---- declarations

  /// Records names that belong to one side. Only functions that use such a name are read as trees, since
  /// trees cost time.
  void note_words(const Class& each) {
    const auto note = [&](const Words& words, std::string_view word) {
      if (side_of(words) == Side::host) host_words_.insert(word);
      if (side_of(words) == Side::device) device_words_.insert(word);
    };
    const std::string_view name = syntax_.at(each.name);
    for (const Method& method : each.methods)
      note(method.words, method.name == "operator" ? name : method.name);
    for (const Constructor& one : each.constructors.value_or(std::vector<Constructor>()))
      note(one.words, name);
    const auto note_part = [&](const Class* part) {
      if (part != nullptr && part->constructors)
        for (const Constructor& one : *part->constructors) note(one.words, name);
    };
    for (const std::size_t base : each.bases) note_part(named(base));
    for (const DataMember& member : each.members) {
      if (is_of_host(member)) host_words_.insert(name);
      if (is_of_library(member)) host_words_.insert(member.name);
      note_part(class_of(member));
    }
  }
  bool mentions_one(const Unit& unit) const {
    const auto& words = side_ == Side::device ? host_words_ : device_words_;
    const bool shared = side_ == Side::device && !device_words_.empty();
    for (std::size_t i = unit.begin; i < unit.end; ++i)
      if (syntax_.is_identifier(i) &&
          (words.count(syntax_.at(i)) > 0 || (shared && syntax_.word(i) == Word::shared)))
        return true;
    return false;
  }

  bool has_device_lambda(const Unit& unit) const {
    for (std::size_t i = unit.body; i < unit.end; ++i)
      if (syntax_.is(i, "[") && marked_lambda(syntax_, i) != npos) return true;
    return false;
  }

  struct Function {
    Unit unit;
    const Class* of;  ///< the class of the member; null: no member, or unknown
  };

  void collect(std::size_t begin, std::size_t end, const Class* of, bool in_template) {
    for (const Unit& unit : units_of(syntax_, begin, end)) {
      const Declaration& found = unit.declaration;
      if (unit.kind == Unit::Kind::block) {
        collect(unit.body + 1, syntax_.after(unit.body) - 1, of, in_template);
      } else if (unit.kind == Unit::Kind::class_) {
        collect(unit.body + 1, syntax_.after(unit.body) - 1, class_at(unit.body),
                in_template || found.words.template_);
      } else if (found.name != npos && found.parameters != npos) {
        const bool is_friend = syntax_.word(found.begin) == Word::friend_;
        if (syntax_.word(found.name) == Word::operator_ && (of == nullptr || is_friend))
          operators_.push_back(candidate(found.words, found.parameters, {}));
        if (unit.kind == Unit::Kind::function && !in_template &&
            (compiled_.has(found, of != nullptr) || has_device_lambda(unit)))
          functions_.push_back({unit, of != nullptr && !is_friend ? of : class_of(found)});
      }
    }
  }
  const Class* class_at(std::size_t open) const {
    for (const Class& each : classes_.all())
      if (each.open == open) return &each;
    return nullptr;
  }
  /// Returns the class of a member function `T::f` that is defined outside the class.
  const Class* class_of(const Declaration& found) const {
    return syntax_.is(found.name - 1, "::") ? named(found.name - 2) : nullptr;
  }

  const Class* named(std::size_t type) const {
    if (!syntax_.is_name(type) || syntax_.tree().scopes().is_type_parameter(syntax_.at(type))) return nullptr;
    return classes_.named(type);
  }
  /// Returns the class of an object that is a member.
  const Class* class_of(const DataMember& member) const {
    const ValueType& type = member.type;
    return type.name == npos || type.pointers > 0 || type.reference || member.words.static_
               ? nullptr
               : named(type.name);
  }
  const Class* class_of(const Expression& object) const {
    const Class* const found = classes_.of(object);
    return found == nullptr ? nullptr : named(found->name);
  }

  // ---- functions

  Candidate candidate(const Words& words, std::size_t parameters, const std::string& scope) const {
    std::size_t name = parameters;  // becomes the position of `operator`, or of a name of one word
    while (name > 0 && parameters - name < 4 && syntax_.word(name) != Word::operator_) --name;
    if (syntax_.word(name) != Word::operator_) name = parameters - 1;
    Candidate found{words, parameters, scope};
    for (std::size_t i = name; i < parameters; ++i) found.name += syntax_.at(i);
    return found;
  }
  Candidate candidate(const Method& method) const {
    return candidate(method.words, method.parameters, std::string(syntax_.at(method.of->name)) + "::");
  }
  std::vector<Candidate> candidates(const std::vector<const Method*>& methods) const {
    std::vector<Candidate> all;
    for (const Method* const each : methods) all.push_back(candidate(*each));
    return all;
  }

  /// Returns true if the function exists only on the other side.
  bool is_wrong(const Candidate& one) const {
    std::size_t i = syntax_.after(one.parameters);
    while (i < syntax_.size() && !syntax_.is(i, "{") && !syntax_.is(i, ";") && !syntax_.is(i, "=")) ++i;
    if (syntax_.is(i, "=") && (syntax_.is(i + 1, "default") || syntax_.is(i + 1, "delete"))) return false;
    if (one.words.consteval_ || is_defined_otherwise(one)) return false;
    if (side_ == Side::host) return side_of(one.words) == Side::device && !one.words.constexpr_;
    return side_of(one.words) == Side::host && !(one.words.constexpr_ && options_.relaxed_constexpr);
  }
  /// Returns true for `__device__ int T::f() { … }` if the class declares the function without `__device__`.
  bool is_defined_otherwise(const Candidate& one) const {
    const auto* const all = syntax_.tree().functions().named(syntax_.at(one.parameters - 1));
    return all != nullptr && std::any_of(all->begin(), all->end(), [&](const OwnFunction& each) {
             return each.in_class && syntax_.is(each.declaration.name - 1, "::");
           });
  }

  void call(std::size_t at, const std::vector<Candidate>& all) {
    if (all.empty() ||
        !std::all_of(all.begin(), all.end(), [&](const Candidate& one) { return is_wrong(one); }))
      return;
    const std::string name = "'" + all.front().name + "'";
    if (side_ == Side::host)
      error(at, "the __device__ function " + name +
                    " is called in host code: call it in a kernel, or declare it __host__ __device__");
    else if (all.front().words.constexpr_)
      error(at,
            "the constexpr function " + name +
                " of the host is called in device code: compile with --expt-relaxed-constexpr, as nvcc asks, "
                "or declare it __host__ __device__");
    else
      error(at, "the host function " + name + " is called in device code: declare it __host__ __device__");
  }

  // ---- statements and expressions

  void statement(const Statement& each) {
    if (each.kind == Statement::Kind::declaration) variables(each);
    if (each.kind == Statement::Kind::shared) shared_variables(each);
    for (const StatementPart& part : parts_of(syntax_, each)) {
      expression(*part.expression);
      if (each.kind == Statement::Kind::return_ && lambda_ == npos) returned(*part.expression);
    }
    const bool is_condition = each.kind == Statement::Kind::if_ || each.kind == Statement::Kind::while_ ||
                              each.kind == Statement::Kind::do_ || each.kind == Statement::Kind::switch_;
    if (is_condition && each.close > each.open + 1)
      converted(syntax_.tree().expression(each.open + 1, each.close), each.open);
    for (const Statement& inner : each.children) statement(inner);
  }

  void expression(const Expression& each) {
    switch (each.kind) {
      case ExpressionKind::call:
        function_call(each);
        break;
      case ExpressionKind::cast:
        if (is_construction(syntax_, each) || is_list_construction(syntax_, each))
          if (const Class* const type = named(each.at)) construct(*type, each.type_end, each.at);
        if (is_number(each) && each.parts.size() == 1) converted(each.part(0), each.begin);
        break;
      case ExpressionKind::binary:
      case ExpressionKind::assignment:
      case ExpressionKind::unary:
        operation(each);
        operands(each);
        break;
      case ExpressionKind::index:
        library_member(each.part(0), each.at);
        if (const Class* const type = class_of(each.part(0))) object_operator(*type, "operator[]", each.at);
        break;
      case ExpressionKind::name:
        static_member(each);
        break;
      case ExpressionKind::conditional:
        converted(each.part(0), each.part(0).begin);
        break;
      case ExpressionKind::new_:
        if (const Class* const type = named(name_of_type(syntax_, each.type_begin, each.type_end));
            type != nullptr && !syntax_.is(each.type_end - 1, "*"))
          construct(*type, syntax_.is(each.type_end, "[") || each.type_end == each.end ? npos : each.type_end,
                    each.at + 1);
        break;
      case ExpressionKind::lambda:
        lambda(each);
        break;
      case ExpressionKind::query:
        return;  // the operand is not evaluated
      case ExpressionKind::literal:
      case ExpressionKind::this_:
      case ExpressionKind::parentheses:
      case ExpressionKind::member:
      case ExpressionKind::delete_:
      case ExpressionKind::throw_:
      case ExpressionKind::list:
      case ExpressionKind::launch:
      case ExpressionKind::assembly:
      case ExpressionKind::unknown:
        break;
    }
    for (const Expression* part : each.parts) expression(*part);
  }

  /// Returns true for a member such as `std::string name;`.
  bool is_of_library(const DataMember& member) const {
    const std::size_t type = member.type.name;
    return type != npos && member.type.pointers == 0 && syntax_.is(type - 1, "::") &&
           syntax_.is(type - 2, "std") && !syntax_.is(type - 3, "::") && is_host_type(syntax_.at(type));
  }
  /// Examines a call of a function of a member, if the member is an object of the library.
  void library_member(const Expression& object, std::size_t at) {
    const Expression& inside = inside_parentheses(object);
    const DataMember* const member = side_ == Side::device && inside.kind == ExpressionKind::member
                                         ? data_member(syntax_, inside)
                                         : nullptr;
    if (member != nullptr && is_of_library(*member))
      error(at, host_object_used(member->name, syntax_.at(member->type.name)));
  }

  void function_call(const Expression& each) {
    const Expression& callee = inside_parentheses(each.part(0));
    if (callee.kind == ExpressionKind::member) {
      library_member(callee.part(0), callee.at);
      const Class* const type = classes_.of(callee.part(0), callee.op == "->");
      if (type != nullptr && named(type->name) == type && !brings(*type, syntax_.at(callee.at)))
        call(callee.at, candidates(type->named(syntax_.at(callee.at))));
    } else if (callee.kind == ExpressionKind::name) {
      if (const Class* const type = class_of(callee)) return object_operator(*type, "operator()", each.at);
      const bool qualified = syntax_.is(callee.at - 1, "::");
      const bool own = !qualified && !is_local(callee.at);
      const Class* const type = qualified ? named(callee.at - 2) : own ? function_->of : nullptr;
      if (type != nullptr && !brings(*type, syntax_.at(callee.at)))
        call(callee.at, candidates(type->named(syntax_.at(callee.at))));
      else if (type == nullptr)
        arguments(each, callee.at);
    }
  }

  /// Examines a lambda. Its marks determine the side that runs its body; a lambda without marks runs on the
  /// side of the surrounding code.
  void lambda(const Expression& each) {
    const Side around = side_;
    const std::size_t outer = lambda_;
    if (side_ == Side::device) captured(each);
    for (std::size_t i = syntax_.after(each.begin); i < each.at; ++i) {
      if (syntax_.word(i) == Word::device) side_ = side_ == Side::both ? Side::both : Side::device;
      if (syntax_.word(i) == Word::host) side_ = Side::both;
    }
    lambda_ = each.begin;
    if (side_ != Side::both) body(each.at);
    lambda_ = outer;
    side_ = around;
  }
  /// Examines the captures `[=]` and `[a]`, which copy variables around the lambda.
  void captured(const Expression& lambda) {
    const std::size_t close = syntax_.after(lambda.begin) - 1;
    const auto copy = [&](std::size_t name) { copied(syntax_.tree().expression(name, name + 1), name); };
    for (std::size_t i = lambda.begin + 1; i < close; ++i)
      if (syntax_.is_name(i) && (syntax_.is(i - 1, "[") || syntax_.is(i - 1, ",")) &&
          (i + 1 == close || syntax_.is(i + 1, ",")))
        copy(i);
    if (!syntax_.is(lambda.begin + 1, "=")) return;
    std::unordered_set<std::size_t> known;
    for (std::size_t i = lambda.at; i < syntax_.after(lambda.at); ++i) {
      if (!syntax_.is_name(i) || !is_local(i) || syntax_.is(i - 1, ".") || syntax_.is(i - 1, "->")) continue;
      const std::size_t declared = syntax_.tree().scopes().meaning(i).declared;
      if (declared < lambda.begin && known.insert(declared).second) copy(i);
    }
  }

  /// Examines a returned value. If it is a local variable of the function, the compiler constructs it in its
  /// place, without a copy.
  void returned(const Expression& value) {
    const Declaration& found = function_->unit.declaration;
    if (side_ != Side::device || !syntax_.is_name(found.name) || syntax_.is(found.name - 1, "&") ||
        syntax_.is(found.name - 1, "*"))
      return;
    const Class* const type = named(name_of_type(syntax_, found.begin, found.name));
    const Expression& inside = inside_parentheses(value);
    if (type == nullptr || class_of(value) != type) return;
    if (inside.kind == ExpressionKind::name) {
      const std::size_t declared = syntax_.tree().scopes().meaning(inside.at).declared;
      if (declared == npos || declared > function_->unit.body) return;
    }
    copied(value, value.begin);
  }

  bool is_local(std::size_t name) const {
    const std::size_t declared = syntax_.tree().scopes().meaning(name).declared;
    return declared != npos && declared > function_->unit.declaration.parameters &&
           declared < function_->unit.end;
  }

  /// Returns true if the class has a declaration such as `using Base::f;`.
  bool brings(const Class& type, std::string_view name) const {
    for (std::size_t i = type.open; i < syntax_.after(type.open); ++i)
      if (syntax_.is(i, "::") && syntax_.is(i + 1, name) && syntax_.is(i + 2, ";")) return true;
    return false;
  }

  // ---- operators

  std::vector<Candidate> member_operators(const Class* type, const std::string& name) const {
    std::vector<Candidate> all;
    if (type != nullptr)
      for (const Method* const each : type->named("operator"))
        if (Candidate one = candidate(*each); one.name.ends_with("::" + name)) all.push_back(std::move(one));
    return all;
  }

  void object_operator(const Class& type, const std::string& name, std::size_t at) {
    if (type.bases.empty()) call(at, member_operators(&type, name));
  }

  void operation(const Expression& each) {
    const Class* const left = class_of(each.part(0));
    const Class* const right = each.parts.size() > 1 ? class_of(each.part(1)) : nullptr;
    const std::string name = "operator" + std::string(each.op);
    if ((left == nullptr && right == nullptr) || is_open(left) || is_open(right)) return;
    if (name == "operator=" && left != right) return;  // the compiler may generate this assignment
    const std::size_t operands = each.postfix ? 2 : each.parts.size();
    std::vector<Candidate> all;
    for (Candidate& one : member_operators(left, name))
      if (read_parameters(syntax_, one.parameters).size() + 1 == operands) all.push_back(std::move(one));
    bool fits = !all.empty();
    for (const Candidate& one : operators_) {
      if (one.name != name || read_parameters(syntax_, one.parameters).size() != operands) continue;
      for (const Class* const type : {left, right})
        fits = fits || (type != nullptr && syntax_.mentions(one.parameters, syntax_.after(one.parameters),
                                                            syntax_.at(type->name)));
      all.push_back(one);
    }
    if (fits) call(each.at, all);
  }

  /// Returns true if an object of the class may become an operand through another class: a base, or the
  /// target of a conversion.
  bool is_open(const Class* type) const {
    if (type == nullptr) return false;
    if (!type->bases.empty()) return true;
    return std::any_of(type->methods.begin(), type->methods.end(), [&](const Method& each) {
      return each.name == "operator" &&
             (syntax_.is_identifier(each.parameters - 1) || syntax_.is(each.parameters - 1, ">"));
    });
  }

  // ---- objects

  void variables(const Statement& each) {
    if (each.type_end <= each.type) return;
    const std::size_t type_name = name_of_type(syntax_, each.type, each.type_end);
    const Class* const type = named(type_name);
    for (const LocalName& name : each.names) {
      if (name.pointer || name.reference || name.array) continue;
      const bool listed = name.initialiser != npos && syntax_.is(name.initialiser, "{");
      if (name.initialiser != npos && !name.direct && !listed) {
        const Expression& value = syntax_.tree().expression(name.initialiser, name.initialiser_end);
        if (syntax_.is(type_name, "auto"))
          copied(value, name.name);
        else if (type != nullptr)
          made_of(*type, value, name.name);
        else if (is_arithmetic_type(syntax_.at(type_name)))
          converted(value, name.name);
      }
    }
    if (type == nullptr) return;
    for (const LocalName& name : each.names) {
      if (name.pointer || name.reference) continue;
      const bool listed = name.initialiser != npos && syntax_.is(name.initialiser, "{");
      if (name.initialiser == npos || name.direct || (listed && !name.array))
        construct(*type, name.initialiser, name.name);
      if (!type->constructors) continue;
      std::vector<Candidate> ends;
      for (const Constructor& one : *type->constructors)
        if (one.ends) ends.push_back(candidate(one.words, one.parameters, scope_of(*type) + "~"));
      call(name.name, ends);
    }
    if (!type->constructors) without_own_constructor(*type, each);
  }
  std::string scope_of(const Class& type) const { return std::string(syntax_.at(type.name)) + "::"; }

  /// Examines an object of a class that has bases but no constructor. The constructor that the compiler
  /// generates calls those of the bases.
  void without_own_constructor(const Class& type, const Statement& each) {
    if (syntax_.tree().functions().named(syntax_.at(type.name)) != nullptr) return;
    for (const LocalName& name : each.names)
      if (!name.pointer && !name.reference && name.initialiser == npos)
        for (const std::size_t base : type.bases)
          if (const Class* const found = named(base)) construct(*found, npos, name.name);
  }

  /// Examines the constructors of bases and members that a constructor in device code calls.
  void parts_of_object(const Function& maker) {
    const Declaration& found = maker.unit.declaration;
    if (maker.of == nullptr || syntax_.at(found.name) != syntax_.at(maker.of->name) ||
        syntax_.is(found.name - 1, "~") || !is_used(*maker.of))
      return;
    std::map<std::string_view, std::size_t>
        initialisers;  // their opening brackets, by the last word of a name
    for (std::size_t i = syntax_.after(found.parameters); i < maker.unit.body; ++i) {
      if (!syntax_.is(i, "(") && !syntax_.is(i, "{")) continue;
      initialisers[syntax_.at(i - 1)] = i;
      i = syntax_.after(i) - 1;
    }
    if (initialisers.count(syntax_.at(maker.of->name)) != 0) return;  // another constructor does it
    const auto part = [&](const Class* type, std::string_view name) {
      const auto own = initialisers.find(name);
      const std::size_t open = own == initialisers.end() ? npos : own->second;
      if (type != nullptr) construct(*type, open, open == npos ? found.name : open - 1);
    };
    for (const std::size_t base :
         maker.of->bases)  // nvcc only warns where arguments choose the base's constructor
      if (const auto own = initialisers.find(syntax_.at(base));
          own == initialisers.end() || syntax_.partner(own->second) == own->second + 1)
        part(named(base), syntax_.at(base));
    for (const DataMember& member : maker.of->members)
      if (initialisers.count(member.name) != 0 || !has_initialiser(*maker.of, member))
        part(class_of(member), member.name);
  }
  /// Returns true if the text may construct an object of the class. Otherwise nvcc doesn't compile a
  /// constructor that is defined in the class.
  bool is_used(const Class& type) const {
    for (std::size_t i = 0; i < syntax_.size(); ++i) {
      if (i == type.open) i = syntax_.after(type.open);
      if (i != type.name && syntax_.is(i, syntax_.at(type.name))) return true;
    }
    return false;
  }
  bool has_initialiser(const Class& type, const DataMember& member) const {
    for (std::size_t i = type.open; i < syntax_.after(type.open); ++i)
      if (syntax_.is(i, member.name) && (syntax_.is(i + 1, "=") || syntax_.is(i + 1, "{"))) return true;
    return false;
  }

  // ---- functions that the text does not name

  static bool is_variable(const Expression& each) {
    const ExpressionKind kind = inside_parentheses(each).kind;
    return kind == ExpressionKind::name || kind == ExpressionKind::member || kind == ExpressionKind::index ||
           (kind == ExpressionKind::unary && inside_parentheses(each).op == "*");
  }
  static bool is_number(const Expression& each) {
    return each.type.base == ValueType::Base::arithmetic && each.type.pointers + each.type.dimensions == 0;
  }

  /// Returns the constructors that copy an object, unless a template may fit better. A class without such a
  /// constructor copies its bases and members.
  std::vector<Candidate> copiers(const Class& type) const {
    std::vector<Candidate> found;
    if (!copies_itself(type)) {
      const auto add = [&](const Class* part) {
        if (part == nullptr || part == &type) return;
        const std::vector<Candidate> all = copiers(*part);
        if (found.empty() &&
            std::any_of(all.begin(), all.end(), [&](const Candidate& one) { return is_wrong(one); }))
          found = all;
      };
      for (const std::size_t base : type.bases) add(named(base));
      for (const DataMember& member : type.members) add(class_of(member));
      return found;
    }
    for (const Constructor& one : type.constructors.value_or(std::vector<Constructor>())) {
      if (one.words.template_) return {};
      const std::vector<Parameter> parameters = read_parameters(syntax_, one.parameters);
      if (!one.ends && !parameters.empty() && parameters[0].reference &&
          syntax_.mentions(parameters[0].begin, parameters[0].end, syntax_.at(type.name)))
        found.push_back(candidate(one.words, one.parameters, scope_of(type)));
    }
    return found;
  }
  bool copies_itself(const Class& type) const {
    for (std::size_t i = type.open; i < syntax_.after(type.open); ++i) {
      if (!syntax_.is(i, syntax_.at(type.name)) || !syntax_.is(i + 1, "(")) continue;
      const std::vector<Parameter> parameters = read_parameters(syntax_, i + 1);
      if (!parameters.empty() && parameters[0].reference &&
          syntax_.mentions(parameters[0].begin, parameters[0].end, syntax_.at(type.name)))
        return true;
    }
    return syntax_.mentions(type.open, syntax_.after(type.open), "template");
  }
  /// Examines a copy of an object that has a name. The compiler constructs objects without a name in their
  /// place.
  void copied(const Expression& value, std::size_t at) {
    const Class* const type = class_of(value);
    if (type != nullptr && is_variable(value)) call(at, copiers(*type));
  }

  /// Examines `T v = value`, or an argument for a parameter of class type T.
  void made_of(const Class& type, const Expression& value, std::size_t at) {
    if (class_of(value) == &type) return copied(value, at);
    if (!type.constructors) return;
    if (!is_number(value)) return;
    std::vector<Candidate> all;
    for (const Constructor& one : *type.constructors) {
      if (one.words.template_) return;
      if (one.ends) continue;
      const std::vector<Parameter> parameters = read_parameters(syntax_, one.parameters);
      if (parameters.empty() || (parameters.size() > 1 && parameters[1].default_begin == npos)) continue;
      all.push_back(candidate(one.words, one.parameters, scope_of(type)));
    }
    call(at, all);
  }

  /// Examines an object where a number is needed.
  void converted(const Expression& value, std::size_t at) {
    const Class* const type = class_of(value);
    if (type == nullptr || !type->bases.empty()) return;
    std::vector<Candidate> all;
    for (const Method& each : type->methods) {
      if (each.name != "operator") continue;
      const Candidate one = candidate(each);
      const std::size_t word = each.parameters - 1;
      if (syntax_.is_identifier(word) && syntax_.word(word) != Word::operator_ && !syntax_.is(word, "new") &&
          !syntax_.is(word, "delete"))
        all.push_back(one);
      else if (syntax_.is(word, "*") || syntax_.is(word, ">"))
        return;  // a conversion to a pointer, or to another class
    }
    call(at, all);
  }

  /// Examines the arguments of a call, if only one declaration fits the call.
  void arguments(const Expression& each, std::size_t name) {
    const auto* const all = syntax_.tree().functions().named(syntax_.at(name));
    if (side_ != Side::device || all == nullptr || is_local(name)) return;
    std::vector<std::vector<Parameter>> overloads;
    for (const OwnFunction& one : *all) {
      if (one.in_class || one.declaration.words.template_) return;
      overloads.push_back(read_parameters(syntax_, one.declaration.parameters));
    }
    if (overloads.size() > 1) return overloaded_arguments(each, overloads);
    const std::vector<Parameter>& parameters = overloads.front();
    for (std::size_t i = 0; i < parameters.size() && i + 1 < each.parts.size(); ++i) {
      const Parameter& to = parameters[i];
      if (to.pointers > 0 || to.array || to.rvalue || to.parenthesised || to.pack) continue;
      const std::size_t type_name = type_name_of(to);
      const Expression& value = each.part(i + 1);
      if (const Class* const type = named(type_name)) {
        const bool same = class_of(value) == type;
        if (value.kind == ExpressionKind::list)
          construct(*type, value.begin, value.begin);
        else if (!to.reference || (to.constant && !same))
          made_of(*type, value, value.begin);
      } else if (!to.reference && is_arithmetic_type(syntax_.at(type_name))) {
        converted(value, value.begin);
      }
    }
  }

  std::size_t type_name_of(const Parameter& to) const {
    return name_of_type(syntax_, to.begin, to.name == npos ? to.end : to.name - (to.reference ? 1 : 0));
  }
  /// Examines an argument that every function of the name takes by value, or can't take.
  void overloaded_arguments(const Expression& each, const std::vector<std::vector<Parameter>>& overloads) {
    for (std::size_t i = 0; i + 1 < each.parts.size(); ++i) {
      const Class* const type = class_of(each.part(i + 1));
      if (type == nullptr || is_open(type)) continue;
      std::size_t takers = 0;
      bool certain = true;
      for (const std::vector<Parameter>& parameters : overloads) {
        if (i >= parameters.size()) continue;
        const Parameter& to = parameters[i];
        const std::size_t type_name = type_name_of(to);
        if (to.pointers == 0 && !to.reference && !to.rvalue && named(type_name) == type)
          ++takers;
        else
          certain = certain && (to.pointers > 0 || is_arithmetic_type(syntax_.at(type_name)));
      }
      if (certain && takers > 0) copied(each.part(i + 1), each.part(i + 1).begin);
    }
  }

  /// Examines the operands of built-in operators, which take numbers.
  void operands(const Expression& each) {
    const std::string name = "operator" + std::string(each.op);
    const auto is_own = [&](const Class* type) {
      return type != nullptr && !member_operators(type, name).empty();
    };
    for (const Candidate& one : operators_)
      if (one.name == name) return;
    if (each.parts.size() == 1) {
      if (each.op != "&" && each.op != "*" && !is_own(class_of(each.part(0))))
        converted(each.part(0), each.at);
      return;
    }
    if (each.op == ",") return;
    const Expression &left = each.part(0), &right = each.part(1);
    if (is_number(left) && !is_own(class_of(right))) converted(right, each.at);
    if (each.kind == ExpressionKind::binary && is_number(right) && !is_own(class_of(left)))
      converted(left, each.at);
  }

  /// Returns the constructors that may create an object from the arguments after `open`; npos means no
  /// arguments.
  std::vector<const Constructor*> makers(const Class& type, std::size_t open) const {
    std::size_t count = 0;
    bool copies = false;
    if (open != npos && syntax_.partner(open) != npos && syntax_.partner(open) > open + 1) {
      const auto arguments = syntax_.arguments(open, syntax_.partner(open));
      count = arguments.size();
      const ValueType first = syntax_.tree().expression(arguments[0].first, arguments[0].second).type;
      copies =
          count == 1 && (first.base != ValueType::Base::arithmetic || first.pointers + first.dimensions > 0);
    }
    std::vector<const Constructor*> found;
    for (const Constructor& one : *type.constructors) {
      if (one.ends) continue;
      const std::vector<Parameter> parameters = read_parameters(syntax_, one.parameters);
      const auto needed = std::count_if(parameters.begin(), parameters.end(), [](const Parameter& each) {
        return each.default_begin == npos && !each.pack;
      });
      const bool any = one.words.template_ ||
                       syntax_.mentions(one.parameters, syntax_.after(one.parameters), "initializer_list") ||
                       syntax_.is(syntax_.after(one.parameters) - 2, "...");
      if (copies || any) return {};
      if (static_cast<std::size_t>(needed) <= count && count <= parameters.size()) found.push_back(&one);
    }
    return found;
  }

  void construct(const Class& type, std::size_t open, std::size_t at) {
    if (open != npos && syntax_.partner(open) != npos && syntax_.partner(open) > open + 1) {
      const auto given = syntax_.arguments(open, syntax_.partner(open));
      const Expression& first = syntax_.tree().expression(given[0].first, given[0].second);
      if (given.size() == 1 && class_of(first) == &type) return copied(first, at);
    }
    if (!type.constructors) return;
    std::vector<Candidate> all;
    for (const Constructor* const one : makers(type, open))
      all.push_back(candidate(one->words, one->parameters, scope_of(type)));
    call(at, all);
    const bool own = std::any_of(type.constructors->begin(), type.constructors->end(),
                                 [](const Constructor& one) { return !one.ends; });
    if (open != npos || own) return;
    for (const DataMember& member : type.members)  // the compiler's constructor calls theirs
      if (const Class* const part = class_of(member)) construct(*part, npos, at);
  }

  /// Warns about a shared variable with a constructor, since no thread runs the constructor.
  void shared_variables(const Statement& each) {
    if (side_ != Side::device || each.type_end <= each.type) return;
    const Class* const type = named(name_of_type(syntax_, each.type, each.type_end));
    if (type == nullptr || !type->constructors) return;
    const std::vector<const Constructor*> all = makers(*type, npos);
    if (all.size() != 1 || all.front()->words.constexpr_ || !does_something(*all.front())) return;
    for (const LocalName& name : each.names)
      if (!name.pointer && !name.reference)
        findings_.warning(syntax_, name.name,
                          "the constructor of the __shared__ variable '" +
                              std::string(syntax_.at(name.name)) +
                              "' does not run (#20054-D): let one thread assign it, then __syncthreads()");
  }
  /// Reports constructors of device variables, which do not run, either.
  void device_variables(std::size_t begin, std::size_t end) {
    for (const Unit& unit : units_of(syntax_, begin, end)) {
      const Words& words = unit.declaration.words;
      if (unit.kind == Unit::Kind::block) device_variables(unit.body + 1, syntax_.after(unit.body) - 1);
      if (unit.kind != Unit::Kind::other || unit.declaration.kind != Declaration::Kind::variable ||
          words.template_ || words.extern_ || !(words.device || words.constant || words.managed))
        continue;
      const VariableDeclaration found = read_variables(syntax_, unit.begin, unit.end);
      if (found.type.empty()) continue;
      const Class* const type = named(name_of_type(syntax_, found.type.front(), found.type.back() + 1));
      if (type == nullptr || !type->constructors) continue;
      const std::vector<Constructor>& all = *type->constructors;
      const bool runs = std::any_of(all.begin(), all.end(), [&](const Constructor& one) {
        return !one.words.constexpr_ && !one.words.template_ && does_something(one) &&
               (one.ends || read_parameters(syntax_, one.parameters).empty());
      });
      for (const Declarator& each : found.declarators)
        if (runs && each.name != npos && each.begin == each.name && each.initialiser == npos)
          error(each.name,
                "the variable '" + std::string(syntax_.at(each.name)) +
                    "' of the device needs a constant to begin with: no constructor or destructor of '" +
                    std::string(syntax_.at(type->name)) +
                    "' can run there; leave them out, or declare them constexpr");
    }
  }
  bool does_something(const Constructor& one) const {
    if (!one.initialisers.empty()) return true;
    for (std::size_t i = one.body; one.body != npos && i < syntax_.after(one.body); ++i)
      if (!syntax_.is(i, "{") && !syntax_.is(i, "}")) return true;
    return false;
  }

  /// Returns true for a static member, unless it is a constant.
  static bool is_of_host(const DataMember& member) {
    const Words& words = member.words;
    return words.static_ && !words.const_ && !words.constexpr_ && !words.device && !words.constant &&
           !words.managed;
  }
  void static_member(const Expression& each) {
    if (side_ != Side::device || !syntax_.is(each.at - 1, "::")) return;
    const Class* const type = named(each.at - 2);
    const DataMember* const member = type == nullptr ? nullptr : type->member(syntax_.at(each.at));
    if (member != nullptr && is_of_host(*member))
      error(each.at,
            "the host's member '" + scope_of(*type) + std::string(member->name) +
                "' is used in device code, where a GPU can't reach it: pass its value to the kernel");
  }

  // ---- virtual functions

  void overriding(const Class& derived) {
    for (const std::size_t base : derived.bases) {
      const Class* const found = named(base);
      if (found == nullptr) continue;
      for (const Method& above : found->methods)
        for (const Method& below : derived.methods)
          if (above.is_virtual && above.name != "operator" && signature(above) == signature(below) &&
              side_of(above.words) != side_of(below.words) && !above.words.constexpr_ &&
              !below.words.constexpr_)
            error(below.parameters - 1, "'" + candidate(below).name + "' is " + described(below) +
                                            ", but overrides '" + candidate(above).name + "', which is " +
                                            described(above) + ": declare both alike");
    }
  }
  static std::string described(const Method& method) {
    const Side side = side_of(method.words);
    return side == Side::host     ? "a __host__ function"
           : side == Side::device ? "a __device__ function"
                                  : "a __host__ __device__ function";
  }
  /// Returns the function's signature as it is written, without the names of parameters.
  std::string signature(const Method& method) const {
    std::string all(method.name);
    for (const Parameter& each : read_parameters(syntax_, method.parameters)) {
      all += ",";
      for (std::size_t i = each.begin; i < each.end; ++i)
        if (i != each.name) all += " " + std::string(syntax_.at(i));
    }
    return all + (syntax_.is(syntax_.after(method.parameters), "const") ? " const" : "");
  }

  const Syntax& syntax_;
  const LanguageOptions& options_;
  Compiled compiled_;
  const Classes& classes_;
  std::unordered_set<std::string_view> host_words_, device_words_;
  std::vector<Candidate> operators_;  ///< operators that are not members
  std::vector<Function> functions_;
  const Function* function_ = nullptr;  ///< the function that is examined
  Side side_ = Side::host;              ///< the side that runs it, or the lambda that is examined
  std::size_t lambda_ = npos;           ///< the `[` of that lambda; npos: none
  Findings findings_;
};

}  // namespace

Findings check_object_calls(const Syntax& syntax, const LanguageOptions& options) {
  bool classes = false;
  for (std::size_t i = 0; i < syntax.size() && !classes; ++i) classes = syntax.word(i) == Word::class_key;
  return classes ? ObjectCalls(syntax, options).run() : Findings();
}

}  // namespace emucc
