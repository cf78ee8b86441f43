// Tests every rule of lab.toml on a broken file, which is made from a right one by a single replacement.
#include <gtest/gtest.h>

#include "base/test_folder.hpp"
#include "catalog/catalog.hpp"

namespace grader {
namespace {

const char* const right = R"(format = 1
id = "lab1.1"
name = "matrixmul"
title = "Matrix product"
objectives = ["copy", "launch"]
prerequisites = ["lab0"]
levels = 2
allowed = ["cooperative_groups.h"]
device_code = "relocatable"

[data]
inputs = ["M", "N"]
output = "P"

[[part]]
id = 1
title = "Allocate"
points = 2
hints = ["a", "b"]

[[part]]
id = 2
title = "Kernel"
points = 3.5
on_gpu = { points = 1.5, why = "how fast it is" }

[[case]]
id = "n8"
args = ["8"]
verify = "gold"
seed = 8
visibility = "after_due_date"
checked = ["5"]
unchecked = "the sum in an order of its own"
tolerance = { abs = 0, rel = 1e-5, why = "order of additions" }
timeout_s = { gpu = 5, emu = 60 }
devices = 2
backends = ["emu"]
parts = [2]
requires = ["freed", "timers"]
counts = [{ of = "shared_loads", per = "warps", at_least = 16, at_most = 64, says = "No tiles." }]
decides = [2]
macros = { BLOCK_SIZE = "8", UNROLL = "4" }

[[case]]
id = "n128"
args = ["128"]
drawn = ["{97..159}"]
verify = "freivalds"

[[timer]]
line = "GPU computation time"
covers = ["kernel"]

[[table]]
id = "sizes"
title = "Time by size"
baseline = "128"
tolerance = { abs = 0.5, why = "of the table alone" }
axes = [{ argument = "Matrix size", values = ["8", "128"], emu_values = ["8", "128"], labels = ["8×8", "128×128"] }]
columns = [
  { id = "to_device", title = "Transfer in", measure = "h2d", unit = "s" },
  { id = "kernel", title = "Execution", measure = "kernel:matmul" },
  { id = "ratio", title = "Ratio", measure = "ratio:kernel", unit = "1" },
]

[[peer]]
name = "cublas"
title = "cuBLAS"
source = "cublas_sgemm.cu"
link = ["cublas"]
macros = { MATH = "pedantic" }
takes = ["Matrix size"]
args = ["--warm"]
tables = ["sizes"]
backends = ["gpu"]

[[peer]]
name = "earlier"
title = "An earlier lab"
lab = "lab1.0"

[[variant]]
name = "naive"
title = "One thread per element"

[film]
args = ["8192", "1024"]
emu_args = ["300"]

[view]
case = "n128"
story = "Tiles."
shapes = { d_sums = [4, 8] }

[[view.panel]]
title = "Who reads"
arrays = ["M", "data_[20]"]
launches = [2, 3]
block = [1, 0, 0]
stretches = [1, 5]
colour = "stretch"
numbers = "reads"
elements = 16

[[view.panel]]
draws = "film"
frame = 7
)";

struct LabTomlTest : testing::Test {
  TestFolder folder;
  fs::path file = folder.path / "lab1.1-matrixmul" / "lab.toml";

