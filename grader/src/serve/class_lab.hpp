/// @file
/// One lab of a class that the server serves: its class file, and the folder around that file with the
/// hand-ins.
#pragma once
#include <memory>
#include <mutex>

#include "course/course.hpp"
#include "course/receive.hpp"

namespace grader {

class ClassLab {
 public:
  /// @param file the class file
  /// @param folder the folder of the hand-ins, which contains the class file
  /// @param executor grades the hand-ins; several threads use it at once
  ClassLab(const Kit& kit, const Lab& lab, const fs::path& file, fs::path folder, ClassFile course,
           Backend backend, std::unique_ptr<Executor> executor);

  const Lab& lab;
  const int level;
  const LevelForm form;
  const fs::path folder;
  const std::unique_ptr<Executor> executor;

  /// The class file as it is now, since students, deadlines and comments may change while the server runs. If
  /// the file has a mistake, returns the last version without a mistake, and problem() returns the mistake.
  std::shared_ptr<const ClassFile> course();
  std::string problem();
  /// The options of the present class file.
  CourseOptions options();

  /// All hand-ins, or those of one student. Empty if nothing was handed in.
  FoundHandIns find(const std::string& student = {});
  /// The graded hand-ins among `found`, with their gradings.
  GradedClass graded(const Kit& kit, Records& records, FoundHandIns found);

 private:
  std::string stamp() const;

  const fs::path file_;
  const Backend backend_;
  std::mutex mutex_;  ///< protects the following members
  std::shared_ptr<const ClassFile> course_;
  std::string stamp_, problem_;
};

/// @throws Error (usage) when a student's id can't be a folder's name
void need_ids_as_folders(const ClassFile& course);

}  // namespace grader
