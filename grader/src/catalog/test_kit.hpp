/// @file
/// For tests: a small kit with one lab of two parts and two levels.
#pragma once
#include <cstdlib>

#include "base/test_folder.hpp"
#include "catalog/catalog.hpp"

namespace grader {

struct TestKit : TestFolder {
  Kit kit{path};

  TestKit() {
    unsetenv("GRADER_HOME");
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
[[case]]
id = "lines"
)");
    write("labs/lab1.1-scale/README.md", "# Scale a vector\n");
    write("solutions/lab1.1-scale/scale.cu", solution);
    write("solutions/lab1.1-scale/scale.h", "#pragma once\n");
  }

  Lab lab() const { return parse_lab(path / "labs/lab1.1-scale/lab.toml"); }
  fs::path level(int n) const { return path / "labs/lab1.1-scale" / ("level" + std::to_string(n)); }

  /// Commits all that is there. @return false where there is no git
  bool commit() const {
    const std::string git =
        "git -C '" + path.string() + "' -c user.name=t -c user.email=t@t -c commit.gpgsign=false ";
    return std::system((git + "init -q && " + git + "add -f . && " + git + "commit -q -m t").c_str()) == 0;
  }

  static constexpr const char* solution = R"(#include "scale.h"
//@part 1 "Kernel" levels=1-2
v[i] *= 2;
//@stub 1-2
//| LAB_TODO(1);
//@end
//@part 2 "Launch" levels=2
launch();
//@stub 2
//| LAB_TODO(2);
//@end
)";
  static constexpr const char* level1 = "#include \"scale.h\"\nLAB_TODO(1);\nlaunch();\n";
  static constexpr const char* level2 = "#include \"scale.h\"\nLAB_TODO(1);\nLAB_TODO(2);\n";
};

}  // namespace grader
