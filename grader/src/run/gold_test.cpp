// Tests gold with an oracle that is a shell script: `inputs` writes the seed and the arguments, and `expect`
// copies these files.
#include "run/gold.hpp"

#include "base/test_folder.hpp"
#include "lab/npy.hpp"

namespace grader {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class Gold : public testing::Test {
 protected:
  Gold() {
    unsetenv("GRADER_HOME");
    lab_.id = "lab9.9";
    lab_.name = "copy";
    lab_.folder = folder_.path / "labs/lab9.9-copy";
    lab_.inputs = {"A"};
    lab_.output = Output::array("B");
    add_case("one", 1);
    add_case("two", 2);
    const std::vector<float> data = {1, 2, 3};
    lab::write_npy((folder_.path / "array.npy").string(), {3}, data);
    write_oracle("");
  }

  void add_case(const std::string& id, std::uint64_t seed) {
    Case c;
    c.id = id;
    c.verify = Verify::gold;
    c.seed = seed;
    c.args = {"3", "a \"quoted\" word"};
    lab_.cases.push_back(c);
  }

  /// @param extra shell lines that run first
  void write_oracle(const std::string& extra) {
    folder_.write(
        "oracle",
        "#!/bin/sh\n" + extra +
            "\nverb=$1; shift\nwhile [ $# -gt 0 ]; do case $1 in --dir) dir=$2; shift;; --seed) seed=$2; "
            "shift;; esac; shift; done\n"
            "if [ $verb = inputs ]; then cp '" +
            (folder_.path / "array.npy").string() +
            "' \"$dir/A.npy\"; else cp \"$dir/A.npy\" \"$dir/B.npy\"; fi\n");
    fs::permissions(folder_.path / "oracle", fs::perms(0755));
  }

  std::vector<std::string> make(bool prove = false) {
    std::vector<std::string> said;
    for (const GoldProblem& p : make_gold(kit_, lab_, folder_.path / "oracle", prove))
      said.push_back(fs::relative(p.path, folder_.path / "gold/lab9.9-copy").string() + " " + p.what);
    return said;
  }

  std::vector<fs::path> open(std::size_t index = 0) { return open_gold(kit_, lab_, lab_.cases[index]); }
  fs::path stored(const std::string& name) const { return folder_.path / "gold/lab9.9-copy" / name; }

