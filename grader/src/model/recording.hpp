/// @file
/// How one element of an array came by its value, as plain data: who wrote it, where and when, and what that thread had read.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace grader {

/// An element as people write it: P[2][3].
struct ElementName {
  std::string array;
  std::vector<std::size_t> indices;
  std::string text() const {
    std::string out = array;
    for (const std::size_t index : indices) out += "[" + std::to_string(index) + "]";
    return out;
  }
};

/// A value that a thread read. Values are texts: "1.5", "nan".
struct RecordedRead {
  ElementName element;
  bool shared = false;
  std::string value;
  std::string file;  ///< of the submission where it is one of its files
  unsigned line = 0;
  std::vector<unsigned> put_by;       ///< in shared memory the thread that wrote it; empty: not known
  std::optional<ElementName> copied;  ///< in shared memory the element of a global array that was put there
  bool never_written = false;         ///< fresh memory: what is there is nobody's
};

struct RecordedWrite {
  std::uint64_t number = 0;  ///< 1 for the first
  std::string by;            ///< "thread", "atomic" (a thread's atomic update), "copy", "fill"
  std::uint64_t launch = 0;  ///< of a copy the launches before it
  std::string kernel;
  std::vector<unsigned> grid_dim, block_dim, block, thread;
  std::string file;
  unsigned line = 0;
  std::string value;
  std::vector<RecordedRead> reads;  ///< since the thread's write before, or since its block began; in order
  std::uint64_t left_out = 0;       ///< reads beyond what is kept
};

/// Who wrote the element beside one that nobody wrote.
struct RecordedNeighbour {
  ElementName element;
  std::vector<unsigned> block, thread;
  std::string file;
  unsigned line = 0;
};

/// Of an element that should be a sum of products M[i][k] · N[k][j]: which of them its thread read, and what else.
struct RecordedTerms {
  ElementName left, right;                                   ///< of k = 0
  std::size_t count = 0;                                     ///< how many there should be
  std::vector<std::size_t> missing, repeated;                ///< by k
  std::vector<std::pair<ElementName, ElementName>> foreign;  ///< products that don't belong there
  bool whole() const { return missing.empty() && repeated.empty() && foreign.empty(); }
};

struct Recording {
  std::string case_id;
  std::vector<std::string> args;
  ElementName element;
  std::vector<std::size_t> shape;         ///< of its array; empty: not known
  std::string expected;                   ///< what it should be; empty: not known
  bool right = false;                     ///< where that is known: the last value is the expected one
  std::uint64_t launches = 0, count = 0;  ///< of all launches; of all writes
  std::vector<RecordedWrite> writes;      ///< the last ones
  std::vector<RecordedNeighbour> neighbours;
  std::optional<RecordedTerms>
      terms;  ///< of a wrong element of a product of two matrices, where most were seen
};

}  // namespace grader
