// minmatrix.h: declarations for the sources of this lab.
//
//   minmatrix.cu            main: reads, copies, reduces, and times each step
//   reader_stream.cpp       a reader by std::ifstream >>, as the report had it
//   reader_parallel.cpp     a reader for all cores: mapped file, a parser for each part (level 3)
//   minmatrix_layout.h      where number p of matrix k lies in the array
//   minmatrix_report.cu     the report's two kernels, launched in rounds
//   minmatrix_segments.cu   the same array, segment by segment (level 2)
//   minmatrix_expert.cu     the array as the file has it, in one pass (level 3)
#ifndef MINMATRIX_H
#define MINMATRIX_H

#include <cstddef>
#include <memory>

// How the numbers of m matrices of n × n lie in memory.
//   kept         as in the file, matrix after matrix: (m, n * n)
//   transposed   all first numbers, then all second numbers …: (n * n, m)
enum class Layout { kept, transposed };

// Matrices in host memory. The array is not initialised before the file is read, so that the reading threads
// are the first to touch its pages.
struct Matrices {
  int m = 0;                      // how many
  int n = 0;                      // of n × n numbers
  std::unique_ptr<int[]> values;  // m * n * n numbers

  int numbers() const { return n * n; }  // of one matrix
  std::size_t count() const { return std::size_t(m) * n * n; }
};

// Largest m * n * n: 4 GiB of numbers. An int counts them all.
constexpr std::size_t MOST_NUMBERS = std::size_t{1} << 30;

// Read the matrices of a text file. An error in the file ends the program with a message.
//   readParallel uses `threads` threads.
Matrices readStream(const char* path, int n, Layout layout);
Matrices readParallel(const char* path, int n, Layout layout, int threads);

// Room for `count` numbers, or for the file's matrices; ends the program when there is none.
Matrices roomFor(const char* path, long long m, int n);

// Launch the kernels that leave the minimum of m matrices in `out`, element by element. All arrays are
// device memory.
//   out       (n * n), written
//   scratch   (scratchSize(m, n * n)), written
//   values    (m * n * n): transposed for the first two; overwritten by the first one
void minimumReport(int* out, int* scratch, int* values, int m, int numbers);
void minimumSegments(int* out, int* scratch, const int* values, int m, int numbers);
void minimumExpert(int* out, const int* values, int m, int numbers);

// Threads of a block of the report's kernels, and how many numbers such a block reduces to one.
constexpr int THREADS = 1024;
constexpr int SECTION = 2 * THREADS;

// Sections that cover `count` numbers. The division rounds up: 2049 numbers are two sections.
constexpr int sectionsFor(int count) {
  return count / SECTION + (count % SECTION != 0);
}

constexpr std::size_t scratchSize(int m, int numbers) {
  return std::size_t(numbers) * sectionsFor(m);
}

#endif
