// Chromium typesets both MathML and page boxes; WeasyPrint leaves formulas out.
#include "base/files.hpp"
#include "handout/print.hpp"
#include "process/process.hpp"

namespace grader {
namespace {

constexpr std::uintmax_t largest_pdf = 256 << 20;

fs::path chromium() {
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"})
    if (const fs::path program = find_program(name); !program.empty()) return program;
  throw Error(ErrorKind::environment, "A PDF needs Chromium, which is not installed.",
              "apt-get install chromium, or --html FILE, which any browser prints");
}

}  // namespace

void write_pdf(const std::string& page, const fs::path& file, const fs::path& scratch) {
  const fs::path from = fs::absolute(scratch) / "page.html", to = fs::absolute(scratch) / "page.pdf";
  ProcessRequest request;
  // The page has no script, and its whole text is the kit's. So Chromium runs without its sandbox, which can start
  // neither as root nor in most containers.
  request.argv = {chromium().string(),
                  "--headless",
                  "--no-sandbox",
                  "--disable-gpu",
                  "--disable-dev-shm-usage",
                  "--no-pdf-header-footer",
                  "--user-data-dir=" + (scratch / "profile").string(),
                  "--print-to-pdf=" + to.string(),
                  "file://" + from.string()};
  request.environment["HOME"] = scratch.string();
  request.limits.wall_s = 300;
  write_file(from, page);
  const ProcessResult result = run_own_process(request);
  if (!result.ok() || !fs::exists(to))
    throw Error(ErrorKind::environment, "Chromium prints no PDF: it " + describe_end(result) + ".",
                "--html FILE, and print it from a browser");
  write_file(file, read_file(to, largest_pdf));
}

}  // namespace grader
