// Compares the written pages with the tree: paths that pages name exist, and the maps list the existing files.
//
// Pages are README.md, CONTRIBUTING.md, docs/*.md, docs/theory/*.md, and each README.md beside a part in
// common/ and grader/. A path is code between backticks that looks like a path. It is found if a file or folder
// of the kit ends with it; `*`, `<lab>` and words in capitals match any name.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "kit_tree.hpp"

namespace {

namespace fs = std::filesystem;

using kit_tree::lines_of;
using kit_tree::output_of;
using kit_tree::read;
using kit_tree::root;

/// Returns the kit's files, and all folders that contain files.
const std::set<std::string>& tree() {
  static const std::set<std::string> all = [] {
    std::set<std::string> found = kit_tree::files();
    for (const std::string& file : kit_tree::files())
      for (fs::path folder = fs::path(file).parent_path(); !folder.empty(); folder = folder.parent_path())
        found.insert(folder.string());
    return found;
  }();
  return all;
}

struct Span {
  std::size_t line;  ///< from 1
  std::string text;
};

struct Page {
  std::string path;               ///< from the root
  std::vector<std::string> text;  ///< its lines
  std::vector<Span> spans;        ///< code between backticks
  std::vector<Span> commands;     ///< lines of code blocks
  std::vector<Span> links;        ///< targets

  std::string folder() const { return fs::path(path).parent_path().string(); }
  std::string place(const Span& span) const { return path + ":" + std::to_string(span.line); }
};

Page read_page(const std::string& path) {
  static const std::regex span("`([^`]+)`"), link(R"(\]\(([^)\s]+)\))");
  Page page;
  page.path = path;
  page.text = lines_of(read(root / path));
  bool fenced = false, paragraph = false;
  for (std::size_t i = 0; i < page.text.size(); ++i) {
    const std::string& line = page.text[i];
    const bool blank = line.find_first_not_of(' ') == line.npos;
    if (line.rfind("```", 0) == 0) {
      fenced = !fenced;
      continue;
    }
    if (fenced || (line.rfind("    ", 0) == 0 && !paragraph && !blank)) {
      page.commands.push_back({i + 1, line});
      continue;
    }
    paragraph = !blank;
    for (std::sregex_iterator at(line.begin(), line.end(), span), end; at != end; ++at)
      page.spans.push_back({i + 1, (*at)[1]});
    const std::string prose = std::regex_replace(line, span, "");
    for (std::sregex_iterator at(prose.begin(), prose.end(), link), end; at != end; ++at)
      page.links.push_back({i + 1, (*at)[1]});
  }
  return page;
}

const std::vector<Page>& pages() {
  static const std::vector<Page> all = [] {
    static const std::regex wanted(
        R"(README\.md|CONTRIBUTING\.md|docs/(theory/)?[^/]+\.md|(common|grader)/(?!.*tests/).*README\.md)");
    std::vector<Page> found;
    for (const std::string& file : tree())
      if (std::regex_match(file, wanted)) found.push_back(read_page(file));
    return found;
  }();
  return all;
}

/// `docs/x.md` with `..` taken out.
std::string from_root(const std::string& folder, const std::string& relative) {
  std::string path = (fs::path(folder) / relative).lexically_normal().string();
  if (!path.empty() && path.back() == '/') path.pop_back();
  return path;
}

/// GitHub's anchor of a heading.
std::string slug(const std::string& heading) {
  std::string result;
  for (const char c : heading) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || (c & 0x80) != 0)
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (c == ' ')
      result += '-';
  }
  return result;
}

bool has_heading(const std::string& path, const std::string& anchor) {
  static const std::regex heading(R"(^#+ (.*?)( *\{#([\w-]+)\})?$)");
  for (const std::string& line : lines_of(read(root / path))) {
    std::smatch found;
    if (std::regex_match(line, found, heading) && (slug(found[1]) == anchor || found[3] == anchor))
      return true;
  }
  return false;
}