  Lab parse(const std::string& text) const {
    folder.write("lab1.1-matrixmul/lab.toml", text);
    return parse_lab(file);
  }
  /// The error message for the lab.toml in which `to` replaces `from`. Empty if there is none.
  std::string said(const std::string& from, const std::string& to) const {
    std::string text = right;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    try {
      parse(text.replace(at, from.size(), to));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      return error.what();
    }
    return {};
  }
};

TEST_F(LabTomlTest, ReadsEverything) {
  const Lab lab = parse(right);
  EXPECT_EQ(lab.folder, file.parent_path());
  EXPECT_EQ(lab.id, "lab1.1");
  EXPECT_EQ(lab.levels, 2);
  EXPECT_TRUE(lab.relocatable);
  EXPECT_EQ(lab.inputs, (std::vector<std::string>{"M", "N"}));
  EXPECT_EQ(lab.output.name(), "P");
  EXPECT_FALSE(lab.output.is_printed());
  EXPECT_TRUE(lab.from_device);
  ASSERT_EQ(lab.parts.size(), 2u);
  EXPECT_EQ(lab.parts[0].hints.size(), 2u);
  EXPECT_DOUBLE_EQ(lab.parts[1].points, 3.5);
  ASSERT_EQ(lab.cases.size(), 2u);
  const Case& gold = lab.cases[0];
  EXPECT_EQ(gold.verify, Verify::gold);
  EXPECT_EQ(gold.seed, 8u);
  EXPECT_EQ(gold.visibility, Visibility::after_due_date);
  EXPECT_DOUBLE_EQ(gold.tolerance.rel, 1e-5);
  EXPECT_EQ(gold.tolerance.why, "order of additions");
  EXPECT_DOUBLE_EQ(gold.timeout_gpu, 5);
  EXPECT_DOUBLE_EQ(gold.timeout_emu, 60);
  EXPECT_EQ(gold.backends, std::vector<Backend>{Backend::emu});
  EXPECT_EQ(gold.devices, 2);
  EXPECT_EQ(gold.parts, std::vector<int>{2});
  EXPECT_EQ(gold.requirements, (std::vector<Requirement>{Requirement::freed, Requirement::timers}));
  EXPECT_TRUE(gold.from_device);
  EXPECT_EQ(gold.checked, std::vector<std::string>{"5"});
  ASSERT_EQ(gold.counts.size(), 1u);
  EXPECT_EQ(gold.counts[0].of, "shared_loads");
  EXPECT_EQ(gold.counts[0].per, "warps");
  EXPECT_EQ(gold.counts[0].least, 16);
  EXPECT_EQ(gold.counts[0].most, 64);
  EXPECT_EQ(gold.counts[0].says, "No tiles.");
  EXPECT_DOUBLE_EQ(lab.parts[1].on_gpu.points, 1.5);
  EXPECT_EQ(lab.parts[1].on_gpu.why, "how fast it is");
  EXPECT_EQ(gold.decides, std::vector<int>{2});
  EXPECT_EQ(lab.allowed, std::vector<std::string>{"cooperative_groups.h"});
  EXPECT_EQ(gold.unchecked, "the sum in an order of its own");
  EXPECT_FALSE(lab.cases[1].checked);
  EXPECT_EQ(gold.macros, (std::map<std::string, std::string>{{"BLOCK_SIZE", "8"}, {"UNROLL", "4"}}));
  const Case& fresh = lab.cases[1];
  EXPECT_TRUE(fresh.macros.empty());
  EXPECT_EQ(fresh.verify, Verify::freivalds);
  ASSERT_EQ(fresh.drawn.size(), 1u);
  EXPECT_EQ(fresh.drawn[0].limits, std::pair(std::uint64_t{97}, std::uint64_t{159}));
  EXPECT_TRUE(gold.drawn.empty());
  EXPECT_FALSE(fresh.seed);
  EXPECT_DOUBLE_EQ(fresh.points, 1);
  EXPECT_EQ(fresh.visibility, Visibility::visible);
  EXPECT_EQ(fresh.parts, (std::vector<int>{1, 2}));
  EXPECT_EQ(fresh.backends.size(), 2u);
  EXPECT_EQ(fresh.devices, 1);
  ASSERT_EQ(lab.tables.size(), 1u);
  EXPECT_EQ(lab.tables[0].samples, 5);
  EXPECT_EQ(lab.tables[0].axes[0].labels[1], "128×128");
  EXPECT_EQ(lab.tables[0].axes[0].kind, Axis::Kind::argument);
  EXPECT_EQ(lab.tables[0].columns[1].unit, "s");
  EXPECT_EQ(lab.tables[0].columns[2].measure, (Measure{Measure::Kind::ratio, "kernel"}));
  ASSERT_TRUE(lab.tables[0].tolerance);
  EXPECT_DOUBLE_EQ(lab.tables[0].tolerance->abs, 0.5);
  ASSERT_EQ(lab.peers.size(), 2u);
  const Peer& cublas = lab.peers[0];
  EXPECT_EQ(cublas.source, "cublas_sgemm.cu");
  EXPECT_EQ(cublas.link, std::vector<std::string>{"cublas"});
  EXPECT_EQ(cublas.macros.at("MATH"), "pedantic");
  EXPECT_EQ(*cublas.takes, std::vector<std::string>{"Matrix size"});
  EXPECT_EQ(cublas.args, std::vector<std::string>{"--warm"});
  EXPECT_EQ(cublas.tables, std::vector<std::string>{"sizes"});
  EXPECT_EQ(cublas.backends, std::vector<Backend>{Backend::gpu});
  EXPECT_EQ(lab.peers[1].lab, "lab1.0");
  EXPECT_EQ(lab.peers[1].source, "");
  EXPECT_FALSE(lab.peers[1].takes) << "all arguments";
  EXPECT_EQ(lab.peers[1].backends.size(), 2u);
  EXPECT_EQ(lab.printed_timers[0].covers, std::vector<Measure>{{Measure::Kind::kernel}});
  EXPECT_EQ(lab.variants[0].name, "naive");
  ASSERT_TRUE(lab.film.has_value());
  EXPECT_EQ(lab.film->args, (std::vector<std::string>{"8192", "1024"}));
  EXPECT_EQ(lab.film->emu_args, std::vector<std::string>{"300"});
  ASSERT_TRUE(lab.view.has_value());
  EXPECT_EQ(lab.view->case_id, "n128");
  EXPECT_EQ(lab.view->story, "Tiles.");
  EXPECT_EQ(lab.view->shapes.at("d_sums"), (std::vector<std::size_t>{4, 8}));
  ASSERT_EQ(lab.view->panels.size(), 2u);
  const StillPanel& panel = lab.view->panels[0];
  EXPECT_EQ(panel.title, "Who reads");
  EXPECT_EQ(panel.case_id, "n128") << "the view's own";
  EXPECT_EQ(panel.draws, StillPanel::Draws::arrays);
  EXPECT_EQ(panel.arrays, (std::vector<std::string>{"M", "data_[20]"}));
  EXPECT_EQ(panel.block, (std::vector<unsigned>{1, 0, 0}));
  EXPECT_EQ(panel.first_launch, 2);
  EXPECT_EQ(panel.last_launch, 3);
  EXPECT_EQ(panel.first, 1);
  EXPECT_EQ(panel.last, 5);
  EXPECT_EQ(panel.colour, StillPanel::Colour::stretch);
  EXPECT_EQ(panel.numbers, StillPanel::Numbers::reads);
  EXPECT_EQ(panel.elements, 16u);
  EXPECT_EQ(lab.view->panels[1].draws, StillPanel::Draws::film);
  EXPECT_EQ(lab.view->panels[1].frame, 7);
}

TEST_F(LabTomlTest, APartMayBeBlankAtSomeLevelsOnly) {
  std::string text = right;
  const std::string points = "points = 3.5\n";
  const Lab lab = parse(text.replace(text.find(points), points.size(), points + "levels = [2]\n"));
  EXPECT_TRUE(lab.parts[0].counts_at(1));
  EXPECT_FALSE(lab.parts[1].counts_at(1));
  EXPECT_TRUE(lab.parts[1].counts_at(2));
  EXPECT_NE(said(points, points + "levels = [3]\n").find("from 1 to 2"), std::string::npos);
}

TEST_F(LabTomlTest, ACaseMayJudgeItsRequirementsAlone) {
  std::string text = right;
  const std::string verify = "verify = \"gold\"\nseed = 8\n";
  EXPECT_NE(said(verify, "verify = \"none\"\n").find("\"none\" looks at no result; expected no tolerance"),
            std::string::npos);
  const std::string tolerance = "tolerance = { abs = 0, rel = 1e-5, why = \"order of additions\" }\n";
  text.erase(text.find(tolerance), tolerance.size());
  const Lab lab = parse(text.replace(text.find(verify), verify.size(), "verify = \"none\"\n"));
  EXPECT_EQ(lab.cases[0].verify, Verify::none);
  EXPECT_FALSE(lab.cases[0].from_device) << "nobody looks at its result";
  EXPECT_THAT(
      [&] { parse(std::string(text).insert(text.find("verify = \"none\""), "origin = \"device\"\n")); },
      throws_error(ErrorKind::usage, "expected no \"origin\""));
  EXPECT_NE(said("verify = \"freivalds\"", "verify = \"none\"").find("expected \"requires\""),
            std::string::npos);
}

TEST_F(LabTomlTest, AnOutputMayComeFromAnywhere) {
  const auto with = [&](std::string text, const std::string& after, const std::string& line) {
    return parse(text.insert(text.find(after) + after.size(), line));
  };
  const std::string output = "output = \"P\"\n", first = "id = \"n8\"\n",
                    anywhere = "origin = \"anywhere\"\n";
  Lab lab = with(right, output, anywhere);
  EXPECT_FALSE(lab.from_device);
  EXPECT_FALSE(lab.cases[0].from_device);
  EXPECT_FALSE(lab.cases[1].from_device);
  lab = with(right, first, anywhere);
  EXPECT_FALSE(lab.cases[0].from_device);
  EXPECT_TRUE(lab.cases[1].from_device);
  EXPECT_NE(said(output, output + "origin = \"host\"\n").find("\"anywhere\""), std::string::npos);
  EXPECT_NE(said(first, first + "origin = \"GPU\"\n").find("\"anywhere\""), std::string::npos);
}

TEST_F(LabTomlTest, ATablesToleranceSuitsEachOfItsRows) {
  // 8 is a separate case, whose gold has a largest element. 128 is verified by Freivalds' method, for which
  // the largest element is unknown.
  const std::string text = said("tolerance = { abs = 0.5,", "tolerance = { of_max = 0.5,");
  EXPECT_NE(text.find(":13: the row 128 is verified as case \"n128\", and \"freivalds\" uses no "
                      "largest element; expected abs and rel only\n  tolerance = {"),
            std::string::npos)
      << text;
  std::string other = right;
  const std::string freivalds = "verify = \"freivalds\"", abs = "abs = 0.5,";
  other.replace(other.find(freivalds), freivalds.size(), "verify = \"oracle\"");
  const Lab lab = parse(other.replace(other.find(abs), abs.size(), "of_max = 0.5,"));
  EXPECT_EQ(lab.tables[0].tolerance->of_max, 0.5);
}

TEST_F(LabTomlTest, ALabThatPrintsLinesNeedsNoData) {
  const std::string text = R"(format = 1
id = "lab1.1"
name = "matrixmul"
title = "Hello"
[[part]]
id = 1
title = "Launch"
points = 1
[[case]]
id = "only"
)";
  const Lab lab = parse(text);
  EXPECT_TRUE(lab.output.is_printed());
  EXPECT_EQ(lab.levels, 1);
  EXPECT_FALSE(lab.relocatable);
  EXPECT_EQ(lab.cases[0].verify, Verify::judge);
  EXPECT_FALSE(lab.from_device);
  EXPECT_THAT([&] { parse(text + "origin = \"device\"\n"); },
              throws_error(ErrorKind::usage, "expected an output that is a file"));
  EXPECT_THAT([&] { parse(text + "verify = \"gold\"\n"); },
              throws_error(ErrorKind::usage, "expected \"judge\""));
}

