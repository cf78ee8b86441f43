/// @file
/// Which variables of a kernel have the same value in all threads of a block,
/// and which follow from threadIdx.
#pragma once
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "analyse/lambdas.hpp"
#include "analyse/nonblocking.hpp"
#include "parse/expression.hpp"
#include "parse/statements.hpp"

namespace emucc {

/// A parameter of a kernel, or a variable that is declared where all threads of a block come by together.
struct KernelVariable {
  enum class Kind {
    uniform,  ///< the same for all threads: one for the block
    index,    ///< follows from threadIdx and uniform values, and never changes: can be computed again; or a
              ///< reference to an element whose index does; or a lambda, which can be made again
    kept,     ///< each thread's own, and outlives a phase
    local,    ///< each thread's own, and lives in one phase
    shared,   ///< `__shared__`
    group,    ///< a thread_block of cooperative groups
  };
  Kind kind = Kind::uniform;
  std::string name;
  const Statement* declared = nullptr;  ///< null: a parameter
  const LocalName* local = nullptr;     ///< null: a parameter
  bool pointer = false, array = false, reference = false;
  std::size_t type = 0, type_end = 0;  ///< tokens that spell its type, with `*` and `&` of a parameter
  bool constant = false;               ///< a number that is `const`: a reference to it changes nothing
  bool restricted = false;             ///< a `__restrict__` pointer that is a parameter
  bool computable = false;             ///< follows from threadIdx and uniform values, and never changes
  bool address_taken = false;          ///< something may change it that does not name it
  bool escapes = false;                ///< and that may outlive the statement that takes its address
  std::size_t begin = 0, end = 0;      ///< tokens between which the name means this variable
  std::size_t region = 0;  ///< see Uniformity::add_statement; there "all threads" are those of a warp
  std::vector<std::size_t> writes;  ///< tokens of the name where it changes, other than where it is declared
  bool of_warp = false;             ///< uniform, but begins with what follows from the warp's number
  std::vector<std::size_t> needs;   ///< and that is computed from these
};
using VariableKind = KernelVariable::Kind;

/// What may be read once for all threads of a block, where nobody writes it meanwhile.
enum class Once {
  nothing,
  shared,  ///< `__shared__` variables, by their names
  memory,  ///< and whatever else is not `volatile`
};
struct OnceRead {
  std::size_t token;       ///< by which the read is known
  std::size_t begin, end;  ///< the expression that reads
};

/// The tokens [begin, end) of a kernel's body, seen with the variables that were added.
class Uniformity {
 public:
  Uniformity(const Syntax& syntax, std::size_t begin, std::size_t end, const KnownNames& names)
      : syntax_(syntax), names_(names), begin_(begin), end_(end) {}

  std::vector<KernelVariable>& variables() { return variables_; }
  const std::vector<KernelVariable>& variables() const { return variables_; }

  /// Adds the assignment `i = 1`, `i += 1` or `++i` that [begin, end) is, and that all threads execute
  /// together; anything else is ignored.
  /// @param region the part of the kernel that warps run one after another, 0 outside of them. What is written
  ///        there is the same for all threads only where it was declared there: it exists once for a warp.
  void add_statement(std::size_t begin, std::size_t end, std::size_t region = 0);
  /// The same for a part of a loop's header, which may hold several with commas between.
  void add_header(std::size_t begin, std::size_t end, std::size_t region = 0);

  /// Of these tokens (OnceRead::token) it is known that not all threads may read the same there.
  void set_unsteady(const std::set<std::size_t>& reads) { unsteady_ = reads; }
  void set_once(Once once) { once_ = once; }

  /// To be called when all variables and assignments are known. False where two variables in scope together
  /// have the same name.
  bool solve();

  /// The variable that the token names, or npos.
  std::size_t owner(std::size_t token) const;
  /// The lambda that the variable stands for, if it does.
  std::optional<Lambda> lambda(std::size_t variable) const;
  /// Has the expression the same value in all threads?
  bool is_uniform(std::size_t begin, std::size_t end) const { return is_pure(begin, end, Pure::uniform); }
  /// The same for an expression that may read memory (Once) by an address that is uniform: it has one value for all
  /// threads of the block if none writes there between the barriers before and behind. That is for others to prove
  /// (PhaseOrder), and what it is disproved for they tell by set_unsteady().
  bool is_uniform_at_once(std::size_t begin, std::size_t end) const {
    return is_pure(begin, end, Pure::at_once);
  }
  /// What of such an expression reads memory.
  std::vector<OnceRead> once_reads(const Expression& expression) const;
  /// Does the expression read what set_unsteady() told of?
  bool reads_unsteady(std::size_t begin, std::size_t end) const;
  /// Does the expression follow from threadIdx and uniform values alone?
  bool is_computable(std::size_t begin, std::size_t end) const { return is_pure(begin, end, Pure::index); }
  /// `const T& r`: nothing changes by that name.
  bool is_const_reference(const KernelVariable& variable) const;
  /// May the variable be computed again wherever it is in scope?
  bool is_index(const KernelVariable& variable) const;
  /// Does [begin, end) consist of assignments to uniform variables?
  bool assigns_uniformly(std::size_t begin, std::size_t end) const;

 private:
  struct Assignment {
    std::size_t name;
    const Expression* value;  ///< null: `++i`
    std::size_t region = 0;
  };
  std::vector<Assignment> assignments(std::size_t begin, std::size_t end) const;
  enum class Pure {
    uniform,
    at_once,  ///< uniform, with `__shared__` variables
    index,    ///< from threadIdx and what is uniform
  };
  bool is_pure(std::size_t begin, std::size_t end, Pure what) const;
  bool is_pure(const Expression& node, Pure what) const;
  bool are_pure(const Expression& node, std::size_t first, Pure what) const;
  bool is_pure_name(const Expression& name, Pure what, bool element) const;
  bool is_shared_read(const Expression& name, bool element) const;
  bool is_memory_read(const Expression& node) const;
  bool may_read_once(const Expression& node, Pure what) const;
  bool is_pure_element(const Expression& node, Pure what) const;
  bool is_alias(const KernelVariable& variable) const;
  bool refers_to_element(const KernelVariable& variable) const;
  bool runs_constructor(const KernelVariable& variable) const;
  bool is_made_again(const KernelVariable& variable, const Lambda& lambda) const;
  static bool changes_within(const KernelVariable& changed, const KernelVariable& other);
  std::string element_type(const KernelVariable& variable) const;
  bool find_owners();
  bool writes_together(const KernelVariable& variable) const;
  void demote_what_differs();
  void find_indices();
  bool demote_within_warps();

  const Syntax& syntax_;
  const KnownNames& names_;
  const std::size_t begin_, end_;
  std::vector<KernelVariable> variables_;
  std::vector<Assignment> assignments_;
  std::vector<std::size_t> owners_;  // by token, from begin_ on
  std::set<std::size_t> unsteady_;
  Once once_ = Once::shared;
};

}  // namespace emucc
