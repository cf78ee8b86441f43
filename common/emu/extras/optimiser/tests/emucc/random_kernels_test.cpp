// Tests that random kernels print the same output whether they are split at their barriers or run thread by
// thread.
//
// The kernels contain loops and branches, which all threads of the block or of a warp may or may not take
// together. They contain early returns, breaks, counting barriers, decisions of the block, variables of all
// lifetimes, shuffles and votes. These may be within functions, lambdas, tiles of cooperative groups, or
// functions that wait for the block (before or after the kernels, in a namespace or not). The last warp may
// be short.
//
// Some kernels have no races: between two barriers a thread writes only its own elements of shared memory. In
// other kernels, barriers are missing at any place, and threads use each other's elements in shared and
// global memory. Their results show the order in which threads ran, so that order must be the same, too.
//
// In some programs, control flow around barriers differs between threads, so threads are resumed one by one.
// In a part of these programs, it differs only in some blocks: there, loops begin at another number in each
// thread.
//
// FISSION_SEEDS=100 in the environment adds 100 to all seeds, so that kernels other than the usual ones are
// tested.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

namespace {

namespace fs = std::filesystem;

class Generator {
 public:
  /// @param races barriers are missing, and threads use each other's elements
  /// @param apart control flow around barriers may differ between threads; there are no warp functions
  /// @param turns it differs only because the counters of loops begin at different values
  Generator(unsigned seed, bool races, bool apart, bool turns)
      : random_(seed), races_(races), apart_(apart), turns_(turns) {}

  static std::string prototypes() {
    return "__device__ void g0(unsigned* to, const unsigned tid, unsigned value);\n"
           "template <int N, class T> __device__ T g1(T x, unsigned tid, unsigned n);\n"
           "__device__ unsigned g2(unsigned (&to)[64], unsigned tid, unsigned n, unsigned value = 7);\n";
  }

  /// Writes functions that all threads of a block call. g0 takes an array. g1 is a template with a
  /// `__shared__` variable of its own. g2 returns early and calls g1.
  std::string waiting_functions() {
    text_ = "__device__ void g0(unsigned* to, const unsigned tid, unsigned value) {\n";
    barrier("  ");
    text_ += "  to[tid] = value" + one_of({"", " + tid", " ^ 5u"}) + ";\n";
    barrier("  ");
    text_ += "}\ntemplate <int N, class T> __device__ T g1(T x, unsigned tid, unsigned n) {\n";
    text_ += "  constexpr int size = 2 * N;\n  __shared__ T own[size];\n  T sum = x;\n";
    text_ += "  for (unsigned d = 1; d < " + one_of({"N", "n % 5u", "4u + n % 3u"}) + "; d " +
             one_of({"*= 2", "+= 3"}) + ") {\n";
    barrier("    ");
    text_ += "    own[tid] = sum" + one_of({"", " * 3u"}) + ";\n";
    barrier("    ");
    text_ += "    sum += own[(tid + d) % 60];\n";
    if (pick(2) == 0) barrier("    "), text_ += "    if (sum % 3u == 1u) own[tid] = 3;\n";
    text_ += "  }\n";
    barrier("  ");
    text_ += "  return sum ^ x;\n}\n";
    text_ += "__device__ unsigned g2(unsigned (&to)[64], unsigned tid, unsigned n, unsigned value) {\n";
    text_ += "  if (n % 3u == 0u) return value;\n";
    text_ += "  const unsigned more = g1<32>(value, tid, n);\n";
    text_ += "  if (n % 4u == 1u) {\n    g0(to, tid, more);\n    return n;\n  }\n";
    text_ += "  value += more;\n  g0(to, tid, value);\n";
    text_ += "  return value + to[(tid + " + one_of({"n", "1"}) + ") % 60];\n}\n";
    return text_;
  }

