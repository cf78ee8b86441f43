/// @file
/// A small kit for tests, with one lab of two parts and two levels.
#pragma once
#include <cstdlib>

#include "base/test_folder.hpp"
#include "catalog/catalog.hpp"

namespace grader {

struct TestKit : TestFolder {
  Kit kit{path};

  TestKit() {
    unsetenv("GRADER_HOME");
    unsetenv("GRADER_WORKSPACE");
    write("labs/lab1.1-scale/lab.toml", R"(format = 1
id = "lab1.1"
name = "scale"
title = "Scale a vector"
levels = 2
[[part]]
id = 1
title = "Kernel"
points = 1
hints = ["first", "second"]
[[part]]
id = 2
title = "Launch"
points = 1
levels = [2]
[[case]]
id = "lines"
)");
    write("labs/lab1.1-scale/README.md", "# Scale a vector\n");
    write("labs/lab1.1-scale/given/scale.h", "#pragma once\n");
    write("labs/lab1.1-scale/level1/scale.cu", level1);
    write("labs/lab1.1-scale/level2/scale.cu", level2);
    write("solutions/lab1.1-scale/scale.cu", solution);
  }

  Lab lab() const { return parse_lab(path / "labs/lab1.1-scale/lab.toml"); }
  fs::path level(int n) const { return path / "labs/lab1.1-scale" / ("level" + std::to_string(n)); }
  /// The student's folder for level `n`, which open_workspace() makes.
  fs::path work(int n) const { return path / "work/lab1.1" / ("level" + std::to_string(n)); }

  /// Commits all files. @return false if there is no git
  bool commit() const {
    const std::string git =
        "git -C '" + path.string() + "' -c user.name=t -c user.email=t@t -c commit.gpgsign=false ";
    return std::system((git + "init -q && " + git + "add -f . && " + git + "commit -q -m t").c_str()) == 0;
  }

  static constexpr const char* solution = R"(#include "scale.h"
v[i] *= 2;
const int blocks = 1;
launch(blocks);
)";
  static constexpr const char* level1 = R"(#include "scale.h"
// ---- part 1: double it (one line) ----
LAB_TODO(1);
// ---- end of part 1 ----
const int blocks = 1;
launch(blocks);
)";
  static constexpr const char* level2 = R"(#include "scale.h"
// ---- part 1: double it (one line) ----
LAB_TODO(1);
// ---- end of part 1 ----
const int blocks = 1;
// ---- part 2: launch it (one line) ----
LAB_TODO(2);
// ---- end of part 2 ----
)";
};

}  // namespace grader
