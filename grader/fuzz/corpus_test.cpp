// Inputs found by fuzzing, and a valid one of each kind, through the same functions: milliseconds, with any compiler.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "targets.hpp"

namespace grader::fuzz {
namespace {

namespace fs = std::filesystem;

class Corpus : public ::testing::TestWithParam<Target> {};

TEST_P(Corpus, IsReadOrRefused) {
  const fs::path folder = fs::path(KIT_SOURCE_DIR) / "grader/fuzz/corpus" / GetParam().name;
  int inputs = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path());
    std::ostringstream bytes;
    bytes << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    const std::string text = bytes.str();
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_NO_THROW(run(GetParam(), text));
    // Every prefix must be read or refused alike.
    for (std::size_t part = 1; part < 8; ++part)
      EXPECT_NO_THROW(run(GetParam(), text.substr(0, text.size() * part / 8)));
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(taken.count(), 10);
    ++inputs;
  }
  EXPECT_GT(inputs, 0);
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  EXPECT_LT(use.ru_maxrss, 1'500'000) << "KiB";
}

INSTANTIATE_TEST_SUITE_P(Of, Corpus, ::testing::ValuesIn(targets()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace grader::fuzz