TEST_F(LabTomlTest, FilesOfALabsOwnFormat) {
  std::string text = right;
  const auto replace = [&text](const std::string& from, const std::string& to) {
    ASSERT_NE(text.find(from), std::string::npos);
    text.replace(text.find(from), from.size(), to);
  };
  replace("inputs = [\"M\", \"N\"]\noutput = \"P\"",
          "inputs = [\"scan.bin\", \"names.txt\"]\noutput = \"Q.bin\"\noutput_layout = { header = 8, "
          "count_at = 4, arrays = [\"real\", \"imaginary\"] }");
  replace("verify = \"freivalds\"", "verify = \"sample\"\ntolerance = { of_max = 1e-4, why = \"sums\" }");
  const Lab lab = parse(text);
  EXPECT_EQ(lab.inputs, (std::vector<std::string>{"scan.bin", "names.txt"}));
  EXPECT_EQ(lab.output.file(), "Q.bin");
  ASSERT_TRUE(lab.output.layout());
  EXPECT_EQ(lab.output.layout()->header, 8U);
  EXPECT_EQ(lab.output.layout()->count_at, 4U);
  EXPECT_EQ(lab.output.layout()->rows(), 2U);
  EXPECT_EQ(lab.cases[1].verify, Verify::sample);
  EXPECT_EQ(lab.cases[1].tolerance.of_max, 1e-4);
  replace("count_at = 4", "count_at = 5");
  EXPECT_THAT([&] { parse(text); },
              throws_error(ErrorKind::usage, "a count from byte 5 on don't lie in a header of 8 bytes"));
}

