#include "chapters.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <stdexcept>

namespace site {
namespace {

bool fits_at(const char* pattern, const char* path) {
  for (; *pattern != '\0'; ++pattern, ++path) {
    if (*pattern == '*') {
      const bool folders = pattern[1] == '*';
      for (const char* rest = path;; ++rest) {
        if (fits_at(pattern + (folders ? 2 : 1), rest)) return true;
        if (*rest == '\0' || (*rest == '/' && !folders)) return false;
      }
    }
    if (*pattern != *path) return false;
  }
  return *path == '\0';
}

std::string xml(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '"')
      out += "&quot;";
    else if (c != '`')
      out += c;
  }
  return out;
}

}  // namespace

bool fits(const std::string& pattern, const std::string& path) {
  return fits_at(pattern.c_str(), path.c_str());
}

std::vector<Chapter> chapters(const std::string& description, const std::vector<fs::path>& files) {
  std::vector<std::string> lines;
  std::set<std::string> named;  // pages that a chapter names; patterns skip them
  std::istringstream in(description);
  for (std::string line; std::getline(in, line);) {
    line = line.substr(0, line.find('#'));
    const std::size_t from = line.find_first_not_of(' ');
    if (from == std::string::npos) continue;
    line.erase(line.find_last_not_of(' ') + 1);
    if (from > 0 && line.find('*') == std::string::npos) named.insert(line.substr(from));
    lines.push_back(line);
  }
  std::vector<Chapter> out;
  std::set<fs::path> taken;
  for (const std::string& line : lines) {
    if (line[0] != ' ') {
      out.push_back({line, {}});
      continue;
    }
    if (out.empty()) throw std::runtime_error("chapters.txt: a pattern before the first chapter");
    const std::string pattern = line.substr(line.find_first_not_of(' '));
    bool any = false;
    for (const fs::path& file : files) {
      if (!fits(pattern, file.generic_string())) continue;
      any = true;
      if (pattern != file && named.count(file.generic_string()) > 0) continue;
      if (taken.insert(file).second) out.back().pages.push_back(file);
    }
    if (!any) throw std::runtime_error("chapters.txt: no page fits " + pattern);
  }
  for (const fs::path& file : files) {
    if (taken.count(file) == 0)
      throw std::runtime_error("chapters.txt: no chapter has a place for " + file.generic_string());
  }
  return out;
}

std::string layout(const std::vector<Chapter>& chapters, const Pages& pages) {
  std::string out = "<doxygenlayout version=\"1.0\">\n<navindex>\n";
  for (const char* unused : {"mainpage", "pages", "modules", "examples"})
    out += std::string("<tab type=\"") + unused + "\" visible=\"no\"/>\n";
  for (const Chapter& chapter : chapters) {
    out += "<tab type=\"usergroup\" url=\"[none]\" title=\"" + xml(chapter.title) + "\">\n";
    for (const fs::path& file : chapter.pages) {
      const Page& page = pages.at(file);
      out += "  <tab type=\"user\" url=\"" + (page.id == "index" ? "index.html" : "@ref " + page.id) +
             "\" title=\"" + xml(page.title) + "\"/>\n";
    }
    out += "</tab>\n";
  }
  return out +
         "<tab type=\"usergroup\" url=\"[none]\" title=\"Reference\">\n"
         "  <tab type=\"classlist\" visible=\"yes\" title=\"Types\" intro=\"\"/>\n"
         "  <tab type=\"namespacelist\" visible=\"yes\" title=\"Namespaces\" intro=\"\"/>\n"
         "  <tab type=\"namespacemembers\" visible=\"yes\" title=\"Functions\" intro=\"\"/>\n"
         "  <tab type=\"filelist\" visible=\"yes\" title=\"Files\" intro=\"\"/>\n"
         "</tab>\n</navindex>\n</doxygenlayout>\n";
}

}  // namespace site