  TestFolder folder_;
  Kit kit_{folder_.path};
  Lab lab_;
};

TEST_F(Gold, IsMadeOnceAndThenTheSame) {
  EXPECT_THAT(make(), ElementsAre("one/A.npy written", "one/B.npy written", "two/A.npy written",
                                  "two/B.npy written", "manifest.toml written"));
  EXPECT_THAT(make(), IsEmpty());
  EXPECT_THAT(make(true), IsEmpty());
  EXPECT_THAT(open(), ElementsAre(stored("one/A.npy"), stored("one/B.npy")));
}

TEST_F(Gold, TheManifestHoldsWhatTheFilesAre) {
  make();
  const std::string text = folder_.read("gold/lab9.9-copy/manifest.toml");
  EXPECT_THAT(
      text, HasSubstr("seed = 1\nargs = [\"3\", \"a \\\"quoted\\\" word\"]\n[[case.file]]\nname = \"A.npy\"\n"
                      "dtype = \"<f4\"\nshape = [3]\nbytes = 140\nsha256 = \""));
  EXPECT_THAT(text, HasSubstr(sha256_file(stored("one/A.npy"))));
}

TEST_F(Gold, CheckWritesNothing) {
  EXPECT_THAT(make(true), SizeIs(5));
  EXPECT_FALSE(fs::exists(folder_.path / "gold"));
}

TEST_F(Gold, DamageIsFoundAndMended) {
  make();
  const std::string whole = folder_.read("gold/lab9.9-copy/one/B.npy");
  std::string damaged = whole;
  damaged.back() ^= 1;
  folder_.write("gold/lab9.9-copy/one/B.npy", damaged);
  EXPECT_THAT([&] { open(); }, throws_error(ErrorKind::fault, "one/B.npy is damaged: its sha256"));
  EXPECT_THAT([&] { open(); }, throws_error(ErrorKind::fault, "grader gold lab9.9"));
  EXPECT_THAT(make(true), ElementsAre("one/B.npy differs from what the oracle makes"));
  EXPECT_THAT(make(), ElementsAre("one/B.npy replaced"));
  EXPECT_EQ(folder_.read("gold/lab9.9-copy/one/B.npy"), whole);
}

TEST_F(Gold, TruncationAndAbsenceAreNamed) {
  make();
  fs::resize_file(stored("one/A.npy"), 100);
  EXPECT_THAT([&] { open(); }, throws_error(ErrorKind::fault, "expected 140 bytes, found 100"));
  fs::remove(stored("one/A.npy"));
  EXPECT_THAT([&] { open(); }, throws_error(ErrorKind::fault, "one/A.npy is missing"));
  EXPECT_THAT(open(1), SizeIs(2));
  fs::remove(stored("manifest.toml"));
  EXPECT_THAT([&] { open(1); }, throws_error(ErrorKind::fault, "manifest.toml is missing"));
}

TEST_F(Gold, KnowsTheTypesOfALabsArrays) {
  EXPECT_THAT(gold_types(kit_, lab_), IsEmpty()) << "a lab without gold";
  make();
  EXPECT_THAT(gold_types(kit_, lab_),
              ElementsAre(testing::Pair("A.npy", "<f4"), testing::Pair("B.npy", "<f4")));
  folder_.write("gold/lab9.9-copy/manifest.toml", "format = 1\n[[case]]\n");
  EXPECT_THAT([&] { gold_types(kit_, lab_); }, throws_error(ErrorKind::fault, "git checkout"));
}

TEST_F(Gold, ABrokenManifestIsAnErrorWithItsPlace) {
  make();
  folder_.write("gold/lab9.9-copy/manifest.toml", "format = 1\nlab = \"lab9.9\"\n[[case]]\nid = 3\n");
  EXPECT_THAT([&] { open(); }, throws_error(ErrorKind::fault, "manifest.toml:4"));
}

TEST_F(Gold, GoldOfAnotherSeedOrOtherArgumentsIsRefused) {
  make();
  lab_.cases[0].seed = 7;
  EXPECT_THAT([&] { open(); }, throws_error(ErrorKind::fault, "for another seed or other arguments"));
  lab_.cases[1].args = {"4"};
  EXPECT_THAT([&] { open(1); }, throws_error(ErrorKind::fault, "for another seed or other arguments"));
}

TEST_F(Gold, OneCaseIsMadeWhereTheUserWantsIt) {
  const fs::path to = folder_.path / "mine/deep";
  EXPECT_THAT(make_gold_case(lab_, lab_.cases[1], folder_.path / "oracle", to),
              ElementsAre(to / "A.npy", to / "B.npy"));
  EXPECT_TRUE(fs::exists(to / "B.npy"));
  EXPECT_FALSE(fs::exists(folder_.path / "gold"));
  lab_.cases[1].seed.reset();
  EXPECT_THAT([&] { make_gold_case(lab_, lab_.cases[1], folder_.path / "oracle", to); },
              throws_error(ErrorKind::usage, "Case two of lab9.9 has no seed"));
  folder_.write("file", "");
  lab_.cases[1].seed = 1;
  EXPECT_THAT([&] { make_gold_case(lab_, lab_.cases[1], folder_.path / "oracle", folder_.path / "file/x"); },
              throws_error(ErrorKind::environment, "can't be made"));
}

TEST_F(Gold, FilesOfNoCaseAreReportedAndKept) {
  make();
  folder_.write("gold/lab9.9-copy/old/A.npy", "");
  folder_.write("gold/lab9.9-copy/one/C.npy", "");
  EXPECT_THAT(make(), ElementsAre("old belongs to no gold case: delete it",
                                  "one/C.npy belongs to no gold case: delete it"));
  EXPECT_TRUE(fs::exists(stored("old/A.npy")));
}

TEST_F(Gold, AnOracleThatFailsChangesNothing) {
  make();
  const std::string before = folder_.read("gold/lab9.9-copy/manifest.toml");
  lab_.cases[0].seed = 5;
  write_oracle("case $* in *two*|*--seed\\ 2*) echo no luck >&2; exit 1;; esac");
  EXPECT_THAT([&] { make(); }, throws_error(ErrorKind::fault, "no luck"));
  EXPECT_EQ(folder_.read("gold/lab9.9-copy/manifest.toml"), before);
}

TEST_F(Gold, AnOracleThatWritesNothingOrNonsenseIsTheKitsFault) {
  write_oracle("exit 0");
  EXPECT_THAT([&] { make(); }, throws_error(ErrorKind::fault, "did not write A.npy for case one"));
  folder_.write("array.npy", "nonsense");
  write_oracle("");
  EXPECT_THAT([&] { make(); }, throws_error(ErrorKind::fault, "wrote a broken array for case one"));
}

TEST_F(Gold, ACaseWithoutSeedIsAnError) {
  lab_.cases[0].seed.reset();
  EXPECT_THAT([&] { make(); }, throws_error(ErrorKind::usage, "has no seed"));
}

TEST_F(Gold, ALabWithoutGoldHasNone) {
  lab_.cases.clear();
  EXPECT_THAT(make(), IsEmpty());
  EXPECT_FALSE(fs::exists(folder_.path / "gold"));
}

}  // namespace
}  // namespace grader
