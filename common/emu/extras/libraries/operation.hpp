// Calls of CUDA's libraries whose work another library of this machine does: OpenBLAS for cuBLAS, FFTW for
// cuFFT.
//
// A call becomes a kernel of one thread, so that streams, captured graphs, profiles and the checker treat it
// as a kernel. Its work runs on one OS thread of the libraries, which may access device memory. The stack of
// a CUDA thread is too small for the work.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "driver_types.h"

namespace cuemu::library {

/// The elements of a matrix that are used: all, or one triangle with its diagonal.
enum class Shape { full, lower, upper };
enum class Access { reads, writes, updates };

/// An operand. It has columns of `rows` elements of `element` bytes; `leading` is the distance of columns in
/// elements.
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
  /// Declares memory of which unknown parts are used. Only its existence is checked.
  Uses& storage(const char* name, const void* at, std::size_t bytes, Access access);
  const std::vector<Use>& all() const { return all_; }

 private:
  std::vector<Use> all_;
};

/// Records where the user called the library on this host thread. Each function of a library constructs this
/// first.
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
  /// Operands that are known only on the device: memory to which arrays of pointers point.
  std::function<Uses()> more_uses;
  std::function<void()> work;
  /// The user's device code, which the kernel's thread runs before and after the work.
  std::function<void()> before{}, after{};
};

/// Queues the operation of the calling function (Call). If an operand is outside device memory, the operation
/// stops with cudaErrorIllegalAddress, as on a GPU, and prints a sentence.
cudaError_t submit(cudaStream_t stream, Operation operation);

/// Returns a function of a shared library of this machine, or null. @param library "libopenblas.so.0"
void* find_function(const char* library, const std::string& name);
/// Whether the library is installed. If not, prints once which package to install.
/// @param title "cuBLAS"  @param package "libopenblas0"
bool is_present(const char* library, const char* title, const char* package);

}  // namespace cuemu::library
