/// @file
/// Tests files of frames: a written file can be read again, and every fault of a file is reported in one sentence.
#include <gtest/gtest.h>
#include <lab/frames.hpp>

#include <filesystem>
#include <fstream>

namespace {

using ::testing::ExitedWithCode;
namespace fs = std::filesystem;

struct FramesTest : testing::Test {
  fs::path folder =
      fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
  std::string path = (folder / "a.frames").string();
  FramesTest() {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  ~FramesTest() override { fs::remove_all(folder); }

  static lab::FramesHead head() {
    lab::FramesHead head;
    head.points = 2;
    head.frames = 3;
    head.groups = 2;
    head.low[1] = -1;
    head.high[1] = 2;
    head.radius = 0.25F;
    head.seconds = 0.5F;
    head.walls = true;
    head.obstacles = {0.5F, 0.5F, 0.5F, 0.125F};
    return head;
  }
  void write() const {
    lab::FramesWriter writer(path, head());
    for (std::uint16_t frame = 0; frame < 3; ++frame) {
      const std::uint16_t coordinates[] = {frame, 1, 2, 3, 4, 65535};
      writer.add(coordinates);
    }
    writer.finish();
  }
  std::string bytes() const {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void set(const std::string& content) const { std::ofstream(path, std::ios::binary) << content; }
};

TEST_F(FramesTest, TheHeadSaysHowManyFramesThereWereInTheEnd) {
  lab::FramesHead expected = head();
  expected.goal = true;
  for (const std::uint32_t count : {1U, 5U}) {
    lab::FramesWriter writer(path, expected);
    for (std::uint32_t frame = 0; frame < count; ++frame)
      writer.add(std::vector<std::uint16_t>(6, static_cast<std::uint16_t>(frame)).data());
    writer.finish();
    const lab::Frames frames = lab::read_frames(path);
    EXPECT_EQ(frames.head.frames, count);
    EXPECT_EQ(frames.coordinates.back(), count - 1);
    EXPECT_TRUE(frames.head.goal);
  }
}

TEST_F(FramesTest, WrittenFramesAreReadBack) {
  write();
  EXPECT_EQ(fs::file_size(path), 64U + 16U + 3U * 12U);
  const lab::Frames frames = lab::read_frames(path);
  EXPECT_EQ(frames.head.points, 2U);
  EXPECT_EQ(frames.head.frames, 3U);
  EXPECT_EQ(frames.head.groups, 2U);
  EXPECT_EQ(frames.head.low[1], -1);
  EXPECT_EQ(frames.head.high[1], 2);
  EXPECT_EQ(frames.head.radius, 0.25F);
  EXPECT_EQ(frames.head.seconds, 0.5F);
  EXPECT_TRUE(frames.head.walls);
  EXPECT_EQ(frames.head.obstacles, head().obstacles);
  ASSERT_EQ(frames.coordinates.size(), 18U);
  EXPECT_EQ(frames.coordinates[6], 1);
  EXPECT_EQ(frames.coordinates[17], 65535);
}

TEST_F(FramesTest, AreAsSmallAsThePageSays) {
  lab::FramesHead large;
  large.points = 8192;
  large.frames = 1024;
  EXPECT_EQ(large.file_bytes(), 50331712);
}

TEST_F(FramesTest, CoordinatesAreOffByHalfAStepAtMost) {
  const float low = -1, scale = 65535.0F / 3;
  for (float at = -1; at < 2; at += 0.0123F)
    EXPECT_NEAR(low + lab::quantised(at, low, scale) / scale, at, 3.0 / 131070 * 1.01);
  EXPECT_EQ(lab::quantised(-5, low, scale), 0);
  EXPECT_EQ(lab::quantised(5, low, scale), 65535);
  EXPECT_EQ(lab::quantised(2, low, scale), 65535);
  EXPECT_EQ(lab::quantised(std::nanf(""), low, scale), 0);
}

TEST_F(FramesTest, AFileThatIsNoneIsASentence) {
  const auto read = [&] { lab::read_frames(path); };
  EXPECT_EXIT(read(), ExitedWithCode(2), "can't be opened: No such file");
  EXPECT_EXIT(lab::read_frames(folder.string()), ExitedWithCode(2), "is a folder");
  set("");
  EXPECT_EXIT(read(), ExitedWithCode(2), "is empty");
  set("0 0 0.5 0.5 0.5\n");
  EXPECT_EXIT(read(), ExitedWithCode(2), "does not begin with LABFRAME");
  set("LABFRAME\1");
  EXPECT_EXIT(read(), ExitedWithCode(2), "is cut short: it has 9 bytes, and its head alone has 64");
}

TEST_F(FramesTest, AFileThatIsCutShortOrDamagedIsASentence) {
  write();
  const auto read = [&] { lab::read_frames(path); };
  const std::string good = bytes();
  set(good.substr(0, good.size() - 1));
  EXPECT_EXIT(read(), ExitedWithCode(2), "is cut short: it has 2 of 3 frames");
  set(good.substr(0, 70));
  EXPECT_EXIT(read(), ExitedWithCode(2), "is cut short: it has 0 of 3 frames");
  set(good + "x");
  EXPECT_EXIT(read(), ExitedWithCode(2), "continues after its last frame");
  std::string other = good;
  other[8] = 7;
  set(other);
  EXPECT_EXIT(read(), ExitedWithCode(2), "is a dump of version 7, and this kit reads version 1");
  for (const std::size_t at : {12U, 16U, 20U}) {  // no points, no frames, groups that don't fit
    other = good;
    other[at] = static_cast<char>(at == 20 ? 3 : 0);
    set(other);
    EXPECT_EXIT(read(), ExitedWithCode(2), "has a damaged head");
  }
  other = good;
  other.replace(12, 8, "\xff\xff\xff\xff\xff\xff\xff\xff");  // 10^20 bytes: must not be allocated
  other[20] = 1;
  set(other);
  EXPECT_EXIT(read(), ExitedWithCode(2), "is cut short: it has 0 of 4294967295 frames");
}

TEST_F(FramesTest, AFailedWriteIsASentence) {
  EXPECT_EXIT(lab::FramesWriter(folder.string(), head()), ExitedWithCode(2), "is a folder");
  EXPECT_EXIT(lab::FramesWriter((folder / "none" / "a").string(), head()), ExitedWithCode(2),
              "can't be written: No such file or directory. Name a file");
  lab::FramesHead huge = head();
  huge.points = 1 << 30;
  huge.frames = 1 << 30;
  EXPECT_EXIT(lab::FramesWriter(path, huge), ExitedWithCode(2), "needs 6.0 EiB, and its disk has room for");
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(FramesTest, ADumpThatAnotherProgramWritesStaysWhole) {
  lab::FramesWriter first(path, head());
  EXPECT_EXIT(lab::FramesWriter(path, head()), ExitedWithCode(2), "is being written by another program");
  const std::uint16_t coordinates[6] = {1, 2, 3, 4, 5, 6};
  for (int frame = 0; frame < 3; ++frame) first.add(coordinates);
  first.finish();
  EXPECT_EQ(lab::read_frames(path).coordinates[17], 6);
  write();  // afterwards the file may be written again
}

TEST_F(FramesTest, ADiskThatFillsUpIsASentence) {
  const auto fill = [] {
    lab::FramesHead large = head();
    large.points = 100000;
    large.groups = 1;
    lab::FramesWriter writer("/dev/full", large);
    const std::vector<std::uint16_t> coordinates(300000);
    for (int frame = 0; frame < 3; ++frame) writer.add(coordinates.data());
    writer.finish();
  };
  EXPECT_EXIT(fill(), ExitedWithCode(2), "can't be written: No space left on device, after 0 of 3 frames");
}

}  // namespace