TEST(Pages, LinksLeadSomewhere) {
  if (tree().empty()) GTEST_SKIP() << "the kit is no git repository here";
  for (const Page& page : pages()) {
    for (const Span& link : page.links) {
      if (link.text.find("://") != link.text.npos || link.text[0] == '@' ||
          link.text.rfind("mailto:", 0) == 0)
        continue;
      const std::size_t hash = link.text.find('#');
      const std::string file = link.text.substr(0, hash);
      const std::string target = file.empty() ? page.path : from_root(page.folder(), file);
      EXPECT_TRUE(tree().count(target) == 1) << page.place(link) << ": there is no " << target;
      if (hash == link.text.npos || fs::path(target).extension() != ".md") continue;
      EXPECT_TRUE(has_heading(target, link.text.substr(hash + 1)))
          << page.place(link) << ": no heading of " << target << " makes " << link.text.substr(hash);
    }
  }
}

// ---- paths

bool looks_like_a_path(const std::string& text) {
  static const std::regex path(R"([\w.+<>*-]+(/[\w.+<>*-]+)*/?)");
  static const std::regex file(R"(.*\.(cpp|hpp|h|cu|cuh|inc|def|md|sh|toml|cmake|css|expected|suppressed))");
  if (!std::regex_match(text, path)) return false;
  return text.find('/') != text.npos || std::regex_match(text, file);
}

/// Returns whether the build, a grading or a user creates the file, or the name stands for any file in an example.
bool is_made_later(const std::string& text) {
  static const std::regex made(
      R"((build|bin|lib|cuda|work|backups|share|\.grader|D)/.*|include/emu|[ax](_test)?\.\w+|prog\.cu|\.[a-z]+|class\.toml|GB/s)");
  return std::regex_match(text, made);
}

/// Returns a pattern for paths that may end with `text`.
std::regex ending(std::string text) {
  while (!text.empty() && text.back() == '/') text.pop_back();
  std::string pattern;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '<') {
      i = text.find('>', i);
      pattern += "[^/]*";
    } else if (text[i] == '*') {
      pattern += "[^/]*";
    } else if (std::isupper(static_cast<unsigned char>(text[i])) != 0 && i + 1 < text.size() &&
               std::isupper(static_cast<unsigned char>(text[i + 1])) != 0) {
      while (i + 1 < text.size() && std::isupper(static_cast<unsigned char>(text[i + 1])) != 0) ++i;
      pattern += "[^/]*";
    } else {
      pattern += std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_' || text[i] == '/'
                     ? std::string(1, text[i])
                     : std::string("\\") + text[i];
    }
  }
  return std::regex("(.*/)?" + pattern);
}

bool is_there(const Page& page, std::string text) {
  if (text.rfind("../", 0) == 0) text = from_root(page.folder(), text);
  if (tree().count(from_root("", text)) == 1) return true;
  const std::regex wanted = ending(text);
  return std::any_of(tree().begin(), tree().end(),
                     [&](const std::string& path) { return std::regex_match(path, wanted); });
}

TEST(Pages, PathsAreThere) {
  if (tree().empty()) GTEST_SKIP() << "the kit is no git repository here";
  std::size_t seen = 0;
  std::map<std::string, bool> known;
  for (const Page& page : pages()) {
    for (const Span& span : page.spans) {
      if (!looks_like_a_path(span.text) || is_made_later(span.text)) continue;
      ++seen;
      const auto [at, fresh] = known.try_emplace(page.folder() + "\n" + span.text, false);
      if (fresh) at->second = is_there(page, span.text);
      EXPECT_TRUE(at->second) << page.place(span) << ": there is no " << span.text;
    }
  }
  EXPECT_GT(seen, 100U);
}

// ---- commands

/// Returns the words of a help text's first column.
std::set<std::string> options_in(const std::string& help) {
  static const std::regex option(R"((^|[\s,])(--?[A-Za-z][\w-]*))");
  std::set<std::string> all;
  for (std::sregex_iterator at(help.begin(), help.end(), option), end; at != end; ++at) all.insert((*at)[2]);
  return all;
}

