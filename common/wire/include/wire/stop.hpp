/// @file
/// Why and where the emulation stopped a kernel, and the CUDA error that ended a program. These are facts without
/// sentences. README.md of common/wire has an example of each line.
#pragma once
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "json.hpp"

namespace kit_wire {

/// A line of a source file; an empty file name means that the line is unknown.
struct Place {
  std::string file;
  int line = 0;
  bool known() const { return !file.empty(); }
};

/// Returns a place as people read it: "kernel.cu:41".
inline std::string words_of(const Place& place) {
  return place.known() ? place.file + ":" + std::to_string(place.line) : std::string();
}

enum class Reason {
  time_limit,  ///< it ran longer than allowed
  deadlock,    ///< threads wait for other threads that never arrive
  access,      ///< a read or write of memory that the kernel may not access
  fault,       ///< a fault of the processor that is not an access: a division by zero, a stack overflow
  called,      ///< a device function stopped it: __trap(), assert(), a library's kernel
  no_memory    ///< there was no memory for its threads
};
inline constexpr const char* reason_names[] = {"time_limit", "deadlock", "access",
                                               "fault",      "called",   "no_memory"};

/// The activity of a thread when its kernel was stopped.
enum class Doing { block_barrier, warp, tile, grid, cluster, polling, computing };
inline constexpr const char* doing_names[] = {"block_barrier", "warp",    "tile",     "grid",
                                              "cluster",       "polling", "computing"};

template <class Enumerator>
constexpr const char* name_in(const char* const* names, Enumerator value) {
  return names[static_cast<std::size_t>(value)];
}

/// Threads of a block that do the same thing at the same line.
struct ThreadGroup {
  unsigned threads = 0;
  Doing doing = Doing::computing;
  unsigned mask = 0;  ///< the lanes that meet at a warp's barrier; 0: unknown
  unsigned first[3] = {0, 0, 0};
  Place place;
};

/// The threads of one block.
struct BlockState {
  unsigned block[3] = {0, 0, 0};
  unsigned threads = 0;    ///< number of all threads
  unsigned not_begun = 0;  ///< number of threads that have not begun
  unsigned returned = 0;   ///< number of threads that have returned
  std::vector<ThreadGroup> groups;
};

/// The thread that was running when its kernel was stopped.
enum class Who {
  none,   ///< the stop belongs to no block
  block,  ///< an unknown thread of this block
  thread
};

struct Stop {
  std::string kernel;
  Reason reason = Reason::called;
  std::string why;  ///< for people: the end of a sentence that begins with the thread's name; never searched
  int error = 0;    ///< CUDA's number
  unsigned grid[3] = {0, 0, 0}, block_dim[3] = {0, 0, 0};
  Who who = Who::none;
  unsigned block[3] = {0, 0, 0}, thread[3] = {0, 0, 0};
  bool thread_hidden = false;  ///< the thread is unknown because of the form in which the code was compiled
  bool was_running = false;    ///< the time limit found that thread in the kernel's code, at `place`
  Place place;                 ///< where that thread was
  std::vector<BlockState> blocks;  ///< waiting threads; the block at fault comes first
  std::size_t more_blocks = 0;     ///< waiting blocks that are not listed
  std::size_t children = 0;        ///< grids that wait for the end of this kernel, which launched them
};

/// The CUDA error that ended a lab's program.
struct CudaError {
  int error = 0;      ///< CUDA's number
  std::string text;   ///< CUDA's text for it
  std::string call;   ///< the call's text in the source, or "kernel launch"
  Place place;        ///< place of the call
  std::string cause;  ///< a sentence for people, with its full stop; empty: no cause is known; never searched
};

/// Returns the activity in words that follow the number of threads: "7 of 8 threads wait at __syncthreads()".
inline const char* words_of(Doing doing) {
  switch (doing) {
    case Doing::block_barrier:
      return "wait at __syncthreads()";
    case Doing::warp:
      return "wait for their warp";
    case Doing::tile:
      return "wait for others of a tile or a numbered barrier";
    case Doing::grid:
      return "wait for the grid";
    case Doing::cluster:
      return "wait for the cluster";
    case Doing::polling:
      return "wait in a loop for memory to change";
    case Doing::computing:
      break;
  }
  return "compute, or wait in a loop for memory to change";
}

namespace detail {

inline Object& add_place(Object& to, const Place& place) {
  return place.known() ? to.add("file", place.file).add("line", place.line) : to;
}

inline std::string json_of(const ThreadGroup& group) {
  Object object;
  object.add("threads", group.threads).add("doing", name_in(doing_names, group.doing));
  if (group.mask != 0) object.add("mask", group.mask);
  return add_place(object.add("first", group.first), group.place).text();
}

inline std::string json_of(const BlockState& state) {
  return Object()
      .add("block", state.block)
      .add("threads", state.threads)
      .add("not_begun", state.not_begun)
      .add("returned", state.returned)
      .json("groups", json_array(state.groups, [](const ThreadGroup& group) { return json_of(group); }))
      .text();
}

}  // namespace detail

inline std::string stop_line(const Stop& stop) {
  Object object;
  object.add("kind", "stop")
      .add("kernel", stop.kernel)
      .add("reason", name_in(reason_names, stop.reason))
      .add("why", stop.why)
      .add("error", stop.error)
      .add("grid", stop.grid)
      .add("block_dim", stop.block_dim);
  if (stop.who != Who::none) object.add("block", stop.block);
  if (stop.who == Who::thread) object.add("thread", stop.thread);
  if (stop.thread_hidden) object.add("thread_hidden", true);
  if (stop.was_running) object.add("was_running", true);
  detail::add_place(object, stop.place);
  if (!stop.blocks.empty())
    object.json("blocks",
                json_array(stop.blocks, [](const BlockState& state) { return detail::json_of(state); }));
  if (stop.more_blocks != 0) object.add("more_blocks", stop.more_blocks);
  if (stop.children != 0) object.add("children", stop.children);
  return object.text();
}

inline std::string cuda_error_line(const CudaError& error) {
  Object object;
  object.add("kind", "cuda_error").add("error", error.error).add("text", error.text).add("call", error.call);
  detail::add_place(object, error.place);
  if (!error.cause.empty()) object.add("cause", error.cause);
  return object.text();
}

}  // namespace kit_wire