TEST_F(LabTomlTest, ShowsLineAndCaret) {
  const std::string text = said("points = 2", "poinst = 2");
  EXPECT_NE(
      text.find("lab.toml:15:1: expected \"points\" in [[part]]; is \"poinst\" misspelt?\n  [[part]]\n  ^"),
      std::string::npos)
      << text;
  const std::string unknown = said("levels = 2", "levles = 2");
  EXPECT_NE(unknown.find("lab.toml:7:1: unknown key \"levles\"; did you mean \"levels\"?\n  levles = 2\n  ^"),
            std::string::npos)
      << unknown;
  const std::string element = said("parts = [2]", "parts = [2, 7]");
  EXPECT_NE(
      element.find(
          "lab.toml:39:13: there is no part 7; the lab has parts 1 to 2\n  parts = [2, 7]\n              ^"),
      std::string::npos)
      << element;
}

struct Broken {
  const char* from;
  const char* to;
  const char* says;
};
struct BrokenLabTest : LabTomlTest, testing::WithParamInterface<Broken> {};

TEST_P(BrokenLabTest, SaysWhatWasExpected) {
  const std::string text = said(GetParam().from, GetParam().to);
  EXPECT_NE(text.find(GetParam().says), std::string::npos) << "said: " << text;
  EXPECT_NE(text.find("lab.toml:"), std::string::npos) << "no place: " << text;
}