  /// @param object the kernel has a parameter `op` whose type is a template's parameter; the kernel may call
  /// it
  std::string kernel(const std::string& name, bool object) {
    object_ = object;
    text_ = (object ? "template <class F> __global__ void " : "__global__ void ") + name +
            "(unsigned* out, unsigned n, unsigned m" + (object ? ", F op" : "") + ") {\n";
    text_ += "  __shared__ unsigned s[64], t[4][16];\n  __shared__ unsigned counts[3], state[4], sums[4];\n";
    text_ += "  const unsigned tid = threadIdx.x + threadIdx.y * blockDim.x;\n";
    text_ += "  const unsigned lane = tid % 32, warp = tid / 32;\n";
    text_ += "  unsigned v = tid * 3 + n, w = blockIdx.x, u = n, x = m + 1;\n";
    text_ += "  unsigned a[3] = {tid, n, 7};\n  unsigned late;\n  const Pair start(n + tid, v);\n";
    text_ +=
        "  if (tid < 3) counts[tid] = n;\n  if (tid < 4) sums[tid] = m;\n  s[tid] = v;\n  t[tid / 16][tid % "
        "16] = tid;\n";
    text_ += "  unsigned* const g = out + blockIdx.x * 64;\n";
    lambdas_ = false;
    if (pick(2) == 0) {
      text_ += "  auto plus = [&](unsigned k) { return " + value() + " + k; };\n";
      text_ += "  const auto fixed = [=](unsigned k) { return k * m + lane; };\n";
      text_ += "  auto put = [&](unsigned k) {\n    if (k % 3u == 2u) return;\n    " + mine() + " += k ^ " +
               value() + ";\n  };\n";
      text_ += "  auto swap = [](unsigned& p, unsigned& q) { const unsigned r = p; p = q + 1; q = r; };\n";
      lambdas_ = true;
    }
    tiles_ = !apart_ && pick(3) == 0;
    if (tiles_)
      text_ +=
          "  const cg::thread_block all = cg::this_thread_block();\n"
          "  const auto whole = cg::tiled_partition<32>(all);\n"
          "  const auto tile = cg::tiled_partition<8>(cg::tiled_partition<16>(all));\n";
    barrier("  ");
    loop_ = false;
    counters_ = 0;
    block(3, "  ");
    text_ += "  late = v ^ w;\n";
    barrier("  ");
    text_ +=
        "  g[tid] = late + start.sum() + v * 3 + w * 5 + u * 7 + x + a[0] + a[1] * a[2] + s[tid] + "
        "counts[tid % 3] + sums[tid % 4];\n}\n";
    return text_;
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  template <std::size_t N>
  std::string one_of(const char* const (&all)[N]) {
    return all[static_cast<std::size_t>(pick(N))];
  }

  /// Returns an expression with the same value for all threads.
  std::string uniform() {
    static constexpr const char* terms[] = {"n",          "m",  "u",         "x",       "blockIdx.x",
                                            "blockDim.x", "5u", "min(u, m)", "(u >> 2)"};
    std::string all = one_of(terms);
    while (pick(2) == 0) all = "(" + all + one_of({" + ", " * ", " ^ ", " % 7u + "}) + one_of(terms) + ")";
    return all;
  }
  /// Writes the condition of a branch or a loop around barriers.
  std::string decision() { return apart_ && !turns_ && pick(2) == 0 ? value() : uniform(); }
  /// Returns any value.
  std::string value() {
    static constexpr const char* terms[] = {"v",           "w",      "tid", "a[1]", "a[tid % 3]",
                                            "threadIdx.x", "s[tid]", "u",   "n",    "lane"};
    if (object_ && pick(8) == 0) return one_of({"op(v)", "op(tid)", "(op(w) + op.add)"});
    if (lambdas_ && pick(6) == 0) return one_of({"plus(tid)", "fixed(v)", "plus(fixed(u))"});
    std::string all = races_ && pick(3) == 0 ? others() : one_of(terms);
    while (pick(2) == 0) all = "(" + all + one_of({" + ", " * ", " ^ ", " - "}) + one_of(terms) + ")";
    return all;
  }
  /// Returns a value that other threads may use at the same time.
  std::string others() {
    return one_of({"s[(tid + 1) % 64]", "s[63 - tid]", "s[tid ^ 33]", "t[tid % 4][tid / 4]",
                   "g[(tid + 7) % 64]", "s[(tid + u) % 64]", "g[tid ^ 1]", "g[63 - tid]", "counts[tid % 3]"});
  }
  void barrier(const std::string& indent) {
    if (!races_ || pick(3) != 0) text_ += indent + "__syncthreads();\n";
  }
  /// Returns a variable that no other thread reads. The next function returns variables that other threads
  /// read after the next barrier.
  std::string own() { return one_of({"v", "w", "a[0]", "a[1]", "a[2]", "a[tid % 3]"}); }
  std::string mine() {
    if (races_ && pick(4) == 0) return others();
    return pick(7) == 0 ? "s[tid]" : own();
  }

  /// Writes a statement without barriers.
  void leaf(const std::string& indent) {
    if (pick(12) == 0) {
      text_ += indent + "for (const unsigned e : " + (races_ ? one_of({"a", "s", "counts"}) : "a") + ") " +
               mine() + " += e ^ " + value() + ";\n";
      return;
    }
    if (pick(12) == 0) {
      const std::string name = "k" + std::to_string(counters_++);
      text_ += indent + "const Pair " + name + "(" + value() + ", " + own() + ");\n";
      text_ += indent + mine() + " += " + name + ".sum();\n";
      return;
    }
    if (lambdas_ && pick(5) == 0) {
      text_ += indent + (pick(2) == 0 ? "put(" + value() : "swap(" + mine() + ", " + own()) + ");\n";
      return;
    }
    switch (pick(7)) {
      case 6: {  // any order of the threads gives the same result
        static constexpr const char* atomics[] = {"atomicAdd(&counts[0], ", "atomicMax(&counts[1], ",
                                                  "atomicXor(&counts[2], "};
        text_ += indent + one_of(atomics) + value() + ");\n";
        break;
      }
      case 0:
        text_ += indent + "if (" + value() + " % 3u == 1u) " + mine() + " += " + value() + ";\n";
        break;
      case 1:
        text_ += indent + "for (unsigned j = 0; j < " + value() + " % 4u; ++j) " + mine() + " ^= j + " +
                 value() + ";\n";
        break;
      case 2: {
        const std::string name = "k" + std::to_string(counters_++);
        text_ += indent + "const unsigned " + name + " = " + value() + ";\n" + indent + "v += " + name +
                 " >> 1;\n";
        break;
      }
      case 3:
        text_ += indent + "switch (" + value() + " % 3u) { case 0: " + mine() +
                 "++; break; case 1: w ^= 9; break; }\n";
        break;
      default:
        text_ += indent + mine() + one_of({" = ", " += ", " ^= "}) + value() + ";\n";
    }
  }

  /// Writes a loop whose iterations all threads may run together, one iteration after another, unless code in
  /// or around the loop shows the order of threads.
  void grid_stride_loop(const std::string& indent) {
    barrier(indent);
    const std::string i = "k" + std::to_string(counters_++);
    text_ += indent + "for (" + one_of({"unsigned ", "int "}) + i + " = blockIdx.x * 64 + tid; " + i +
             " < 300 + " + one_of({"n % 50", "tid * 3"}) + "; " + i +
             " += " + one_of({"gridDim.x * blockDim.x", "gridDim.x * 64", "16 * gridDim.x + tid"}) + ") {\n";
    for (int more = pick(3); more >= 0; --more) {
      text_ += indent + "  ";
      switch (pick(4)) {
        case 0:
          text_ += "atomicAdd(&sums[" + i + " % 4], " + i + ");\n";
          break;
        case 1:
          text_ += "if (" + i + " % 5u == 1u) atomicAdd(&sums[tid % 4], " + value() + ");\n";
          break;
        case 2:
          text_ += (pick(3) == 0 ? mine() : own()) + " ^= " + value() + " + " + i + ";\n";
          break;
        default:
          text_ += own() + " += " + i + " ^ " + value() + ";\n";
      }
    }
    text_ += indent + "}\n";
    barrier(indent);
  }

  /// Writes a loop around barriers whose counter begins at the thread's index. In some blocks all threads run
  /// the same number of iterations.
  void turns_loop(int depth, const std::string& indent) {
    const std::string i = "t" + std::to_string(counters_++);
    const std::string begin =
        one_of({"tid", "tid + n", "m + tid", "blockIdx.x * 64 + tid", "tid + 2 * blockIdx.x"});
    const int how = pick(4);
    const std::string type = how == 1 ? "int " : one_of({"unsigned ", "int "});  // it becomes negative
    text_ += indent + "for (" + type + i + " = ";
    switch (how) {
      case 0:
        text_ += "tid + " + one_of({"32", "n + 20", "60"}) + "; " + i + " > tid; " + i + " = tid + (" + i +
                 " - tid) / 2";
        break;
      case 1:
        text_ += begin + " + 130; " + i + one_of({" >= 60; ", " > 3; ", " >= 66; "}) + i +
                 one_of({" -= 64", " -= 20 * m"});
        break;
      default:
        text_ += begin + "; " + one_of({"192 > ", "n * 64 >= ", "100 + m > "}) + i + "; " + i +
                 one_of({" += 64", " += blockDim.x * blockDim.y", " += 30 + n"});
    }
    text_ += ") {\n";
    const bool loop = loop_;
    loop_ = false;
    block(depth - 1, indent + "  ");
    loop_ = loop;
    const std::string guard = one_of({" < 2 * (@ - tid)", " >= 40 + m", " < n * 9", " < 200 - (@ - tid)"});
    text_ += indent + "  if (" + i + guard.substr(0, guard.find('@')) +
             (guard.find('@') == guard.npos ? "" : i + guard.substr(guard.find('@') + 1)) + ") " + mine() +
             " += " + i + " ^ " + value() + ";\n";
    barrier(indent + "  ");
    text_ += indent + "  v += " + i + ";\n" + indent + "}\n";
  }

  void exchange(const std::string& indent) {
    barrier(indent);
    text_ += indent + own() + " += s[(tid + " + uniform() + ") % 64];\n";
    text_ += indent + "w ^= t[(tid + 5) % 4][tid % 16];\n";
    barrier(indent);
    text_ += indent + "s[tid] = " + value() + ";\n";
    if (pick(2) != 0) return;
    text_ += indent + "t[tid / 16][tid % 16] += v;\n";
    barrier(indent);
  }

  /// Writes a call of a function that waits for the block.
  void waiting_call(const std::string& indent) {
    barrier(indent);
    switch (pick(5)) {
      case 0:
        text_ += indent + "g0(s, tid, " + value() + ");\n";
        break;
      case 1:
        text_ += indent + own() + one_of({" = ", " += ", " ^= "}) + "g1<32>(v, tid, " + uniform() + ");\n";
        break;
      case 2: {
        const std::string name = "k" + std::to_string(counters_++);
        text_ += indent + "const unsigned " + name + " = g2(s, tid, " + uniform() + ", " + value() + ");\n";
        text_ += indent + "w ^= " + name + ";\n";
        break;
      }
      case 3:
        text_ += indent + "if (g2(s, tid, " + uniform() + ") % 3u == 1u) v += 3;\n";
        break;
      default:
        text_ += indent + "v = g1<32, unsigned>(g2(s, tid, n), tid, u) + w;\n";
    }
    barrier(indent);
  }

  /// Writes an operation that a warp's lanes perform together.
  void warp_call(const std::string& indent) {
    const std::string mask = one_of({"full", "0xffffffffu", "~0u"});
    const std::string width = pick(3) == 0 ? one_of({", 8", ", 16", ", 2"}) : "";
    switch (tiles_ ? pick(12) : pick(8)) {
      case 8:
        text_ += indent + one_of({"v", "w", "a[0]"}) + " += " +
                 one_of({"whole.shfl_down(", "tile.shfl_down(", "tile.shfl_up(", "whole.shfl_xor("}) +
                 value() + ", " + uniform() + " % 8u);\n";
        break;
      case 9:
        text_ += indent + "w ^= " +
                 one_of({"tile.ballot(", "whole.ballot(", "tile.any(", "whole.all(", "tile.match_any("}) +
                 value() + " % 3u == 1u) + " + one_of({"tile", "whole"}) +
                 one_of({".thread_rank()", ".meta_group_rank()", ".size()", ".meta_group_size()"}) + ";\n";
        break;
      case 10:
        text_ += indent + "v = cg::reduce(" +
                 one_of({"tile, ", "whole, ", "cg::tiled_partition<4>(tile), "}) + value() +
                 one_of({", cg::plus<unsigned>());\n", ", cg::bit_xor<unsigned>());\n"});
        break;
      case 11:
        text_ += indent + one_of({"tile.sync();\n", "whole.sync();\n", "cg::sync(tile);\n",
                                  "v ^= sum_of_tile(whole, w);\n", "w += sum_of_tile(tile, v);\n"});
        break;
      case 0:
        text_ += indent + mine() + " += __shfl_down_sync(" + mask + ", " + value() + ", " + uniform() +
                 " % 32u" + width + ");\n";
        break;
      case 1:
        text_ += indent + "v ^= __shfl_up_sync(" + mask + ", v, " + uniform() + " % 32u" + width + ") + 1;\n";
        break;
      case 2:
        text_ += indent + "w = max(w, __shfl_sync(" + mask + ", w, " + value() + " % 32u" + width + "));\n";
        break;
      case 3:
        text_ +=
            indent + "w += __popc(__ballot_sync(" + mask + ", " + value() + " % 3u == 0u)) << lane % 4;\n";
        break;
      case 4:
        text_ += indent + "if (" + one_of({"__any_sync", "__all_sync"}) + "(" + mask + ", " + value() +
                 " % 4u != 1u)) v += " + value() + ";\n";
        break;
      case 5:
        text_ += indent +
                 "a[0] ^= " + one_of({"__reduce_add_sync", "__reduce_min_sync", "__reduce_xor_sync"}) + "(" +
                 mask + ", " + value() + ");\n";
        break;
      case 6:
        text_ +=
            indent + mine() + " ^= " + one_of({"warp_sum(", "warp_last<unsigned>(full, "}) + value() + ");\n";
        break;
      default: {
        const std::string d = "d" + std::to_string(counters_++);
        text_ += indent + "for (int " + d + " = 16; " + d + " > 0; " + d + " /= 2) v += __shfl_xor_sync(" +
                 mask + ", v, " + d + ") ^ " + value() + ";\n";
      }
    }
  }

  /// Writes statements between two barriers, with control flow that each whole warp takes together.
  void warp_block(int depth, const std::string& indent) {
    for (int i = 1 + pick(3); i > 0; --i) {
      const std::string condition =
          one_of({"warp == 0u", "tid < 32u", "tid / 32 != m % 2u", "warp >= n % 3u", "n % 2u == warp"});
      switch (depth > 0 ? pick(tiles_ ? 10 : 8) : pick(5)) {
        case 8:
        case 9:
          parted(indent);
          break;
        case 0:
          leaf(indent);
          break;
        case 1:
          text_ += indent + "__syncwarp();\n";
          break;
        case 5:
        case 6:
          text_ += indent + "if (" + condition + ") {\n";
          warp_block(depth - 1, indent + "  ");
          text_ += indent + (pick(3) == 0 ? "} else {\n" + indent + "  v += 3;\n" + indent + "}\n" : "}\n");
          break;
        case 7: {
          const std::string r = "r" + std::to_string(counters_++);
          text_ += indent + "for (unsigned " + r + " = warp; " + r + " < 2u + " + uniform() + " % 4u; " + r +
                   " += 2) {\n";
          warp_block(depth - 1, indent + "  ");
          text_ += indent + "  w += " + r + ";\n" + indent + "}\n";
          break;
        }
        default:
          warp_call(indent);
      }
    }
  }

  /// Writes a branch around warp functions that only some lanes of a warp take.
  void parted(const std::string& indent) {
    const std::string q = "q" + std::to_string(counters_++);
    const bool low = pick(2) == 0;
    const std::string mask = low ? "0xffffu" : "0xff000000u";
    text_ += indent + "unsigned " + q + " = m;\n";
    text_ += indent + "if (whole.thread_rank() " + (low ? "< 16u" : ">= 8u * 3") + ") {\n";
    for (int i = 1 + pick(3); i > 0; --i) {
      const std::string d = "d" + std::to_string(counters_++);
      switch (pick(5)) {
        case 0:
          text_ += indent + "  v += __shfl_xor_sync(" + mask + ", " + value() + ", 4);\n";
          break;
        case 1:
          text_ += indent + "  for (int " + d + " = 4; " + d + " > 0; " + d +
                   " /= 2) w += __shfl_down_sync(" + mask + ", w, " + d + ", 8);\n";
          break;
        case 2:
          text_ += indent + "  " + own() + " = __ballot_sync(" + mask + ", " + value() + " % 3u == 1u);\n";
          break;
        case 3:
          text_ +=
              indent + "  __syncwarp(" + mask + ");\n" + indent + "  " + mine() + " += " + value() + ";\n";
          break;
        default:
          text_ += indent + "  " + q + " = n + 1;\n";
          leaf(indent + "  ");
      }
    }
    text_ += indent + "}" + (pick(2) == 0 ? " else { " + own() + " ^= " + value() + "; }\n" : "\n");
    text_ += indent + "v ^= " + q + ";\n";
  }

  /// Writes a counting barrier whose result decides for all threads.
  void vote(int depth, const std::string& indent) {
    const std::string call = one_of({"__syncthreads_or(", "__syncthreads_and(", "__syncthreads_count("}) +
                             value() + " % 5u " + one_of({"== 1u)", "!= 1u)", "< 3u)"});
    const bool loop = loop_;
    switch (pick(5)) {
      case 0:
        text_ += indent + one_of({"u", "x", "v"}) + one_of({" = ", " += "}) + call + ";\n";
        return;
      case 1:
        text_ += indent + call + ";\n";
        return;
      case 2:
        text_ += indent + "if (" + one_of({"", "u % 2u == 0u || ", "m > 2u && ", "!"}) + call + ") {\n";
        block(depth - 1, indent + "  ");
        text_ += indent + "}\n";
        return;
      default: {
        const std::string j = "j" + std::to_string(counters_++);
        text_ += indent + "unsigned " + j + " = " + value() + " % 4u;\n";
        const bool last = pick(2) == 0;
        const std::string condition = "(__syncthreads_" + one_of({"or(", "count("}) + j + " > 0))";
        text_ += indent + (last ? "do {\n" : "while " + condition + " {\n");
        loop_ = false;
        text_ += indent + "  if (" + j + " > 0) --" + j + ";\n";
        block(depth - 1, indent + "  ");
        loop_ = loop;
        text_ += indent + (last ? "} while " + condition + ";\n" : "}\n");
      }
    }
  }

  /// Writes a decision for all threads after a barrier: by a variable of the block, or by its place in global
  /// memory.
  void shared_decision(int depth, const std::string& indent) {
    // Other threads may write this value at any time, so it must not decide: threads would diverge, or a loop
    // might never end.
    const int form = apart_ ? 0 : pick(4);  // if a thread has left the loop, the loop might not end
    const std::string place =
        races_ || pick(8) != 0 ? "state[" : one_of({"out[blockIdx.x * 64 + ", "g[40 + "});
    const std::string state = place + std::to_string(depth) + "]", sync = indent + "__syncthreads();\n";
    text_ +=
        sync + indent + "if (tid == " + one_of({"0", "7", "m"}) + ") " + state + " = " + value() + " % 4u;\n";
    text_ += sync;
    const bool loop = loop_;
    const std::string name = std::to_string(counters_++);
    loop_ = false;
    switch (form) {
      case 0:
        text_ += indent + "if (" + state + one_of({" != 1u", " > m % 3u", " % 2u == 0u"}) + ") {\n";
        block(depth - 1, indent + "  ");
        text_ += indent + "}\n";
        break;
      case 1:
        text_ += indent + "while (" + state + " > 0u) {\n";
        block(depth - 1, indent + "  ");
        text_ += "  " + sync + indent + "  if (tid == 0) --" + state + ";\n  " + sync + indent + "}\n";
        break;
      case 2:
        text_ += indent + "const unsigned q" + name + " = " + state + ";\n";
        barrier(indent);
        text_ += indent + one_of({"x += q", "if (q"});
        if (text_.back() == 'q' && text_[text_.size() - 2] == '(') {
          text_ += name + " % 2u == 1u) {\n";
          block(depth - 1, indent + "  ");
          text_ += indent + "}\n";
        } else {
          text_ += name + ";\n";
        }
        break;
      default:
        text_ +=
            indent + "for (unsigned p" + name + " = 0; p" + name + " < " + state + "; ++p" + name + ") {\n";
        block(depth - 1, indent + "  ");
        text_ += indent + "}\n";
    }
    loop_ = loop;
    text_ += sync;
  }

  void block(int depth, const std::string& indent) {
    for (int i = 2 + pick(3); i > 0; --i) statement(depth, indent);
  }

  void statement(int depth, const std::string& indent) {
    const bool loop = loop_;
    if (turns_ && depth > 0 && pick(4) == 0) return turns_loop(depth, indent);
    switch (depth > 0 ? pick(18) : pick(6)) {
      case 17:
        return grid_stride_loop(indent);
      case 14:
        return apart_ ? leaf(indent) : vote(depth, indent);
      case 15:
      case 16:
        return shared_decision(depth, indent);
      case 13:
        return waiting_call(indent);
      case 0:
      case 1:
        return exchange(indent);
      case 12:
      case 3:
        return apart_ ? leaf(indent) : warp_block(2, indent);
      case 2:
        if (pick(4) == 0) text_ += indent + "if (" + uniform() + " % 3u != 1u)\n  ";
        text_ += indent + one_of({"u", "x"}) + one_of({" = ", " += ", " ^= "}) + uniform() + ";\n";
        return;
      case 6:
        text_ += indent + "if (" + decision() + " % 2u == 0u) {\n";
        block(depth - 1, indent + "  ");
        text_ += indent + "}";
        if (pick(2) == 0) {
          text_ += " else {\n";
          block(depth - 1, indent + "  ");
          text_ += indent + "}";
        }
        text_ += "\n";
        return;
      case 7:
      case 8: {
        const std::string i = "i" + std::to_string(counters_++);
        text_ +=
            indent + "for (unsigned " + i + " = 0; " + i + " < 1 + " + decision() + " % 3u; ++" + i + ") {\n";
        text_ += indent + "  const unsigned at" + i + " = " + i + " * 7 + tid;\n";
        loop_ = true;
        block(depth - 1, indent + "  ");
        loop_ = loop;
        text_ += indent + "  v += at" + i + ";\n" + indent + "}\n";
        return;
      }
      case 9: {
        const std::string i = "i" + std::to_string(counters_++);
        text_ += indent + "unsigned " + i + " = 2;\n" + indent + "while (" + i + " > 0) {\n";
        loop_ = false;  // since `continue` would skip the decrement
        block(depth - 1, indent + "  ");
        loop_ = loop;
        text_ += indent + "  " + i + " >>= 1;\n" + indent + "}\n";
        return;
      }
      case 10:
        if (loop_)
          text_ += indent + "if (" + decision() + " % 5u == 0u) " + one_of({"break", "continue"}) + ";\n";
        else if (pick(3) == 0)
          text_ += indent + "if (tid > 40 + " + value() + " % 16u) return;\n";
        return;
      default:
        return leaf(indent);
    }
  }

  std::mt19937 random_;
  const bool races_, apart_, turns_;
  std::string text_;
  bool loop_ = false, tiles_ = false, lambdas_ = false, object_ = false;
  int counters_ = 0;
};

std::string program(unsigned seed, bool races, bool apart, bool turns, int kernels) {
  std::string text =
      "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n#include <cstdio>\n"
      "namespace cg = cooperative_groups;\n"
      "template <class Group> __device__ unsigned sum_of_tile(const Group& group, unsigned x) {\n"
      "  for (int d = group.size() / 2; d > 0; d /= 2) x += group.shfl_down(x, d);\n"
      "  return x + group.thread_rank();\n}\n"
      "constexpr unsigned full = 0xffffffffu;\n"
      "struct Pair {\n  unsigned first, second;\n"
      "  __device__ Pair(unsigned a, unsigned b) : first(a), second{a ^ b} { if (a % 2 == 0) first += "
      "threadIdx.x; }\n"
      "  __device__ unsigned sum() const { return first + 3 * second; }\n};\n"
      "struct Hash {\n  unsigned add;\n"
      "  __device__ unsigned operator()(unsigned x) const { return x * 9 + add + threadIdx.y; }\n};\n"
      "__device__ unsigned warp_sum(unsigned x) {\n"
      "  for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(full, x, d);\n"
      "  return x;\n}\n"
      "template <class T> __device__ T warp_last(unsigned mask, T x) {\n"
      "  const T least = warp_sum(x) % 5u;\n"
      "#pragma unroll\n"
      "  for (unsigned d = 1; d < warpSize; d <<= 1) {\n"
      "    const T other = __shfl_up_sync(mask, x, d);\n"
      "    if (threadIdx.x % 32 >= d) x += other + least;\n  }\n"
      "  return __shfl_sync(mask, x, 31) ^ x;\n}\n";
  // The functions may be in a namespace, and may come after the kernels.
  const std::string begin = seed % 3 != 0 ? "namespace tools {\n" : "", end = seed % 3 != 0 ? "}\n" : "";
  const std::string functions = begin + Generator(seed, races, apart, turns).waiting_functions() + end;
  const bool below = seed % 3 == 2;
  text += begin + Generator::prototypes() + end + (end.empty() ? "" : "using namespace tools;\n");
  if (!below) text += functions;
  for (int i = 0; i < kernels; ++i)
    text += Generator(seed * 1000 + static_cast<unsigned>(i), races, apart, turns)
                .kernel("k" + std::to_string(i), i % 4 == 1);
  if (below) text += functions;
  text += "int main() {\n  unsigned* out;\n  unsigned host[192];\n  cudaMalloc(&out, sizeof host);\n";
  for (int i = 0; i < kernels; ++i) {
    const char* const shapes[] = {"dim3(16, 4)", "64", "dim3(20, 3)"};
    text += "  cudaMemset(out, 0, sizeof host);\n  k" + std::to_string(i) + "<<<3, " + shapes[i % 3] +
            ">>>(out, " + std::to_string(3 + i % 5) + ", " + std::to_string(1 + i % 7) +
            (i % 4 == 1 ? ", Hash{5}" : "") + ");\n";
    text += "  if (cudaMemcpy(host, out, sizeof host, cudaMemcpyDefault) != cudaSuccess) return 1;\n";
    text += "  for (unsigned i = 0; i < 192; ++i) printf(\"%u%c\", host[i], i % 16 == 15 ? '\\n' : ' ');\n";
  }
  return text + "}\n";
}

std::string read(const fs::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// The parameters of kernels (see Generator).
struct Making {
  unsigned seed;
  bool races, apart, turns = false;
};
void PrintTo(const Making& making, std::ostream* out) {
  *out << "seed " << making.seed << (making.races ? ", with races" : "") << (making.apart ? ", apart" : "")
       << (making.turns ? " by turns" : "");
}
class RandomKernels : public testing::TestWithParam<Making> {};

TEST_P(RandomKernels, PrintTheSameEitherWay) {
  constexpr int kernels = 25;
  const char* const more = std::getenv("FISSION_SEEDS");
  const unsigned seed = GetParam().seed + (more != nullptr ? static_cast<unsigned>(std::atoi(more)) : 0U);
  const bool races = GetParam().races, apart = GetParam().apart, turns = GetParam().turns;
  const std::string source = program(seed, races, apart, turns, kernels);
  std::string pattern = (fs::temp_directory_path() / "emucc-fission-XXXXXX").string();
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  const fs::path folder = pattern;
  std::ofstream(folder / "k.cu") << source;
  const std::string emucc = (fs::path(KIT_BINARY_DIR) / "bin" / "emucc").string();
  const std::string enter = "cd '" + pattern + "' && ";
  // g++'s optimiser takes most of a build's time. So only two seeds test that optimised kernels print the
  // same output. The reference runs the threads one by one, and need not be fast.
  const std::string optimised = GetParam().seed % 5 == 0 ? "" : " -O0";
  const std::string build = enter + "'" + emucc + "' -v -keep --dump=fission" + optimised +
                            " k.cu -o split > steps 2> notes && '" + emucc +
                            "' --no-fission -O0 k.cu -o fibers && ./split > a";
  ASSERT_EQ(std::system(build.c_str()), 0) << source;
  // The host compiler must have accepted the split kernels.
  EXPECT_EQ(read(folder / "notes").find("since this failed"), std::string::npos) << source;
  const std::string split = read(folder / "a");
  std::string fibers;
  // If the machine pauses for some milliseconds, a thread seems to wait and is interrupted.
  for (int tries = 0; tries < 3 && fibers != split; ++tries) {
    ASSERT_EQ(std::system((enter + "./fibers > b").c_str()), 0) << source;
    fibers = read(folder / "b");
  }
  EXPECT_EQ(split, fibers) << source;
  EXPECT_GT(std::count(split.begin(), split.end(), '\n'), kernels * 10);
  // Many kernels must really be split or resumed.
  const std::string notes = read(folder / "notes");
  const std::string how = turns   ? "where all take the same turns"
                          : apart ? "' runs as a loop over the threads of a block, each from"
                                  : "' runs as loops";
  int whole = 0;
  for (std::size_t at = 0; (at = notes.find(how, at)) != std::string::npos; ++at) ++whole;
  EXPECT_GT(whole, turns ? 0 : apart ? kernels / 4 : kernels / 5) << notes;
  // Some loops must be interchanged.
  EXPECT_TRUE(apart || races || read(folder / "steps").find("all one turn") != std::string::npos) << source;
  if (HasFailure()) std::printf("The kernels are in %s/k.cu\n", pattern.c_str());
  if (!HasFailure()) fs::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomKernels,
                         testing::Values(Making{1, false, false}, Making{2, false, false},
                                         Making{3, false, false}, Making{4, true, false},
                                         Making{5, true, false}, Making{6, true, false},
                                         Making{7, false, true}, Making{8, true, true},
                                         Making{9, false, true, true}, Making{10, true, true, true}));

}  // namespace