/// Returns the commands that `grader --help` lists: lines that begin with two blanks and a name.
std::set<std::string> verbs() {
  static const std::regex verb(R"(^  ([a-z][a-z-]*)( .*)?$)");
  std::set<std::string> all;
  for (const std::string& line : lines_of(output_of(std::string(KIT_BINARY_DIR) + "/bin/grader --help"))) {
    std::smatch found;
    if (std::regex_match(line, found, verb)) all.insert(found[1]);
  }
  return all;
}

TEST(Pages, CommandsAreThoseOfTheGrader) {
  if (tree().empty()) GTEST_SKIP() << "the kit is no git repository here";
  const std::string grader = std::string(KIT_BINARY_DIR) + "/bin/grader";
  const std::set<std::string> known = verbs();
  ASSERT_GT(known.size(), 5U);
  static const std::regex use(R"((^|[\s`(])grader ([a-zA-Z][\w.-]*)([^|;&#`]*))"),
      option(R"((^|\s)(--[a-z][\w-]*))");
  std::map<std::string, std::set<std::string>> options;
  std::size_t seen = 0;
  for (const Page& page : pages()) {
    for (const auto* kind : {&page.spans, &page.commands}) {
      for (const Span& span : *kind) {
        for (std::sregex_iterator at(span.text.begin(), span.text.end(), use), end; at != end; ++at) {
          std::string verb = (*at)[2];
          const std::string words = (*at)[3];
          const std::string rest = words.substr(0, words.find(" -- "));    // then the program's own
          if (verb.rfind("lab", 0) == 0 || verb == "LAB") verb = "grade";  // a lab alone means grading it
          if (verb == "VERB") continue;
          // In a code block, prose may follow the command: `grader LAB   the same` contains no verb after LAB.
          if (kind == &page.commands && known.count(verb) == 0 &&
              span.text.find("$ grader") == span.text.npos && span.text.find("    grader") != 0)
            continue;
          ++seen;
          EXPECT_TRUE(known.count(verb) == 1) << page.place(span) << ": no command " << verb;
          if (known.count(verb) == 0) continue;
          if (options.count(verb) == 0)
            options[verb] = options_in(output_of(grader + " " + verb + " --help"));
          for (std::sregex_iterator o(rest.begin(), rest.end(), option); o != end; ++o)
            EXPECT_TRUE(options[verb].count((*o)[2]) == 1)
                << page.place(span) << ": grader " << verb << " has no " << (*o)[2];
        }
      }
    }
  }
  EXPECT_GT(seen, 20U);
}

TEST(Pages, OptionsAreThoseOfEmucc) {
  const std::set<std::string> known =
      options_in(output_of(std::string(KIT_BINARY_DIR) + "/bin/emucc --help"));
  ASSERT_GT(known.size(), 20U);
  static const std::regex use(R"((^|[\s`(])emucc ([^|;&#`]*))"), option(R"((^|\s)(--[a-z][\w-]*))");
  for (const Page& page : pages()) {
    for (const auto* kind : {&page.spans, &page.commands}) {
      for (const Span& span : *kind) {
        for (std::sregex_iterator at(span.text.begin(), span.text.end(), use), end; at != end; ++at) {
          const std::string rest = (*at)[2];
          for (std::sregex_iterator o(rest.begin(), rest.end(), option); o != end; ++o)
            EXPECT_TRUE(known.count((*o)[2]) == 1) << page.place(span) << ": emucc has no " << (*o)[2];
        }
      }
    }
  }
}

// ---- maps

/// Returns the folders directly in a folder, except hidden folders.
std::set<std::string> folders_in(const std::string& folder) {
  std::set<std::string> found;
  for (const std::string& path : tree()) {
    if (!folder.empty() && path.rfind(folder + "/", 0) != 0) continue;
    const std::string rest = folder.empty() ? path : path.substr(folder.size() + 1);
    const std::size_t slash = rest.find('/');
    if (slash != rest.npos && rest[0] != '.') found.insert(rest.substr(0, slash));
  }
  return found;
}

/// Returns the modules of a folder, without tests.
std::set<std::string> modules_in(const std::string& folder) {
  static const std::regex source(R"((\w+)\.(hpp|cpp))");
  std::set<std::string> found;
  for (const std::string& path : tree()) {
    if (fs::path(path).parent_path().string() != folder) continue;
    std::smatch name;
    const std::string file = fs::path(path).filename().string();
    if (std::regex_match(file, name, source) && file.find("_test.") == file.npos &&
        file.find("_test_") == file.npos)
      found.insert(name[1]);
  }
  return found;
}