INSTANTIATE_TEST_SUITE_P(
    Rules, BrokenLabTest,
    testing::Values(
        Broken{"format = 1\n", "", "expected \"format\""},
        Broken{"format = 1", "format = 2", "newer than this grader"},
        Broken{"format = 1", "format = \"1\"", "is a string; expected a whole number"},
        Broken{"format = 1", "format = 0", "expected a whole number from 1"},
        Broken{"format = 1", "format 1", "not TOML"},
        Broken{"title = \"Matrix product\"", "title = \"Matrix product", "not TOML"},
        Broken{"title = \"Matrix product\"", "title = \" \"", "is empty"},
        Broken{"levels = 2", "levels = 2\nlevels = 3", "not TOML"},  // a key twice
        Broken{"id = \"lab1.1\"", "id = \"1.1\"", "expected one like"},
        Broken{"id = \"lab1.1\"", "id = \"lab1.2\"", "the folder is called \"lab1.1-matrixmul\""},
        Broken{"name = \"matrixmul\"", "name = \"../x\"", "is not a lab name"},
        Broken{"name = \"matrixmul\"", "name = \"\"", "is empty"},
        Broken{"prerequisites = [\"lab0\"]", "prerequisites = \"lab0\"", "expected a list of strings"},
        Broken{"prerequisites = [\"lab0\"]", "prerequisites = [1]", "is a whole number; expected a string"},
        Broken{"levels = 2", "levels = 0", "from 1 to 9"},
        Broken{"levels = 2", "levels = 2.5", "is a number; expected a whole number"},
        Broken{"\"relocatable\"", "\"relocateable\"", "did you mean \"relocatable\""},
        Broken{"[data]\n", "data = 3\n[other]\n", "expected a table, [data]"},
        Broken{"[\"M\", \"N\"]", "[\"M\", \"M\"]", "is listed twice"},
        Broken{"[\"M\", \"N\"]", "[\"M\", \"../N\"]", "can't name an array's file"},
        Broken{"output = \"P\"", "output = \"M\"", "is an input too"},
        Broken{"[\"M\", \"N\"]", "[\"M.csv\", \"N\"]", "or .bin or .txt after them"},
        Broken{"output = \"P\"", "output = \"P.txt\"", "is text, and a result is compared as an array"},
        Broken{"[\"M\", \"N\"]", "[\"M.bin\", \"N\"]", "the lab has files of its own format"},
        Broken{"output = \"P\"", "output = \"P.bin\"", "expected output_layout"},
        Broken{"output = \"P\"", "output = \"P\"\noutput_layout = { header = 2 }", "whose name ends in .bin"},
        Broken{"output = \"P\"\n", "", "expected \"output\" in [data]"},
        Broken{"output = \"P\"", "output = \"stdout\"", "expected \"judge\""}));

