// Tests tables with the real program: with peers, as a search, interrupted and resumed, and all tables at
// once.
#include <gmock/gmock.h>

#include <map>
#include <string>
#include <vector>

#include "small_kit.hpp"

#include "base/filesystem.hpp"

namespace grader {
namespace {

using ::testing::HasSubstr;
using testing::Ran;
using testing::small_program;

/// A kit with peers in the lab.toml of its lab, and with a second lab, whose solution computes the same
/// result in another way.
fs::path kit_with_peers(const fs::path& folder, const std::string& peers) {
  const fs::path kit = testing::write_small_kit(folder);
  const std::string toml = testing::small_lab_toml();
  testing::write_file(kit / "labs/lab9.1-double/lab.toml", toml + peers);
  std::string other = toml;
  other.replace(other.find("lab9.1"), 6, "lab9.2");
  testing::write_file(kit / "labs/lab9.2-double/lab.toml", other);
  testing::write_file(kit / "labs/lab9.2-double/README.md", "# The same by addition\n");
  testing::write_file(kit / "labs/lab9.2-double/oracle/oracle.cpp", testing::small_oracle);
  testing::write_file(kit / "solutions/lab9.2-double/double.cu",
                      small_program("if (i < n) y[i] = x[i] + x[i];"));
  testing::write_file(kit / "labs/lab9.1-double/peer/wrong.cu", small_program("if (i < n) y[i] = 3 * x[i];"));
  testing::write_file(kit / "labs/lab9.1-double/peer/broken.cu", small_program("y[i] = z;"));
  return kit;
}

constexpr const char* other_lab = "\n[[peer]]\nname = \"other\"\ntitle = \"By addition\"\nlab = \"lab9.2\"\n";
constexpr const char* wrong_peer = "\n[[peer]]\nname = \"wrong\"\ntitle = \"Wrong\"\nsource = \"wrong.cu\"\n";
constexpr const char* broken_peer =
    "\n[[peer]]\nname = \"broken\"\ntitle = \"Broken\"\nsource = \"broken.cu\"\n";

std::size_t samples(const nlohmann::json& table, std::size_t row, std::size_t column) {
  return table["rows"][row]["cells"][column]["samples"].size();
}

TEST(TableBesidePeers, TakesASampleOfEachInTurn) {
  const testing::TemporaryFolder folder;
  const testing::User user(kit_with_peers(folder.path(), other_lab));
  const Ran ran = user.grader({"table", "lab9.1", "--peer", "--solution", "--backend", "emu", "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  const auto table = ran.json();
  EXPECT_EQ(table["id"], "sizes-peers");
  ASSERT_EQ(table["columns"].size(), 3u);
  EXPECT_EQ(table["columns"][1]["title"], "By addition");
  for (std::size_t row = 0; row < 2; ++row) {
    for (std::size_t column = 0; column < 3; ++column) EXPECT_EQ(samples(table, row, column), 2u);
    const auto& cells = table["rows"][row]["cells"];
    const double own = cells[0]["samples"][1], peer = cells[1]["samples"][1], speed = cells[2]["samples"][1];
    EXPECT_DOUBLE_EQ(speed, peer / own) << "the ratio of samples that were taken one after the other";
  }
  const Ran again = user.grader({"table", "lab9.1", "--peer", "--backend", "emu", "--last"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("×"));
}

TEST(TableBesidePeers, GoesOnWithoutOneThatIsWrongOrDoesNotCompile) {
  const testing::TemporaryFolder folder;
  const testing::User user(kit_with_peers(folder.path(), std::string(wrong_peer) + broken_peer + other_lab));
  const Ran ran = user.grader({"table", "lab9.1", "--peer", "--solution", "--backend", "emu", "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  const auto table = ran.json();
  ASSERT_EQ(table["columns"].size(), 7u);
  EXPECT_EQ(samples(table, 0, 0), 2u) << "the lab's own";
  EXPECT_EQ(samples(table, 0, 1), 0u) << "wrong";
  EXPECT_EQ(samples(table, 0, 3), 0u) << "broken";
  EXPECT_EQ(samples(table, 0, 5), 2u) << "the third";
  EXPECT_THAT(table["rows"][0]["note"].get<std::string>(), HasSubstr("Wrong: wrong answer"));
  ASSERT_EQ(table["notes"].size(), 1u) << "said once, not in each row";
  EXPECT_THAT(table["notes"][0].get<std::string>(), HasSubstr("Broken: does not compile"));
}

TEST(TableBesidePeers, OneMayRunBothSidesItself) {
  const testing::TemporaryFolder folder;
  const fs::path kit = kit_with_peers(
      folder.path(),
      "\n[[peer]]\nname = \"both\"\ntitle = \"Both\"\nsource = \"both.cu\"\nwith = [\"part.cu\"]\n");
  testing::write_file(kit / "solutions/lab9.1-double/part.cu", "double own_ms() { return 2; }\n");
  testing::write_file(
      kit / "labs/lab9.1-double/peer/both.cu",
      "#include <lab/timer.hpp>\n#include <cstring>\ndouble own_ms();\n"
      "int main(int argc, char** argv) {\n"
      "  if (argc != 2) return 2;\n"
      "  if (!std::strcmp(argv[1], \"10000\")) { std::puts(\"both: 3 is not 4\"); return 1; }\n"
      "  for (int i = 0; i < 3; ++i) {\n"
      "    lab::record_time(\"own\", own_ms());\n    lab::record_time(\"peer\", 3);\n  }\n}\n");
  const testing::User user(kit);
  const Ran ran = user.grader({"table", "lab9.1", "--peer", "--solution", "--backend", "emu", "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  const auto table = ran.json();
  const auto& cells = table["rows"][0]["cells"];
  EXPECT_EQ(cells[0]["samples"], (std::vector<double>{0.002, 0.002, 0.002}));
  EXPECT_EQ(cells[2]["samples"], (std::vector<double>{1.5, 1.5, 1.5}));
  EXPECT_THAT(table["rows"][1]["note"].get<std::string>(), HasSubstr("both: 3 is not 4"));
}

TEST(TableBesidePeers, WithoutAnySaysSo) {
  const testing::TemporaryFolder folder;
  const testing::User user(testing::write_small_kit(folder.path()));
  const Ran ran = user.grader({"table", "lab9.1", "--peer", "--backend", "emu"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("lab9.1 has no peer"));
}

/// A search over the program's block size. One value is too large to compile, and one is too large to launch.
fs::path kit_with_search(const fs::path& folder) {
  const std::string search = R"(
[[table]]
id = "best"
title = "The best block"
kind = "search"
samples = 3
axes = [
  { macro = "BLOCK", values = ["64", "128", "4096", "256", "9999"] },
  { argument = "Elements", values = ["5000"] },
]
columns = [{ id = "kernel", title = "Execution", measure = "kernel", unit = "s" }]
)";
  std::string program = small_program();
  const std::string size = "255) / 256, 256";
  program.replace(program.find(size), size.size(), "BLOCK - 1) / BLOCK, BLOCK");
  program =
      "#ifndef BLOCK\n#define BLOCK 256\n#endif\n#include <lab/check.hpp>\n"
      "static_assert(BLOCK < 9000, \"a block has at most 1024 threads\");\n" +
      program;
  const std::string launch = "  std::vector<float> y(n);";
  program.insert(program.find(launch), "  CUDA_CHECK_LAUNCH();\n");
  const fs::path kit = testing::write_small_kit(folder, program);
  testing::write_file(kit / "labs/lab9.1-double/lab.toml", testing::small_lab_toml() + search);
  return kit;
}

TEST(TableSearch, TriesAllAndSaysWhichLimitACombinationBreaks) {
  const testing::TemporaryFolder folder;
  const testing::User user(kit_with_search(folder.path()));
  const Ran ran = user.grader({"table", "lab9.1", "--search", "--backend", "emu", "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  const auto table = ran.json();
  ASSERT_EQ(table["rows"].size(), 5u);
  double last = 0;
  for (std::size_t row = 0; row < 3; ++row) {
    EXPECT_EQ(samples(table, row, 0), 3u) << "a finalist runs as often as any row";
    EXPECT_GE(table["rows"][row]["cells"][0]["median"].get<double>(), last) << "the fastest first";
    last = table["rows"][row]["cells"][0]["median"];
  }
  std::map<std::string, std::string> notes;
  for (std::size_t row = 3; row < 5; ++row) {
    EXPECT_EQ(samples(table, row, 0), 0u);
    notes[table["rows"][row]["key"][0]] = table["rows"][row]["note"];
  }
  EXPECT_THAT(notes["9999"], HasSubstr("does not compile")) << notes["9999"];
  EXPECT_THAT(notes["9999"], HasSubstr("a block has at most 1024 threads"));
  EXPECT_THAT(notes["4096"], HasSubstr("1024")) << notes["4096"];
  EXPECT_THAT(table["notes"][0].get<std::string>(), HasSubstr("ran once"));
}

TEST(TableCounters, AreOfARunOfTheirOwnAndTriedAgain) {
  const testing::TemporaryFolder folder;
  const fs::path kit = testing::write_small_kit(folder.path());
  testing::write_file(kit / "labs/lab9.1-double/lab.toml", testing::small_lab_toml() + R"(
[[table]]
id = "requests"
title = "Requests of warps"
samples = 2
axes = [{ argument = "Elements", values = ["64", "1000"] }]
columns = [
  { id = "loads", title = "Loads", measure = "counter:gld_request", unit = "1" },
  { id = "kernel", title = "Execution", measure = "kernel", unit = "s" },
]
)");
  const testing::User user(kit);
  const auto measured = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"table", "lab9.1", "--id", "requests", "--solution", "--backend", "emu"});
    const Ran ran = user.grader(more);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return ran.json();
  };
  const auto first = measured({"--json"});
  if (first["rows"][0]["note"].get<std::string>().find("libdw") != std::string::npos)
    GTEST_SKIP() << "the kit was built without --counters";
  EXPECT_EQ(first["rows"][0]["cells"][0]["samples"], std::vector<double>{2}) << "64 threads are two warps";
  EXPECT_EQ(first["rows"][1]["cells"][0]["samples"], std::vector<double>{32});
  EXPECT_EQ(samples(first, 1, 1), 2u);

  // Makes the file look as if the machine did not permit counters.
  const fs::path file = user.state() / "tables/lab9.1-requests.csv";
  std::string text = testing::read_file(file);
  for (const auto& [counted, not_counted] :
       {std::pair("\n64,2,", "\n64,,"), std::pair("\n1000,32,", "\n1000,,")}) {
    const std::size_t at = text.find(counted);
    ASSERT_NE(at, std::string::npos) << text;
    text.replace(at, std::string(counted).size(), not_counted);
    text.insert(text.find('\n', at + 1), "not counted: not permitted");
  }
  testing::write_file(file, text);
  EXPECT_EQ(measured({"--resume", "--json"})["rows"], first["rows"])
      << "times are kept, counters are had now";
}

TEST(TableBudget, StopsNeatlyAndResumes) {
  const testing::TemporaryFolder folder;
  const testing::User user(testing::write_small_kit(folder.path()));
  // No machine compiles and runs anything in a millisecond.
  const Ran stopped = user.grader({"table", "lab9.1", "--backend", "emu", "--budget", "0.001"});
  EXPECT_NE(stopped.exit_code, 0);
  EXPECT_THAT(stopped.err, HasSubstr("The time was used up"));

  const Ran whole = user.grader({"table", "lab9.1", "--backend", "emu", "--json"});
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  const Ran resumed = user.grader({"table", "lab9.1", "--backend", "emu", "--resume", "--json"});
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(resumed.json()["rows"], whole.json()["rows"]) << "every sample is that of the first run";

  const fs::path program = testing::students_file(user.kit());
  testing::write_file(program, testing::read_file(program) + "// changed\n");
  const Ran changed = user.grader({"table", "lab9.1", "--backend", "emu", "--resume", "--json"});
  ASSERT_EQ(changed.exit_code, 0) << changed.err;
  EXPECT_NE(changed.json()["rows"], whole.json()["rows"]) << "times of another program are not taken over";
}

TEST(TableAll, WritesAPageForEachLabAndGoesOnAfterFailures) {
  const testing::TemporaryFolder folder;
  const fs::path kit = kit_with_peers(folder.path(), std::string(other_lab) + wrong_peer);
  testing::write_file(kit / "solutions/lab9.2-double/double.cu",
                      small_program("if (i < n) y[i] = 5 * x[i];"));
  const testing::User user(kit);
  const fs::path results = folder / "results";
  const Ran ran = user.grader(
      {"table", "--all", "--solution", "--backend", "emu", "--samples", "1", "--output", results.string()});
  EXPECT_EQ(ran.exit_code, 1) << "something could not be measured\n" << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("lab9.2 sizes: No row")) << "its solution is wrong";
  EXPECT_THAT(ran.err, HasSubstr("2 of 3 tables are measured"));
  const std::string page = testing::read_file(results / "lab9.1.md");
  EXPECT_THAT(page, HasSubstr("### Time by size"));
  EXPECT_THAT(page, HasSubstr("beside By addition and Wrong"));
  EXPECT_THAT(page, HasSubstr("grader table lab9.1 --id sizes --peer --solution"));
  EXPECT_THAT(page, HasSubstr("EMULATION"));
  EXPECT_TRUE(fs::exists(results / "lab9.1-sizes-peers.csv"));
  EXPECT_THAT(testing::read_file(results / "lab9.1-sizes.csv"), HasSubstr("\n# machine: "));
  EXPECT_FALSE(fs::exists(results / "lab9.1-sizes.svg")) << "a plot that was not requested";
}

TEST(TableAll, KeepsWhatIsMeasuredAndWritesItsPagesAgain) {
  const testing::TemporaryFolder folder;
  const std::string alone =
      "\n[[table]]\nid = \"alone\"\ntitle = \"Kernels\"\nsamples = 1\n"
      "axes = [{ argument = \"Elements\", values = [\"50\"] }]\n"
      "columns = [{ id = \"kernel\", title = \"Execution\", measure = \"kernel\", unit = \"s\" }]\n";
  const testing::User user(kit_with_peers(folder.path(), alone + other_lab));
  const fs::path results = folder / "results";
  const auto table_all = [&](const std::string& how) {
    std::vector<std::string> command = {"table", "--all", "--output", results.string(), how};
    if (how != "--last") command.insert(command.end(), {"--solution", "--backend", "emu", "--samples", "1"});
    return user.grader(command);
  };
  const Ran nothing = table_all("--last");
  EXPECT_EQ(nothing.exit_code, 2);
  EXPECT_THAT(nothing.err, HasSubstr("holds no samples"));

  const Ran first = table_all("--resume");
  EXPECT_THAT(first.err, HasSubstr("4 of 4 tables are measured"));
  const std::string page = testing::read_file(results / "lab9.1.md");
  const auto samples = [&] {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::directory_iterator(results)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with("lab9.1-")) files[name] = testing::read_file(entry.path());
    }
    return files;
  };
  const auto first_samples = samples();
  EXPECT_EQ(first_samples.size(), 3u) << "times beside the peers' are not measured once more";
  EXPECT_TRUE(first_samples.contains("lab9.1-alone-peers.csv"));

  const Ran resumed = table_all("--resume");
  EXPECT_THAT(resumed.err, HasSubstr("4 of 4 tables are measured"));
  EXPECT_EQ(samples(), first_samples) << "date and machine are those of the runs";

  const Ran one = user.grader({"table", "lab9.1", "--all", "--id", "alone", "--output", results.string(),
                               "--solution", "--backend", "emu", "--samples", "1", "--resume"});
  EXPECT_THAT(one.err, HasSubstr("1 of 1 table is measured"));
  EXPECT_EQ(samples(), first_samples) << "the others stay";
  const Ran unknown =
      user.grader({"table", "--all", "--id", "none", "--output", results.string(), "--backend", "emu"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("None of these labs has a table \"none\""));

  fs::remove(results / "lab9.1.md");
  const Ran again = table_all("--last");
  EXPECT_THAT(again.err, HasSubstr("The pages of 4 tables"));
  EXPECT_EQ(testing::read_file(results / "lab9.1.md"), page);
  if (find_program("gnuplot").empty()) return;
  const Ran drawn = user.grader({"table", "--all", "--output", results.string(), "--last", "--plots"});
  EXPECT_EQ(drawn.exit_code, 0) << drawn.err;
  EXPECT_TRUE(fs::exists(results / "lab9.1-sizes.svg"));
  EXPECT_THAT(testing::read_file(results / "lab9.1.md"), HasSubstr("](lab9.1-sizes.svg)"));
}

TEST(TableAll, InEmulationDoesNotReplaceTheResultsOfAGpu) {
  const testing::TemporaryFolder folder;
  const testing::User user(testing::write_small_kit(folder.path()));
  const Ran ran = user.grader({"table", "--all", "--backend", "emu"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("--output FOLDER"));
}

TEST(Resources, AreWhatNvccSays) {
  if (find_program("nvcc").empty() && !fs::exists("/usr/local/cuda/bin/nvcc"))
    GTEST_SKIP() << "there is no nvcc here";
  const testing::TemporaryFolder folder;
  const std::string body =
      "__shared__ float t[1000]; t[threadIdx.x] = i < n ? x[i] : 0; __syncthreads(); "
      "if (i < n) y[i] = 2 * t[threadIdx.x];";
  std::string program = small_program(body);
  program.replace(program.find("__global__ void"), 15, "__global__ void __launch_bounds__(256)");
  const testing::User user(testing::write_small_kit(folder.path(), program));
  const Ran ran = user.grader({"resources", "lab9.1", "--arch", "sm_90", "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  const auto kernel = ran.json()["rows"][0]["kernels"][0];
  EXPECT_EQ(kernel["kernel"], "twice");
  EXPECT_EQ(kernel["shared"], 4000);
  EXPECT_EQ(kernel["threads"], 256);
  EXPECT_GT(kernel["registers"], 0);
  EXPECT_EQ(kernel["blocks"], 8) << "2048 threads of a multiprocessor over 256 of a block";
  EXPECT_EQ(kernel["occupancy"], 1.0);
  // If the source declares no launch bounds, a run in emulation shows the block size of the kernel.
  const testing::TemporaryFolder plain_folder;
  const testing::User plain(testing::write_small_kit(plain_folder.path(), small_program(body)));
  const Ran launched = plain.grader({"resources", "lab9.1", "--arch", "sm_90", "--json"});
  ASSERT_EQ(launched.exit_code, 0) << launched.out << launched.err;
  EXPECT_EQ(launched.json()["rows"][0]["kernels"][0]["threads"], 256);
  EXPECT_EQ(launched.json()["rows"][0]["kernels"][0]["occupancy"], 1.0);
  const Ran unknown = user.grader({"resources", "lab9.1", "--arch", "sm_12"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("sm_12 is not known"));
}

}  // namespace
}  // namespace grader
