#include "driver/options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace emucc {
namespace options_test {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

std::string refusal(const std::vector<std::string>& arguments) {
  try {
    read_options(arguments);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Options, ALinkOfSeveralFiles) {
  const Options options = read_options({"a.cu", "b.cpp", "c.o", "-o", "program", "-lm", "-L", "lib"});
  EXPECT_EQ(options.action, Action::link);
  EXPECT_EQ(options.output, "program");
  ASSERT_EQ(options.inputs.size(), 3u);
  EXPECT_EQ(options.inputs[0].language, Language::cuda);
  EXPECT_EQ(options.inputs[1].language, Language::cxx);
  EXPECT_EQ(options.inputs[2].language, Language::object);
  EXPECT_THAT(options.libraries, ElementsAre("m"));
  EXPECT_THAT(options.linker, ElementsAre("-Llib"));
}

TEST(Options, ValuesFollowABlankAnEqualsSignOrNothing) {
  EXPECT_THAT(read_options({"-I", "a", "-I=b", "-Ic", "-I", "d,e"}).preprocessor,
              ElementsAre("-Ia", "-Ib", "-Ic", "-Id", "-Ie"));
  EXPECT_THAT(read_options({"-DX=1", "-D", "Y", "--define-macro=Z"}).preprocessor,
              ElementsAre("-DX=1", "-DY", "-DZ"));
  EXPECT_EQ(read_options({"-std=c++20"}).standard, "c++20");
  EXPECT_EQ(read_options({"--std", "c++20"}).standard, "c++20");
  EXPECT_EQ(read_options({"-O3"}).optimisation, "3");
  EXPECT_EQ(read_options({"-t4"}).threads, 4);
}

TEST(Options, OldStandardsAreRaisedAndNoted) {
  const Options options = read_options({"-std=c++11"});
  EXPECT_EQ(options.standard, "c++17");
  EXPECT_THAT(options.notes, Contains(HasSubstr("raised")));
}

TEST(Options, Architectures) {
  EXPECT_EQ(read_options({"-arch=sm_80"}).architecture, 800);
  EXPECT_EQ(read_options({"-gencode", "arch=compute_75,code=sm_75"}).architecture, 750);
  EXPECT_EQ(read_options({"-arch=sm_90a"}).architecture, 900);
  EXPECT_EQ(read_options({"-arch", "native"}).architecture, 900);
}

TEST(Options, SettingsOfTheCheckerFollowAnEqualsSign) {
  EXPECT_TRUE(read_options({"--check", "a.cu"}).check);
  EXPECT_EQ(read_options({"--check", "a.cu"}).check_words, "");
  const Options options = read_options({"--check=races,strict", "--check", "a.cu"});
  EXPECT_TRUE(options.check);
  EXPECT_EQ(options.check_words, "races,strict");
  EXPECT_EQ(read_options({"--check=json=report.json", "a.cu"}).check_words, "json=report.json");
  EXPECT_THROW(read_options({"--check=stric", "a.cu"}), UsageError);
}

TEST(Options, RelocatableCode) {
  EXPECT_TRUE(read_options({"-dc", "a.cu"}).relocatable);
  EXPECT_TRUE(read_options({"-rdc=true", "a.cu"}).relocatable);
  EXPECT_FALSE(read_options({"-rdc", "false", "a.cu"}).relocatable);
  EXPECT_TRUE(read_options({"--extended-lambda", "a.cu"}).extended_lambda);
  EXPECT_TRUE(read_options({"-expt-relaxed-constexpr", "a.cu"}).relaxed_constexpr);
}

TEST(Options, TheHostCompilersOwn) {
  const Options options =
      read_options({"-Xcompiler", "-Wall,-fopenmp", "--compiler-options=-DX", "-Xcompiler", "-O3 -g"});
  EXPECT_THAT(options.compiler, ElementsAre("-Wall", "-fopenmp", "-O3", "-g"));
  EXPECT_THAT(options.preprocessor, ElementsAre("-DX"));
  EXPECT_THAT(options.linker, ElementsAre("-fopenmp"));
}

TEST(Options, CommasOfTheHostCompilersOwn) {
  auto given = [](const char* value) { return read_options({"-Xcompiler", value}).compiler; };
  EXPECT_THAT(given("-fsanitize=address,-g"), ElementsAre("-fsanitize=address", "-g"));
  EXPECT_THAT(given("-fsanitize=address\\,undefined,-g"), ElementsAre("-fsanitize=address,undefined", "-g"));
  EXPECT_THAT(given("\"-Wl,-z,now\""), ElementsAre("-Wl,-z,now"));
  EXPECT_THAT(given("-frandom-seed=\"a b\""), ElementsAre("-frandom-seed=a b"));
  EXPECT_THAT(read_options({"-run", "-run-args", "1 2,3", "-run-args", "4"}).run_arguments,
              ElementsAre("1", "2", "3", "4"));
}

TEST(Options, TheEnvironmentAddsItsOwn) {
  setenv("NVCC_PREPEND_FLAGS", "-DA=1  -O1", 1);
  setenv("NVCC_APPEND_FLAGS", "-Xcompiler -DC=1\\,2", 1);
  const Options options = read_options({"-DB", "-O3"});
  unsetenv("NVCC_PREPEND_FLAGS");
  unsetenv("NVCC_APPEND_FLAGS");
  EXPECT_THAT(options.preprocessor, ElementsAre("-DA=1", "-DB", "-DC=1,2"));
  EXPECT_EQ(options.optimisation, "3");
}

TEST(Options, UnknownOnesAreForwardedOnRequest) {
  const Options options =
      read_options({"-march=native", "-Wall", "a.cu", "-forward-unknown-to-host-compiler"});
  EXPECT_THAT(options.compiler, ElementsAre("-march=native", "-Wall"));
  ASSERT_EQ(options.inputs.size(), 1U);
}

TEST(Options, OptionsWithoutMeaningAreNoted) {
  EXPECT_THAT(
      read_options({"-Xptxas", "-v", "-maxrregcount=32", "--restrict", "-cudart", "static"}).notes.size(),
      4u);
}

TEST(Options, UnknownOnesAreRefusedWithAGuess) {
  EXPECT_THAT(refusal({"--lineinfo"}), HasSubstr("did you mean -lineinfo?"));
  EXPECT_THAT(refusal({"-Wall"}), HasSubstr("-Xcompiler -Wall"));
  EXPECT_THAT(refusal({"-qqq"}), HasSubstr("--help"));
  EXPECT_THAT(refusal({"-o"}), HasSubstr("needs a value"));
  EXPECT_THAT(refusal({"-ptx", "a.cu"}), HasSubstr("no PTX"));
  EXPECT_TRUE(read_options({"--check", "a.cu"}).check);
  EXPECT_FALSE(read_options({"--check", "a.cu"}).record);
  const Options recorded = read_options({"--record", "a.cu"});
  EXPECT_TRUE(recorded.record && recorded.check) << "what is recorded is checked";
  EXPECT_EQ(read_options({"--check", "--error-exitcode=7", "a.cu"}).error_exitcode, 7);
  EXPECT_THAT(refusal({"--error-exitcode", "many", "a.cu"}), HasSubstr("from 1 to 255"));
  EXPECT_THAT(refusal({"-x", "fortran"}), HasSubstr("cu, c++ or c"));
  EXPECT_EQ(read_options({"a.xyz"}).inputs.at(0).language, Language::unknown);
  EXPECT_THAT(refusal({"-std=c++99"}), HasSubstr("c++17"));
}

TEST(Options, LanguagesAreForced) {
  EXPECT_EQ(read_options({"-x", "cu", "a.cpp"}).inputs[0].language, Language::cuda);
}

TEST(Options, ResponseFiles) {
  const auto path = std::filesystem::temp_directory_path() / ("emucc-options-" + std::to_string(getpid()));
  std::ofstream(path) << "-o 'a b'\n\"-DX=1 2\" c\\ d.cu\n";
  const Options options = read_options({"@" + path.string()});
  EXPECT_EQ(options.output, "a b");
  EXPECT_THAT(options.preprocessor, ElementsAre("-DX=1 2"));
  EXPECT_EQ(options.inputs.at(0).path, "c d.cu");
  std::ofstream(path) << "@" << path.string();
  EXPECT_THAT(refusal({"@" + path.string()}), HasSubstr("without end"));
  std::filesystem::remove(path);
  EXPECT_THAT(refusal({"@" + path.string()}), HasSubstr("can't be read"));
}

TEST(Options, TheHelpNamesTheMainOnes) {
  for (const char* name : {"-o", "-arch", "-Xcompiler", "-rdc"}) EXPECT_THAT(help_text(), HasSubstr(name));
}

}  // namespace options_test
}  // namespace emucc
