#include "view/film.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include "base/test_folder.hpp"
#include "view/film_page.hpp"

namespace grader {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A frame of moving points, one of which jumps.
std::vector<std::uint16_t> frame_at(std::uint32_t points, std::uint32_t f, bool plane) {
  std::vector<std::uint16_t> out;
  for (std::uint32_t i = 0; i < 3 * points; ++i)
    out.push_back(static_cast<std::uint16_t>(plane && i % 3 == 2 ? 5u
                                             : i == 1            ? f * 40503u
                                                                 : i * 9001u + f * (i % 7)));
  return out;
}

/// Decodes a film as its page does, in a few lines.
std::vector<std::uint16_t> unpacked(const Film& film) {
  const std::size_t values = 3 * static_cast<std::size_t>(film.head.points),
                    obstacles = 4 * film.head.obstacles.size();
  std::string bytes(obstacles + film.head.frames * (1 + 2 * values), '\0');
  uLongf size = bytes.size();
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(bytes.data()), &size,
                       reinterpret_cast<const Bytef*>(film.packed.data()), film.packed.size()),
            Z_OK);
  EXPECT_EQ(size, bytes.size());
  std::vector<std::uint16_t> out(values * film.head.frames);
  for (std::size_t f = 0; f < film.head.frames; ++f) {
    const auto* in = reinterpret_cast<const unsigned char*>(bytes.data()) + obstacles + f * (1 + 2 * values);
    for (std::size_t i = 0; i < values; ++i) {
      const unsigned folded = in[1 + i] | static_cast<unsigned>(in[1 + values + i]) << 8;
      const std::size_t at = f * values + i;
      const unsigned predicted = in[0] == 0   ? 0u
                                 : in[0] == 1 ? out[at - values]
                                              : 2u * out[at - values] - out[at - 2 * values];
      out[at] = static_cast<std::uint16_t>(predicted + (folded >> 1 ^ (0u - (folded & 1))));
    }
  }
  return out;
}

struct FilmTest : ::testing::Test {
  TestFolder folder;
  fs::path dump = folder.path / "a.frames";

  static lab::FramesHead head(std::uint32_t points, std::uint32_t frames) {
    lab::FramesHead out;
    out.points = points;
    out.frames = frames;
    out.seconds = 0.5f;
    return out;
  }
  void write(const lab::FramesHead& head, bool plane = false) const {
    lab::FramesWriter writer(dump.string(), head);
    for (std::uint32_t f = 0; f < head.frames; ++f) writer.add(frame_at(head.points, f, plane).data());
    writer.finish();
  }
};

TEST_F(FilmTest, PackingKeepsTheDump) {
  lab::FramesHead with_obstacles = head(9, 12);
  with_obstacles.obstacles = {0.1f, 0.2f, 0.3f, 0.4f};
  write(with_obstacles);
  const Film film = read_film(dump, 1);
  EXPECT_EQ(unpacked(film), lab::read_frames(dump.string()).coordinates);
  EXPECT_EQ(film.head.obstacles, with_obstacles.obstacles);
  EXPECT_FALSE(film.flat);
}

TEST_F(FilmTest, TakesEachSecondFrame) {
  write(head(5, 8));
  const Film film = read_film(dump, 2);
  EXPECT_EQ(film.head.frames, 4u);
  EXPECT_EQ(film.head.seconds, 1);
  const std::vector<std::uint16_t> got = unpacked(film), last = frame_at(5, 6, false);
  EXPECT_EQ(std::vector<std::uint16_t>(got.end() - 15, got.end()), last);
  EXPECT_EQ(read_film(dump, 100).head.frames, 1u);
}

TEST_F(FilmTest, KnowsAPlaneAndHowFastPointsGo) {
  write(head(5, 8), true);
  EXPECT_TRUE(read_film(dump, 1).flat);
  write(head(200, 3));
  const double fastest = read_film(dump, 1).fastest;
  EXPECT_GT(fastest, std::sqrt(6 * 6 + 5 * 5 + 4 * 4) / 65535);
  EXPECT_LT(fastest, 20.0 / 65535);  // the jump is one of 200 distances
}

