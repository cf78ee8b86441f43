/// @file
/// The expected output of lab0: one line for each thread of the grid, in any order.
///
///     oracle inputs --seed N --dir D [options]     nothing to draw
///     oracle expect --dir D [options]              D/expected.txt, by --grid and --block
///     oracle judge --facts FILE                    whether the lines were printed
#include <lab/args.hpp>
#include <lab/oracle.hpp>

#include <fstream>
#include <sstream>

#include "lines.hpp"

namespace {

constexpr std::int64_t most_lines =
    256;  // with more threads the program launches a kernel that prints nothing

/// Three numbers; numbers that are left out are 1.
std::vector<std::int64_t> extents(const lab::Args& args, const char* option) {
  std::vector<std::int64_t> numbers = args.integers(option, 3, 1, most_lines);
  numbers.resize(3, 1);
  return numbers;
}

void expect(const lab::OracleRequest& request) {
  lab::Args args("oracle expect", "the lines that a grid prints");
  args.option("grid", "X,Y,Z", "blocks of the grid", "2,1")
      .option("block", "X,Y,Z", "threads of a block", "1,2,4");
  std::vector<const char*> words = {"oracle"};
  for (const std::string& word : request.arguments) words.push_back(word.c_str());
  args.parse(static_cast<int>(words.size()), words.data());
  const std::vector<std::int64_t> grid = extents(args, "grid"), block = extents(args, "block");
  if (grid[0] * grid[1] * grid[2] * block[0] * block[1] * block[2] > most_lines) {
    lab::usage_error("oracle expect: more than " + std::to_string(most_lines) + " threads print nothing.");
  }

  std::ofstream file(request.path("expected.txt"));
  for (std::int64_t block_z = 0; block_z < grid[2]; ++block_z) {  // the lines do not show block_z
    for (std::int64_t block_y = 0; block_y < grid[1]; ++block_y) {
      for (std::int64_t block_x = 0; block_x < grid[0]; ++block_x) {
        for (std::int64_t z = 0; z < block[2]; ++z) {
          for (std::int64_t y = 0; y < block[1]; ++y) {
            for (std::int64_t x = 0; x < block[0]; ++x) {
              file << "Hello World! I am a thread with BlockID: {" << block_x << ", " << block_y
                   << "}, ThreadID: {" << x << ", " << y << ", " << z << "}\n";
            }
          }
        }
      }
    }
  }
  file.close();
  if (!file) lab::usage_error("oracle expect: can't write " + request.path("expected.txt") + ".");
}

lab::Judgement judge(const lab::JudgeRequest& request) {
  std::ostringstream expected;
  std::ifstream file(request.expected);
  if (!file) lab::usage_error("oracle judge: " + request.expected + " can't be read.");
  expected << file.rdbuf();
  return lab::judge_lines(request.printed(), expected.str(), request);
}

}  // namespace

int main(int argc, char** argv) {
  return lab::run_oracle(
      argc, argv, [](const lab::OracleRequest&) {}, expect, judge);
}
