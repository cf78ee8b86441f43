/// @file
/// Finds the variables of a kernel that are uniform for the block, and the variables that follow from
/// threadIdx.
#pragma once
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "facts/lambdas.hpp"
#include "facts/nonblocking.hpp"
#include "parse/expression.hpp"
#include "parse/statements.hpp"

namespace emucc {

/// A parameter of a kernel, or a variable that is declared where all threads of a block pass together.
struct KernelVariable {
  enum class Kind {
    uniform,  ///< one variable for the block
    index,    ///< follows from threadIdx and uniform values, and never changes, so it can be computed again;
              ///< or a reference to an element with such an index, or a lambda, both of which can be created
              ///< again
    kept,     ///< separate for each thread, and outlives a phase
    local,    ///< separate for each thread, and lives in one phase
    shared,   ///< `__shared__`
    group,    ///< a thread_block of cooperative groups
  };
  Kind kind = Kind::uniform;
  std::string name;
  const Statement* declared = nullptr;  ///< null: a parameter
  const LocalName* local = nullptr;     ///< null: a parameter
  bool pointer = false, array = false, reference = false;
  std::size_t type = 0, type_end = 0;  ///< tokens that spell the type, with `*` and `&` of a parameter
  bool constant = false;               ///< a `const` number: no reference can change it
  bool restricted = false;             ///< a `__restrict__` pointer that is a parameter
  bool computable = false;             ///< follows from threadIdx and uniform values, and never changes
  bool address_taken = false;          ///< code that does not name the variable may change it
  bool escapes = false;                ///< the address may outlive the statement that takes it
  std::size_t begin = 0, end = 0;      ///< tokens between which the name means this variable
  std::size_t region = 0;              ///< see Uniformity::add_statement; there "all threads" means a warp's
  std::vector<std::size_t> writes;     ///< tokens of the name where it changes, other than its declaration
  bool of_warp = false;                ///< uniform, but its initialiser follows from the warp's number
  std::vector<std::size_t> needs;      ///< variables that the initialiser depends on
};
using VariableKind = KernelVariable::Kind;

/// The memory that may be read once for all threads of a block, if no thread writes the memory meanwhile.
enum class Once {
  nothing,
  shared,  ///< `__shared__` variables, by their names
  memory,  ///< also all other memory that isn't `volatile`
};
struct OnceRead {
  std::size_t token;       ///< identifies the read
  std::size_t begin, end;  ///< the expression that contains the read
};

/// Analyses the tokens [begin, end) of a kernel's body with the added variables.
class Uniformity {
 public:
  Uniformity(const Syntax& syntax, std::size_t begin, std::size_t end, const KnownNames& names)
      : syntax_(syntax), names_(names), begin_(begin), end_(end) {}

  std::vector<KernelVariable>& variables() { return variables_; }
  const std::vector<KernelVariable>& variables() const { return variables_; }

  /// Adds the assignment `i = 1`, `i += 1` or `++i` in [begin, end), which all threads execute together.
  /// Ignores other text.
  /// @param region the number of a part of the kernel that warps run one after another; 0 outside such a
  /// part. If a variable is written in a region, the variable can be uniform only if the region also declares
  /// it, because then each warp has one variable of its own.
  void add_statement(std::size_t begin, std::size_t end, std::size_t region = 0);
  /// Adds a part of a loop's header, perhaps several assignments with commas between.
  void add_header(std::size_t begin, std::size_t end, std::size_t region = 0);

  /// Marks these tokens (OnceRead::token) as reads that may differ between threads.
  void set_unsteady(const std::set<std::size_t>& reads) { unsteady_ = reads; }
  void set_once(Once once) { once_ = once; }

  /// Computes the results. Must be called after all variables and assignments have been added. Returns false
  /// if two variables in scope together have the same name.
  bool solve();

  /// Returns the variable that the token names; npos if it names none.
  std::size_t owner(std::size_t token) const;
  /// Returns the lambda that the variable holds, if any.
  std::optional<Lambda> lambda(std::size_t variable) const;
  /// Returns true if the expression has the same value in all threads.
  bool is_uniform(std::size_t begin, std::size_t end) const { return is_pure(begin, end, Pure::uniform); }
  /// Returns true if an expression that may read memory (Once) at a uniform address is uniform, provided that
  /// no thread of the block writes there between the previous barrier and the next one. PhaseOrder proves
  /// this condition, and its caller passes the reads for which it fails to set_unsteady().
  bool is_uniform_at_once(std::size_t begin, std::size_t end) const {
    return is_pure(begin, end, Pure::at_once);
  }
  /// Returns the parts of such an expression that read memory.
  std::vector<OnceRead> once_reads(const Expression& expression) const;
  /// Returns true if the expression contains a read that set_unsteady() marked.
  bool reads_unsteady(std::size_t begin, std::size_t end) const;
  /// Returns true if the expression follows from threadIdx and uniform values alone.
  bool is_computable(std::size_t begin, std::size_t end) const { return is_pure(begin, end, Pure::index); }
  /// Returns true for `const T& r`: no write uses this name.
  bool is_const_reference(const KernelVariable& variable) const;
  /// Returns true if the variable can be computed again wherever it is in scope.
  bool is_index(const KernelVariable& variable) const;
  /// Returns true if [begin, end) consists of assignments to uniform variables.
  bool assigns_uniformly(std::size_t begin, std::size_t end) const;

 private:
  struct Assignment {
    std::size_t name;
    const Expression* value;  ///< null for `++i`
    std::size_t region = 0;
  };
  std::vector<Assignment> assignments(std::size_t begin, std::size_t end) const;
  enum class Pure {
    uniform,
    at_once,  ///< uniform, if each `__shared__` variable is read once for all threads
    index,    ///< follows from threadIdx and uniform values
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
