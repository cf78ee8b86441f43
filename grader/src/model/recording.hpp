/// @file
/// How one element of an array got its value, as plain data: the thread that wrote it, where and when, and
/// what that thread read.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace grader {

/// An element in the form P[2][3].
struct ElementName {
  std::string array;
  std::vector<std::size_t> indices;
  std::string text() const {
    std::string out = array;
    for (const std::size_t index : indices) out += "[" + std::to_string(index) + "]";
    return out;
  }
};

/// A value that a thread read. Values are text: "1.5", "nan".
struct RecordedRead {
  ElementName element;
  bool shared = false;
  std::string value;
  std::string file;  ///< relative to the submission for its own files
  unsigned line = 0;
  std::vector<unsigned> put_by;  ///< shared memory: the thread that wrote the value; empty: unknown
  std::optional<ElementName>
      copied;                  ///< shared memory: the element of a global array whose value was stored there
  bool never_written = false;  ///< whether it is fresh memory that no thread wrote
};

struct RecordedWrite {
  std::uint64_t number = 0;  ///< 1 for the first write
  std::string by;            ///< "thread", "atomic" (a thread's atomic update), "copy", "fill"
  std::uint64_t launch = 0;  ///< for a copy, the number of launches before it
  std::string kernel;
  std::vector<unsigned> grid_dim, block_dim, block, thread;
  std::string file;
  unsigned line = 0;
  std::string value;
  std::vector<RecordedRead> reads;  ///< in order, since the thread's previous write or the start of its block
  std::uint64_t left_out = 0;       ///< reads that were dropped
};

/// A written element beside an element that was never written.
struct RecordedNeighbour {
  ElementName element;
  std::vector<unsigned> block, thread;
  std::string file;
  unsigned line = 0;
};

/// Describes an element that should be a sum of products M[i][k] · N[k][j]: the products whose factors its
/// thread read, and products that don't belong to the sum.
struct RecordedTerms {
  ElementName left, right;                                   ///< the factors for k = 0
  std::size_t count = 0;                                     ///< expected number of products
  std::vector<std::size_t> missing, repeated;                ///< values of k
  std::vector<std::pair<ElementName, ElementName>> foreign;  ///< products that don't belong to it
  bool whole() const { return missing.empty() && repeated.empty() && foreign.empty(); }
};

struct Recording {
  std::string case_id;
  std::vector<std::string> args;
  ElementName element;
  std::vector<std::size_t> shape;  ///< shape of its array; empty: unknown
  std::string expected;            ///< the right value; empty: unknown
  bool right = false;              ///< whether the expected value is known and the last value equals it
  std::string in_result;           ///< the element's value in the result, if only the result is wrong
  std::uint64_t launches = 0, count = 0;  ///< number of all launches, and of all writes to the element
  std::vector<RecordedWrite> writes;      ///< the last writes
  std::vector<RecordedNeighbour> neighbours;
  std::optional<RecordedTerms>
      terms;  ///< for a wrong element of a product of two matrices, if most terms were read
};

}  // namespace grader
