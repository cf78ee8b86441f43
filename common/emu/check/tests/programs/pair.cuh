// A source of pairs: each pair is one mistake, with a similar twin that is right.
//
//     // pair: lost_update
//     // exact: race @count,@count count
//     __global__ void tally(int* count, bool wrong) {
//       if (wrong)
//         *count += 1;  // @count
//       else
//         atomicAdd(count, 1);
//     }
//     PAIR(lost_update) { … tally<<<4, 64>>>(count, wrong); … }
//
// The expectations of the wrong program follow `// pair: NAME`. The right program must have no findings at all.
//
//     // exact: RULE LINE,LINE ARRAY   this finding; together they are all findings. A line is `@label`,
//                                      the line of this pair that ends with `// @label`;
//                                      `-` stands for no line, no array
//     // first: RULE LINE,LINE ARRAY   this finding is reported before all others
//     // contains: TEXT                the report has these words
//     // lacks: TEXT                   the report has not
//     // hint: TEXT                    a hint has these words, and the right one is the wrong one with what the
//                                      hint says: so it is proved that the finding goes away
//     // missing: NAME                a finding lacks this, as its JSON names it: `block-barrier`
//     // error: TEXT                   the program fails by itself, and its messages have these words
//     // g++ only                      with clang++ the mistake is not seen
//
// `program NAME wrong` and `program NAME right` run one of the two programs.
#pragma once

#include <cstdio>
#include <cstring>

struct RegisteredPair {
  const char* name;
  void (*run)(bool wrong);
  RegisteredPair* next;
  static inline RegisteredPair* first = nullptr;
  RegisteredPair(const char* name_, void (*run_)(bool)) : name(name_), run(run_), next(first) {
    first = this;
  }
};

#define PAIR(NAME)                                            \
  static void run_##NAME(bool wrong);                         \
  static RegisteredPair registered_##NAME(#NAME, run_##NAME); \
  static void run_##NAME([[maybe_unused]] bool wrong)

/// Memory of the device for a pair: `count` zeros, which are freed at the end of the scope.
template <class T>
struct Zeros {
  explicit Zeros(int count) {
    cudaMalloc(&data, count * sizeof(T));
    cudaMemset(data, 0, count * sizeof(T));
    cudaDeviceSynchronize();
  }
  ~Zeros() {
    cudaDeviceSynchronize();
    cudaFree(data);
  }
  Zeros(const Zeros&) = delete;
  Zeros& operator=(const Zeros&) = delete;
  operator T*() const { return data; }
  T* data = nullptr;
};

int main(int count, char** arguments) {
  for (RegisteredPair* pair = RegisteredPair::first; count == 3 && pair != nullptr; pair = pair->next)
    if (std::strcmp(pair->name, arguments[1]) == 0) {
      pair->run(std::strcmp(arguments[2], "wrong") == 0);
      return 0;
    }
  std::fprintf(stderr, "usage: program PAIR wrong|right\n");
  return 2;
}
