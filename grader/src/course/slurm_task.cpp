#include "course/slurm_task.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "base/scratch.hpp"
#include "course/local_executor.hpp"

namespace grader {

fs::path node_folder(const fs::path& scratch) {
  std::error_code failed;
  fs::path parent = scratch.empty() ? fs::temp_directory_path(failed) : scratch;
  if (failed) parent = "/tmp";
  // Each node has its own folder, even if nodes share the parent: the process numbers in it are the node's.
  const fs::path folder = parent / fmt::format("cuda-lab-kit-{}-{}", geteuid(), host_name());
  make_private_folder(folder);
  return folder;
}

void grade_share(const Kit& kit, const Toolchain& toolchain, const Lab& lab, const fs::path& round, int task,
                 Share share) {
  for (WorkItem& item : share.items) {
    item.submission.lab = &lab;
    summarise(item.submission);
  }
  LocalExecutor executor(kit, toolchain, {share.backend, share.workers, share.secret},
                         [&](std::size_t item) { write_begun(round, task, share.items[item].id); });
  executor.grade_all(share.items, [&](std::size_t item, const Grading& grading) {
    write_result(round, share.items[item].id, grading);
  });
}

}  // namespace grader
