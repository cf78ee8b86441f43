/// @file
/// How one element of an array got its value, as plain data: the thread that wrote it, the place and time, and that
/// thread's reads.
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
  std::vector<unsigned> put_by;  ///< for shared memory, the thread that wrote it; empty: unknown
  std::optional<ElementName>
      copied;                  ///< for shared memory, the element of a global array that was stored there
  bool never_written = false;  ///< fresh memory, which no thread wrote
};

struct RecordedWrite {
  std::uint64_t number = 0;  ///< 1 for the first
  std::string by;            ///< "thread", "atomic" (a thread's atomic update), "copy", "fill"
  std::uint64_t launch = 0;  ///< for a copy, the number of launches before it
  std::string kernel;
  std::vector<unsigned> grid_dim, block_dim, block, thread;
  std::string file;
  unsigned line = 0;
  std::string value;
  std::vector<RecordedRead> reads;  ///< since the thread's previous write, or since its block began; in order
  std::uint64_t left_out = 0;       ///< reads that were dropped
};

/// The writer of an element next to an unwritten one.
struct RecordedNeighbour {
  ElementName element;
  std::vector<unsigned> block, thread;
  std::string file;
  unsigned line = 0;
};

/// For an element that should be a sum of products M[i][k] · N[k][j]: the products whose factors its thread read, and
/// foreign products.
struct RecordedTerms {
  ElementName left, right;                                   ///< for k = 0
  std::size_t count = 0;                                     ///< expected number of products
  std::vector<std::size_t> missing, repeated;                ///< by k
  std::vector<std::pair<ElementName, ElementName>> foreign;  ///< products that don't belong to it
  bool whole() const { return missing.empty() && repeated.empty() && foreign.empty(); }
};

struct Recording {
  std::string case_id;
  std::vector<std::string> args;
  ElementName element;
  std::vector<std::size_t> shape;  ///< of its array; empty: unknown
  std::string expected;            ///< the right value; empty: unknown
  bool right = false;              ///< whether the expected value is known and the last value equals it
  std::string in_result;           ///< the result's value in its place, if only the result is wrong
  std::uint64_t launches = 0, count = 0;  ///< of all launches; of all writes
  std::vector<RecordedWrite> writes;      ///< the last ones
  std::vector<RecordedNeighbour> neighbours;
  std::optional<RecordedTerms>
      terms;  ///< for a wrong element of a product of two matrices, if most terms were read
};

}  // namespace grader
