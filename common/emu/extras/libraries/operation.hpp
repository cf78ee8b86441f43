// Calls of libraries whose work is done by another library of this machine: cuBLAS by OpenBLAS, cuFFT by FFTW.
//
// A call becomes a kernel of one thread, so that streams, captured graphs, profiles and the checker treat it as a
// kernel. Its work runs on one OS thread of the libraries, since a CUDA thread's stack is too small for them; that OS
// thread may access device memory.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "driver_types.h"

namespace cuemu::library {

/// The elements of a matrix that are used: all, or one triangle with the diagonal.
enum class Shape { full, lower, upper };
enum class Access { reads, writes, updates };

/// An operand: columns of `rows` elements of `element` bytes, `leading` elements from one column to the next.
struct Use {
  const char* name;  ///< its name in the library's manual
  const void* at;
  std::size_t element, rows, columns, leading;
  Shape shape;
  Access access;
  bool whole;  ///< every element is used, so that the checker may record all elements
};

class Uses {
 public:
  Uses& matrix(const char* name, const void* at, std::size_t element, std::size_t rows, std::size_t columns,
               std::size_t leading, Access access, Shape shape = Shape::full);
  /// @param stride in elements; if negative, the vector begins at the other end, as in BLAS
  Uses& vector(const char* name, const void* at, std::size_t element, std::size_t n, std::ptrdiff_t stride,
               Access access);
  /// Memory of which unknown parts are used. It is only checked whether the memory exists.
  Uses& storage(const char* name, const void* at, std::size_t bytes, Access access);
  const std::vector<Use>& all() const { return all_; }

 private:
  std::vector<Use> all_;
};

/// Records where the user called the library on this host thread. Constructed first in each function of a library.
class Call {
 public:
  Call(const char* name, const void* from);
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  static const char* name();
  static const void* from();

 private:
  const char* outer_name_;
  const void* outer_from_;
};

/// A call's operation in its stream.
struct Operation {
  Uses uses;
  /// Uses that are only known on the device: memory to which arrays of pointers lead.
  std::function<Uses()> more_uses;
  std::function<void()> work;
  /// The user's device code, which the kernel's thread runs before and after the work.
  std::function<void()> before{}, after{};
};

/// Queues the calling function's operation (Call). Operands outside device memory stop the operation with
/// cudaErrorIllegalAddress, as on a GPU, and with a sentence.
cudaError_t submit(cudaStream_t stream, Operation operation);

/// A function of a shared library of this machine, or null. @param library "libopenblas.so.0"
void* find_function(const char* library, const std::string& name);
/// Whether the library is installed. If not, prints once which package to install.
/// @param title "cuBLAS"  @param package "libopenblas0"
bool is_present(const char* library, const char* title, const char* package);

}  // namespace cuemu::library