TEST_F(FilmTest, OtherFilesAreRefusedInASentence) {
  const auto refused = [&](const char* sentence) {
    EXPECT_THAT([&] { read_film(dump, 1); }, throws_error(ErrorKind::usage, sentence));
  };
  refused("can't be opened: No such file");
  folder.write("a.frames", "");
  refused("is empty. Dump again.");
  folder.write("a.frames", "<!doctype html>");
  refused("is no dump of moving points");
  folder.write("a.frames", "LABFRAME");
  refused("is cut short: it has 8 bytes");
  write(head(5, 8));
  const std::string whole = folder.read("a.frames");
  folder.write("a.frames", whole.substr(0, whole.size() - 31));
  refused("is cut short: it has 6 of 8 frames");
  folder.write("a.frames", whole + "x");
  refused("continues after its last frame");
  std::string other = whole;
  other[8] = 2;
  folder.write("a.frames", other);
  refused("is a dump of version 2, and this kit reads version 1. Dump again with this kit.");
  other = whole;
  other[12] = 0;
  folder.write("a.frames", other);
  refused("has a damaged head");
  // Reading these files neither blocks nor continues endlessly.
  fs::remove(dump);
  ASSERT_EQ(::mkfifo(dump.c_str(), 0600), 0);
  refused("is a folder, a pipe or a device");
  EXPECT_THAT([&] { read_film(folder.path, 1); }, throws_error(ErrorKind::usage, "is a folder"));
  EXPECT_THAT([&] { read_film("/dev/zero", 1); }, throws_error(ErrorKind::usage, "or a device"));
}

TEST_F(FilmTest, ATooLargeDumpSuggestsASmallerOne) {
  write(head(65536, 1));
  {
    std::string begin = folder.read("a.frames").substr(0, 64);
    const std::uint32_t frames = 10000;
    std::memcpy(begin.data() + 16, &frames, 4);
    folder.write("a.frames", begin);
    fs::resize_file(dump, 64 + 6ull * 65536 * 10000);  // 3.7 GiB that take no disk space
  }
  EXPECT_THAT([&] { read_film(dump, 1); }, throws_error(ErrorKind::usage, "a page 256 MiB at most"));
  EXPECT_THAT([&] { read_film(dump, 1); }, throws_error(ErrorKind::usage, "a.frames --every 15"));
}

TEST_F(FilmTest, APageReplacesAPageAndNothingElse) {
  write(head(5, 8));
  const std::string page = film_page(read_film(dump, 1), "</script><b>&", "");
  EXPECT_THAT(page, Not(HasSubstr("</script><b>")));
  EXPECT_THAT(page, HasSubstr("&lt;/script&gt;&lt;b&gt;&amp;"));
  const fs::path file = folder.path / "a.html";
  write_page(file, page, false);
  write_page(file, page, false);
  EXPECT_EQ(folder.read("a.html"), page);
  folder.write("a.html", "thesis");
  EXPECT_THAT([&] { write_page(file, page, false); },
              throws_error(ErrorKind::usage, "is there already, and no page of grader view"));
  EXPECT_EQ(folder.read("a.html"), "thesis");
  write_page(file, page, true);
  EXPECT_EQ(folder.read("a.html"), page);
  EXPECT_THAT([&] { write_page(folder.path, page, true); }, throws_error(ErrorKind::usage, "is a folder"));
  // A missing folder is not created, since its name may be a typing error.
  EXPECT_THAT([&] { write_page(folder.path / "nowhere" / "x.html", page, true); },
              throws_error(ErrorKind::usage, "nowhere does not exist"));
  EXPECT_FALSE(fs::exists(folder.path / "nowhere"));
  EXPECT_THAT([&] { write_page(file / "x.html", page, true); },
              throws_error(ErrorKind::usage, "is no folder"));
}

}  // namespace
}  // namespace grader
