#include "catalog/catalog.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/test_folder.hpp"

namespace grader {
namespace {

struct CatalogTest : testing::Test {
  TestFolder folder;
  Kit kit{folder.path};

  CatalogTest() {
    unsetenv("CUDA_LAB_KIT");
    unsetenv("GRADER_HOME");
    fs::create_directory(folder.path / "labs");
  }
  ~CatalogTest() override { unsetenv("CUDA_LAB_KIT"); }

  void add(const std::string& id, const std::string& name, int levels = 2) const {
    folder.write(fmt::format("labs/{}-{}/lab.toml", id, name),
                 fmt::format("format = 1\nid = \"{}\"\nname = \"{}\"\ntitle = \"t\"\nlevels = {}\n"
                             "[[part]]\nid = 1\ntitle = \"p\"\npoints = 1\n[[case]]\nid = \"c\"\n",
                             id, name, levels));
  }
  /// The lab that a text finds, as "id" or "id level".
  std::string found(const std::string& ref, std::optional<int> level = {}) const {
    const Catalog catalog = Catalog::load(kit);
    const Lab& lab = catalog.find(ref, level);
    return level ? fmt::format("{} {}", lab.id, *level) : lab.id;
  }
};

TEST_F(CatalogTest, SortsNaturallyAndSkipsWhatIsNoLab) {
  add("lab10.1", "late");
  add("lab2.1", "early");
  add("lab0", "first");
  folder.write("labs/notes.txt", "mine");
  folder.write("labs/scratch/x.cu", "mine");
  std::vector<std::string> ids;
  const Catalog catalog = Catalog::load(kit);
  for (const Lab& lab : catalog.labs()) ids.push_back(lab.id);
  EXPECT_EQ(ids, (std::vector<std::string>{"lab0", "lab2.1", "lab10.1"}));
}

TEST_F(CatalogTest, ABrokenLabStopsItselfAlone) {
  add("lab0", "first");
  add("lab2", "third");
  folder.write("labs/lab1.1-x/lab.toml", "format = 1\nid = 3\n");
  const Catalog catalog = Catalog::load(kit);
  EXPECT_THAT(catalog.labs(), testing::SizeIs(2));
  ASSERT_THAT(catalog.broken(), testing::SizeIs(1));
  EXPECT_EQ(catalog.broken()[0].id(), "lab1.1");
  EXPECT_EQ(found("lab0"), "lab0");
  for (const std::string& ref :
       std::vector<std::string>{"lab1.1", "lab1.1.2", "lab1.1-x", (folder.path / "labs/lab1.1-x").string(),
                                (folder.path / "labs/lab1.1-x/level1").string()})
    EXPECT_THAT([&] { found(ref); }, throws_error(ErrorKind::fault, "lab.toml:2:")) << ref;
  EXPECT_THAT([&] { found("lab1"); }, throws_error(ErrorKind::usage, "There is no lab")) << "another one";
}

TEST_F(CatalogTest, ALabsFolderWithoutMetadataIsBroken) {
  fs::create_directory(folder.path / "labs" / "lab1.1-x");
  EXPECT_THAT([&] { found("lab1.1"); }, throws_error(ErrorKind::fault, "lab.toml does not exist"));
}

TEST_F(CatalogTest, OfTwoLabsWithOneIdNoneIsTaken) {
  add("lab1.1", "a");
  add("lab1.1", "b");
  add("lab2", "other");
  EXPECT_THAT([&] { found("lab1.1"); }, throws_error(ErrorKind::fault, "both have the id \"lab1.1\""));
  EXPECT_THAT(Catalog::load(kit).broken(), testing::SizeIs(2));
  EXPECT_EQ(found("lab2"), "lab2");
}

TEST_F(CatalogTest, FindsByEveryName) {
  add("lab0", "hello_world", 1);
  add("lab2", "whole");
  add("lab2.1", "matrixmul", 3);
  EXPECT_EQ(found("lab0"), "lab0");
  EXPECT_EQ(found("lab0.1"), "lab0 1");
  EXPECT_EQ(found("lab2.1"), "lab2.1");  // an id, although lab2 has a level 1, too
  EXPECT_EQ(found("lab2.2"), "lab2 2");
  EXPECT_EQ(found("lab2.1.2"), "lab2.1 2");
  EXPECT_EQ(found("lab2.1", 3), "lab2.1 3");
  EXPECT_EQ(found("lab2.1.2", 2), "lab2.1 2");
  EXPECT_EQ(found("lab2.1-matrixmul"), "lab2.1");
  EXPECT_EQ(found("lab2.1-matrixmul.2"), "lab2.1 2");
}

TEST_F(CatalogTest, FindsByPath) {
  add("lab2.1", "matrixmul", 3);
  fs::create_directories(folder.path / "labs/lab2.1-matrixmul/level2");
  const std::string root = folder.path.string();
  EXPECT_EQ(found(root + "/labs/lab2.1-matrixmul/"), "lab2.1");
  EXPECT_EQ(found(root + "/labs/lab2.1-matrixmul/level2"), "lab2.1 2");
  EXPECT_EQ(found(root + "/labs/lab2.1-matrixmul/level2/matrixmul.cu"), "lab2.1 2");
  EXPECT_EQ(found(root + "/solutions/lab2.1-matrixmul"), "lab2.1");
  const fs::path before = fs::current_path();
  fs::current_path(folder.path / "labs/lab2.1-matrixmul/level2");
  EXPECT_EQ(found("."), "lab2.1 2");
  EXPECT_EQ(found(".."), "lab2.1");
  fs::current_path(before);
}

TEST_F(CatalogTest, AnUnknownLabHasASuggestion) {
  EXPECT_THAT([&] { found("lab1.1"); }, throws_error(ErrorKind::usage, "labs/ folder holds none"));
  add("lab0", "hello_world", 1);
  add("lab2.1", "matrixmul");
  add("lab3.1", "matrixmul");
  EXPECT_THAT([&] { found("lba2.1"); }, throws_error(ErrorKind::usage, "did you mean \"lab2.1\"?"));
  EXPECT_THAT([&] { found("LAB2.1"); }, throws_error(ErrorKind::usage, "did you mean \"lab2.1\"?"));
  EXPECT_THAT([&] { found("2.1"); }, throws_error(ErrorKind::usage, "did you mean \"lab2.1\"?"));
  EXPECT_THAT([&] { found("hello_wrold"); }, throws_error(ErrorKind::usage, "did you mean \"hello_world\"?"));
  EXPECT_THAT([&] { found("matrixmul"); }, throws_error(ErrorKind::usage, "\"lab2.1\" or \"lab3.1\""));
  EXPECT_THAT([&] { found("/nowhere/at/all"); }, throws_error(ErrorKind::usage, "grader list"));
  EXPECT_THAT([&] { found(""); }, throws_error(ErrorKind::usage, "There is no lab \"\""));
  EXPECT_THAT([&] { found(std::string(100000, 'x')); }, throws_error(ErrorKind::usage, "There is no lab"));
}

TEST_F(CatalogTest, ALevelMustExistAndAgree) {
  add("lab2.1", "matrixmul", 3);
  add("lab0", "hello", 1);
  EXPECT_THAT([&] { found("lab2.1.4"); }, throws_error(ErrorKind::usage, "has levels 1 to 3, not level 4"));
  EXPECT_THAT([&] { found("lab2.1.0"); }, throws_error(ErrorKind::usage, "not level 0"));
  EXPECT_THAT([&] { found("lab0", -1); }, throws_error(ErrorKind::usage, "has only level 1, not level -1"));
  EXPECT_THAT([&] { found("lab2.1.2", 3); }, throws_error(ErrorKind::usage, "--level says 3"));
}

TEST_F(CatalogTest, TheKitIsFoundFromBelow) {
  add("lab0", "hello");
  fs::create_directories(folder.path / "build/labs/deep");
  EXPECT_EQ(Kit::find(folder.path).root, folder.path);
  EXPECT_EQ(Kit::find(folder.path / "labs" / "lab0-hello").root, folder.path);
  EXPECT_EQ(Kit::find(folder.path / "build" / "labs" / "deep").root, folder.path);  // build/labs makes no kit
  EXPECT_THAT([] { Kit::find("/"); }, throws_error(ErrorKind::usage, "CUDA_LAB_KIT"));
}

TEST_F(CatalogTest, TheEnvironmentNamesTheKit) {
  add("lab0", "hello");
  setenv("CUDA_LAB_KIT", folder.path.c_str(), 1);
  EXPECT_EQ(Kit::find("/").root, folder.path);
  setenv("CUDA_LAB_KIT", "/nowhere", 1);
  EXPECT_THAT([&] { Kit::find(folder.path); }, throws_error(ErrorKind::usage, "CUDA_LAB_KIT says /nowhere"));
}

TEST_F(CatalogTest, StateIsInTheKitUnlessTheEnvironmentSaysOtherwise) {
  EXPECT_EQ(kit.state(), folder.path / ".grader");
  setenv("GRADER_HOME", "/elsewhere", 1);
  EXPECT_EQ(kit.state(), "/elsewhere");
  EXPECT_EQ(kit.cache(), "/elsewhere/cache");
  EXPECT_EQ(Kit::cache_setting(), "GRADER_HOME");
  setenv("GRADER_CACHE", "/fast", 1);
  EXPECT_EQ(kit.cache(), "/fast");
  EXPECT_EQ(Kit::cache_setting(), "GRADER_CACHE");
  unsetenv("GRADER_CACHE");
  unsetenv("GRADER_HOME");
}

TEST(NaturalLessTest, ComparesRunsOfDigitsAsNumbers) {
  EXPECT_TRUE(natural_less("lab2.1", "lab10.1"));
  EXPECT_FALSE(natural_less("lab10.1", "lab2.1"));
  EXPECT_TRUE(natural_less("lab2", "lab2.1"));
  EXPECT_TRUE(natural_less("lab2.9", "lab2.10"));
  EXPECT_FALSE(natural_less("lab2.1", "lab2.1"));
  EXPECT_NE(natural_less("lab02", "lab2"), natural_less("lab2", "lab02"));
  EXPECT_TRUE(natural_less("n99999999999999999999998", "n99999999999999999999999"));
}

TEST(DidYouMeanTest, NamesOnlyWhatIsNear) {
  const std::vector<std::string> words = {"title", "points", "hints"};
  EXPECT_EQ(did_you_mean("tilte", words), "title");
  EXPECT_EQ(did_you_mean("point", words), "points");
  EXPECT_EQ(did_you_mean("Hints", words), "hints");
  EXPECT_EQ(did_you_mean("completely", words), "");
  EXPECT_EQ(did_you_mean("lab2", {"lab0", "lab2.1", "lab2.2"}), "lab2.1") << "the beginning of a name";
  EXPECT_EQ(did_you_mean("", words), "");
  EXPECT_EQ(did_you_mean("x", {"y"}), "");
  EXPECT_EQ(did_you_mean("x", {}), "");
}

}  // namespace
}  // namespace grader
