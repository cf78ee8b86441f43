// The options in CUEMU_COUNTERS: `CUEMU_COUNTERS=json=counters.json,quiet`.
#pragma once

#include <cstddef>
#include <string>

namespace cuemu::counters {

struct Options {
  std::string json;        ///< file to write; empty: none
  bool quiet = false;      ///< prints no table
  std::size_t lines = 20;  ///< maximum number of lines of each kernel in the table
  std::size_t blocks = 0;  ///< maximum number of blocks of a launch that run and are counted; 0: all
};

/// Returns the options, read once from the environment. An unknown option ends the program with a message.
const Options& options();

}  // namespace cuemu::counters
