#include "view/film_page.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "base/markup.hpp"
#include "view/texts.hpp"

namespace grader {
namespace {

std::string head_json(const Film& film) {
  const lab::FramesHead& head = film.head;
  return nlohmann::json{
      {"points", head.points},   {"frames", head.frames}, {"groups", head.groups},
      {"low", head.low},         {"high", head.high},     {"radius", head.radius},
      {"seconds", head.seconds}, {"walls", head.walls},   {"obstacles", head.obstacles.size() / 4},
      {"goal", head.goal},       {"flat", film.flat},     {"fastest", film.fastest}}
      .dump();
}

/// The film's content in words.
std::string description(const Film& film, const std::string& about) {
  const lab::FramesHead& head = film.head;
  const auto counted = [](std::size_t count, const char* one, const char* many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
  };
  std::string out = fmt::format("{}{}, {}", about.empty() ? "" : about + ": ",
                                counted(head.points, film.flat ? "point of a plane" : "point",
                                        film.flat ? "points of a plane" : "points"),
                                counted(head.frames, "frame", "frames"));
  if (head.groups > 1) out += fmt::format(", {} islands", head.groups);
  const std::size_t obstacles = head.obstacles.size() / 4 - (head.goal ? 1 : 0);
  if (head.goal) out += ", a red sphere that they look for";
  if (obstacles > 0) out += ", " + counted(obstacles, "spherical obstacle", "spherical obstacles");
  if (head.walls) out += ", in a box with walls";
  return out + ".";
}

}  // namespace

std::string film_page(const Film& film, const std::string& title, const std::string& about) {
  std::string body = replace_all(player_html, "<h1 id=title></h1>", "<h1>" + foreign_text(title) + "</h1>");
  body =
      replace_all(body, "<p id=about></p>", "<p id=about>" + foreign_text(description(film, about)) + "</p>");
  std::string out = fmt::format(
      "{}\n<style>\n{}</style>\n{}"
      "<script type=application/json id=film-head>{}</script>\n<script type=text/plain id=film-data>",
      page_head(foreign_text(title), page_maker + std::string("\n")), player_css, body, head_json(film));
  out += base64(film.packed);
  out += fmt::format("</script>\n<script>\n{}</script>\n", player_js);
  return out;
}

void need_page_place(const fs::path& file, bool replace) {
  std::error_code ignored;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, ignored))
    throw Error(ErrorKind::usage,
                fmt::format("{} can't be written: {} {}.", shown(file), shown(folder),
                            fs::exists(folder, ignored) ? "is no folder" : "does not exist"),
                fs::exists(folder, ignored) ? "Name another file." : "mkdir -p " + shown(folder));
  const fs::file_status there = fs::symlink_status(file, ignored);
  if (fs::is_directory(there))
    throw Error(ErrorKind::usage, fmt::format("{} is a folder.", shown(file)),
                fmt::format("Name a file in it: -o {}", shown(file / "film.html")));
  if (fs::exists(there) && !replace) {
    std::string begin(300, '\0');
    if (fs::is_regular_file(there))
      begin.resize(
          static_cast<std::size_t>(std::ifstream(file, std::ios::binary).read(begin.data(), 300).gcount()));
    if ((begin.find(page_maker) == std::string::npos && begin.find(still_maker) == std::string::npos) ||
        !fs::is_regular_file(there))
      throw Error(ErrorKind::usage,
                  fmt::format("{} is there already, and no page of grader view.", shown(file)),
                  "Name another file with -o, or add --replace.");
  }
}

void write_page(const fs::path& file, const std::string& page, bool replace) {
  need_page_place(file, replace);
  write_file(file, page);
}

}  // namespace grader