INSTANTIATE_TEST_SUITE_P(
    Parts, BrokenLabTest,
    testing::Values(Broken{"id = 2", "id = 1", "part 1 is declared twice"},
                    Broken{"id = 2", "id = 3", "where part 2 is expected"},
                    Broken{"id = 1", "id = 0", "from 1 to"},
                    Broken{"points = 2", "points = -1", "of at least 0"},
                    Broken{"points = 2", "points = nan", "of at least 0"},
                    Broken{"points = 2", "points = \"2\"", "expected a number"},
                    Broken{"hints = [\"a\", \"b\"]", "hint = [\"a\"]", "did you mean \"hints\"?"},
                    Broken{"id = \"n128\"", "id = \"n128\"\nparts = [2]", "no case proves part 1"}));

INSTANTIATE_TEST_SUITE_P(
    Cases, BrokenLabTest,
    testing::Values(
        Broken{"id = \"n128\"", "id = \"n8\"", "case \"n8\" is declared twice"},
        Broken{"id = \"n128\"", "id = \"../n\"", "can't name a folder"},
        Broken{"id = \"n128\"", "id = \"..\"", "can't name a folder"},
        Broken{"args = [\"8\"]", "args = [8]", "expected a string in quotes"},
        Broken{"{97..159}", "{97-159}", "expected limits, as in"},
        Broken{"{97..159}", "{129..159}", "can't come to \"128\""},
        Broken{"[\"{97..159}\"]", "[\"{97..159}\", \"8\"]", "expected one for each"},
        Broken{"seed = 8\n", "seed = 8\ndrawn = [\"{7..9}\"]\n", "gold is stored for one size"},
        Broken{"verify = \"freivalds\"", "verify = \"freivalds\"\ntolerance = { of_max = 1, why = \"x\" }",
               "uses no largest element"},
        Broken{"rel = 1e-5, why = \"order of additions\"", "of_max = 1e-5", "needs its reason"},
        Broken{"verify = \"gold\"", "check = \"gold\"", "expected verify = "},
        Broken{"verify = \"gold\"", "verify = \"glod\"", "did you mean \"gold\"?"},
        Broken{"verify = \"gold\"", "verify = \"lines\"", "unknown verify \"lines\""},
        Broken{"inputs = [\"M\", \"N\"]", "inputs = [\"M\"]", "product of two inputs"},
        Broken{"seed = 8\n", "", "gold is made with a fixed seed"}, Broken{"seed = 8", "seed = -8", "from 0"},
        Broken{"\"after_due_date\"", "\"later\"", "unknown visibility \"later\""},
        Broken{", why = \"order of additions\"", "", "a tolerance needs its reason"},
        Broken{"rel = 1e-5", "rel = -1e-5", "of at least 0"},
        Broken{"rel = 1e-5", "rle = 1e-5", "did you mean \"rel\"?"},
        Broken{"gpu = 5", "gpu = 0", "expected more than 0"}, Broken{"gpu = 5", "gpu = 1e9", "at most 3600"},
        Broken{"backends = [\"emu\"]", "backends = [\"cpu\"]", "unknown backend \"cpu\""},
        Broken{"backends = [\"emu\"]", "backends = []", "no backend"},
        Broken{"devices = 2", "devices = 0", "devices"}, Broken{"devices = 2", "devices = 17", "devices"},
        Broken{"parts = [2]", "parts = []", "proves no part"},
        Broken{"parts = [2]", "parts = [2, 2]", "is listed twice"},
        Broken{"parts = [2]", "parts = [3]", "there is no part 3"},
        Broken{"UNROLL = \"4\"", "\"a b\" = \"4\"", "\"a b\" can't name a macro"},
        Broken{"[\"freed\", \"timers\"]", "[\"fred\"]", "did you mean \"freed\"?"},
        Broken{"id = \"n128\"", "id = \"n128\"\nrequires = [\"no_findings\"]", "by itself now"},
        Broken{"id = \"n128\"", "id = \"n128\"\nunchecked = \"\"", "unchecked"},
        Broken{"of = \"shared_loads\"", "of = \"shared_load\"", "did you mean \"shared_loads\"?"},
        Broken{"of = \"shared_loads\"", "of = \"time\"", "expected \"launches\""},
        Broken{"at_least = 16, at_most = 64, ", "", "expected at_least or at_most"},
        Broken{"per = \"warps\"", "per = \"lanes\"", "per \"lanes\""},
        Broken{"at_least = 16", "at_least = 65", "at_least <= at_most"},
        Broken{", says = \"No tiles.\"", "", "expected \"says\""},
        Broken{"points = 1.5", "points = 4", "expected at most so many"},
        Broken{", why = \"how fast it is\"", "", "expected \"why\""},
        Broken{"id = \"n128\"", "id = \"n128\"\nexplains = { line = \"Why:\" }", "unknown key \"explains\""},
        Broken{"decides = [2]", "decides = [1]", "does not prove part 1"},
        Broken{"id = \"n128\"", "id = \"n128\"\ndecides = [1]", "nothing besides the right result"},
        Broken{"[\"cooperative_groups.h\"]", "[\"<cub/cub.cuh>\"]", "without brackets"},
        Broken{"[\"cooperative_groups.h\"]", "[\"a.h\", \"a.h\"]", "is listed twice"},
        Broken{"id = \"n128\"", "id = \"n128\"\npoints = 0", "proves nothing"},
        Broken{"[[timer]]\nline = \"GPU computation time\"\ncovers = [\"kernel\"]", "",
               "needs a [[timer]]"}));