TEST(Maps, HaveEachFolderOnceAndNoOther) {
  if (tree().empty()) GTEST_SKIP() << "the kit is no git repository here";
  static const std::regex entry(R"(^    ([\w.]+)/ .*)");
  std::size_t maps = 0;
  for (const Page& page : pages()) {
    std::set<std::string> named;
    bool inside = false;
    for (const std::string& line : page.text) {
      if (line.rfind("#", 0) == 0) inside = line == "## Map" || line == "## Folders";
      std::smatch found;
      if (!inside || !std::regex_match(line, found, entry)) continue;
      EXPECT_TRUE(named.insert(found[1]).second) << page.path << ": twice in the map: " << found[1];
    }
    if (named.empty()) continue;
    ++maps;
    EXPECT_EQ(named, folders_in(page.folder())) << page.path;
  }
  EXPECT_GE(maps, 4U);
}

TEST(Maps, HaveEachModule) {
  if (tree().empty()) GTEST_SKIP() << "the kit is no git repository here";
  for (const Page& page : pages()) {
    if (page.folder().empty()) continue;
    std::string all;
    for (const Span& span : page.spans) all += " " + span.text + " ";
    const bool mapped = std::find(page.text.begin(), page.text.end(), "## Map") != page.text.end();
    if (!mapped) continue;
    for (const std::string& folder : folders_in(page.folder()))
      EXPECT_NE((read(root / page.path)).find(folder + "/"), std::string::npos)
          << page.path << " does not name the folder " << folder;
    for (const std::string& module : modules_in(page.folder())) {
      const bool by_itself =
          all.find(" " + module + ".hpp ") != all.npos || all.find(" " + module + ".cpp ") != all.npos;
      const bool by_pattern = module.rfind("rule_", 0) == 0 && all.find(" rule_*.cpp ") != all.npos;
      EXPECT_TRUE(by_itself || by_pattern) << page.path << " does not name " << module;
    }
  }
}

// docs/figures/rooms.svg must be Graphviz's drawing of build/rooms.dot without arrows that other arrows imply.
TEST(Rooms, AreDrawnAsTheyAreDeclared) {
  static const std::regex title("<title>([a-z_]+)(?:&#45;&gt;([a-z_]+))?</title>");
  std::set<std::string> drawn;
  std::map<std::string, std::set<std::string>> arrows, declared;
  const std::string svg = read(root / "docs/figures/rooms.svg");
  for (std::sregex_iterator at(svg.begin(), svg.end(), title), end; at != end; ++at) {
    if ((*at)[2].matched)
      arrows[(*at)[1]].insert((*at)[2]);
    else if ((*at)[1] != "rooms")
      drawn.insert((*at)[1]);
  }
  std::set<std::string> rooms;
  for (const std::string& line : lines_of(read(fs::path(KIT_BINARY_DIR) / "rooms.txt"))) {
    std::istringstream words(line.substr(line.find(':') + 1));
    const std::string room = line.substr(0, line.find(':'));
    rooms.insert(room);
    for (std::string other; words >> other;) declared[room].insert(other);
  }
  const char* const again = "cmake --build build --target rooms draws them anew";
  EXPECT_EQ(drawn, rooms) << again;
  for (const auto& [room, others] : arrows)
    for (const std::string& other : others)
      EXPECT_EQ(declared[room].count(other), 1U) << room << " -> " << other << " is not declared; " << again;
  for (const auto& [room, others] : declared) {
    std::set<std::string> reached = arrows[room];
    for (std::size_t before = 0; before != reached.size();) {
      before = reached.size();
      for (const std::string& one : std::set<std::string>(reached))
        reached.insert(arrows[one].begin(), arrows[one].end());
    }
    for (const std::string& other : others)
      EXPECT_EQ(reached.count(other), 1U) << room << " -> " << other << " is not drawn; " << again;
  }
}

}  // namespace