INSTANTIATE_TEST_SUITE_P(
    Tables, BrokenLabTest,
    testing::Values(
        Broken{"covers = [\"kernel\"]", "covers = [\"kernels\"]", "unknown measure \"kernels\""},
        Broken{"covers = [\"kernel\"]", "covers = []", "covers nothing"},
        Broken{"measure = \"h2d\"", "measure = \"h2h\"", "unknown measure"},
        Broken{"measure = \"h2d\"", "measure = \"peer:cublas\"", "unknown measure \"peer:cublas\""},
        Broken{"covers = [\"kernel\"]", "covers = [\"ratio:kernel\"]",
               "expected \"h2d\", \"d2h\", \"kernel\" or \"kernel:NAME\""},
        Broken{"measure = \"h2d\"", "measure = \"counter:\"", "unknown measure \"counter:\""},
        Broken{"ratio:kernel", "ratio:kernal", "did you mean \"kernel\"?"},
        Broken{"ratio:kernel", "ratio:ratio", "ratio of the unknown column"},
        Broken{"ratio:kernel", "gain:kernel", "expected \"along\""},
        Broken{"ratio:kernel\"", "gain:kernel\", along = \"size\"", "\"size\" is not one of the table's"},
        Broken{"ratio:kernel\"", "gain:kernel\", along = \"Matrix size\"", "a gain has the unit \"%\""},
        Broken{"baseline = \"128\"\n", "baseline = \"128\"\nplot = { x = \"Matrix\" }\n",
               "did you mean \"Matrix size\"?"},
        Broken{"baseline = \"128\"\n", "baseline = \"128\"\nplot = { columns = [\"ratios\"] }\n",
               "did you mean \"ratio\"?"},
        Broken{"baseline = \"128\"\n", "", "expected \"baseline\""},
        Broken{"baseline = \"128\"", "baseline = \"129\"", "is not among"},
        Broken{"emu_values = [\"8\", \"128\"]", "emu_values = [\"8\"]",
               "is not among the first axis's emu_values"},
        Broken{"labels = [\"8×8\", \"128×128\"]", "labels = [\"8×8\"]", "1 labels for 2 values"},
        Broken{"argument = \"Matrix size\"", "argument = \"a\", macro = \"B\"", "either argument"},
        Broken{"argument = \"Matrix size\"", "macro = \"a b\"", "can't name a macro"},
        Broken{"values = [\"8\", \"128\"]", "values = []", "an axis has values"},
        Broken{"values = [\"8\", \"128\"]", "values = [\"8\", \"8\"]", "is listed twice"},
        Broken{"unit = \"1\"", "unit = \"s\"", "a ratio has the unit"},
        Broken{"unit = \"s\"", "unit = \"ms\"", "unknown unit \"ms\""},
        Broken{"id = \"ratio\"", "id = \"kernel\"", "declared twice"},
        Broken{"title = \"One thread per element\"", "", "expected \"title\" in [[variant]]"}));

INSTANTIATE_TEST_SUITE_P(
    Peers, BrokenLabTest,
    testing::Values(
        Broken{"name = \"cublas\"", "name = \"cu blas\"", "is not a peer name"},
        Broken{"name = \"cublas\"", "name = \"earlier\"", "declared twice"},
        Broken{"source = \"cublas_sgemm.cu\"", "", "expected either source"},
        Broken{"lab = \"lab1.0\"", "lab = \"lab1.0\"\nsource = \"a.cu\"", "expected either source"},
        Broken{"\"cublas_sgemm.cu\"", "\"../x.cu\"", "directly in the folder peer"},
        Broken{"\"cublas_sgemm.cu\"", "\"x.py\"", "is not a .cu or .cpp file"},
        Broken{"lab = \"lab1.0\"", "lab = \"1.0\"", "is not a lab id"},
        Broken{"link = [\"cublas\"]", "link = [\"-x y\"]", "is not a library name"},
        Broken{"lab = \"lab1.0\"", "lab = \"lab1.0\"\nwith = [\"a.cu\"]", "compiled with a source"},
        Broken{"takes = [\"Matrix size\"]", "takes = [\"Size\"]", "is not one of the lab's: \"Matrix size\""},
        Broken{"tables = [\"sizes\"]", "tables = [\"size\"]", "is not one of the lab's: \"sizes\""},
        Broken{"abs = 0.5, why = \"of the table alone\"", "abs = 0.5", "a tolerance needs its reason"},
        Broken{"MATH = \"pedantic\"", "\"M H\" = \"1\"", "can't name a macro"},
        Broken{"args = [\"8192\", \"1024\"]\n", "", "a film shows a run"},
        Broken{"case = \"n128\"\nstory", "case = \"n8\"\nstory", "is no case that students may see"},
        Broken{"title = \"Who reads\"", "case = \"n9\"", "is no case of the lab"},
        Broken{"title = \"Who reads\"", "case = \"n8\"", "is hidden from students"},
        Broken{"arrays = [\"M\", \"data_[20]\"]\n", "", "expected the names of what is drawn"},
        Broken{"launches = [2, 3]", "launches = [3, 2]", "expected [first, last]"},
        Broken{"block = [1, 0, 0]", "block = [1]", "expected [x, y, z]"}));

TEST_F(LabTomlTest, AFileThatIsNoTextHasOneSentence) {
  EXPECT_THAT([&] { parse_lab(file); }, throws_error(ErrorKind::usage, "does not exist"));
  EXPECT_THAT([&] { parse(""); }, throws_error(ErrorKind::usage, "is empty"));
  EXPECT_THAT([&] { parse(std::string("format = 1\nid = \"\xff\"\n")); },
              throws_error(ErrorKind::usage, "lab.toml:2: not UTF-8"));
  EXPECT_THAT([&] { parse(std::string("format = 1\n\0", 12)); }, throws_error(ErrorKind::usage, "not UTF-8"));
  EXPECT_THAT([&] { parse("# " + std::string(2 << 20, 'x')); },
              throws_error(ErrorKind::usage, "is larger than 1024 KiB"));
  fs::remove(file);
  fs::create_directory(file);
  EXPECT_THAT([&] { parse_lab(file); }, throws_error(ErrorKind::usage, "is a folder"));
}

TEST_F(LabTomlTest, WindowsLineEndsAndAByteOrderMarkAreFine) {
  std::string text = "\xEF\xBB\xBF";
  for (const char* c = right; *c != '\0'; ++c) text += *c == '\n' ? "\r\n" : std::string(1, *c);
  EXPECT_EQ(parse(text).cases.size(), 2u);
}

}  // namespace
}  // namespace grader
