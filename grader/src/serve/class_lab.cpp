#include "serve/class_lab.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "course/file_name.hpp"
#include "course/identity.hpp"

namespace grader {

ClassLab::ClassLab(const Kit& kit, const Lab& its_lab, const fs::path& file, fs::path its_folder,
                   ClassFile course, Backend backend, std::unique_ptr<Executor> its_executor)
    : lab(its_lab),
      level(course.level),
      form(read_form(kit, its_lab, course.level)),
      folder(std::move(its_folder)),
      executor(std::move(its_executor)),
      file_(file),
      backend_(backend),
      course_(std::make_shared<const ClassFile>(std::move(course))),
      stamp_(stamp()) {}

std::string ClassLab::stamp() const {
  std::string out;
  for (const fs::path& file : {file_, course_->roster, course_->comments_file}) {
    std::error_code failed;
    out += fmt::format("{} {}\n", fs::file_size(file, failed),
                       fs::last_write_time(file, failed).time_since_epoch().count());
  }
  return out;
}

std::shared_ptr<const ClassFile> ClassLab::course() {
  const std::lock_guard lock(mutex_);
  const std::string now = stamp();
  if (now == stamp_) return course_;
  try {
    ClassFile fresh = read_class_file(file_);
    need_ids_as_folders(fresh);
    // The records and the folder belong to these three settings. The server must be restarted to change them.
    fresh.name = course_->name;
    fresh.lab = course_->lab;
    fresh.level = course_->level;
    course_ = std::make_shared<const ClassFile>(std::move(fresh));
    problem_.clear();
    stamp_ = stamp();
  } catch (const Error& e) {
    problem_ = fmt::format("{} The class file before this change is used.", e.what());
    stamp_ = now;
  }
  return course_;
}

std::string ClassLab::problem() {
  const std::lock_guard lock(mutex_);
  return problem_;
}

CourseOptions ClassLab::options() {
  CourseOptions out;
  out.folder = folder;
  out.others = {file_};
  out.course = *course();
  out.backend = backend_;
  return out;
}

FoundHandIns ClassLab::find(const std::string& student) {
  FoundHandIns out;
  try {
    out = find_hand_ins(folder, {file_}, *course());
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::usage) throw;
    return out;  // no hand-in has arrived yet
  }
  if (!student.empty()) std::erase_if(out.all, [&](const HandIn& one) { return one.student != student; });
  return out;
}

GradedClass ClassLab::graded(const Kit& kit, Records& records, FoundHandIns found) {
  OnRecord none;
  return grade_hand_ins(kit, lab, records, options(), std::move(found), none);
}

void need_ids_as_folders(const ClassFile& course) {
  for (const auto& [id, student] : course.students) {
    const bool plain = !id.empty() && id.size() <= 100 && id[0] != '.' && printable(id) == id &&
                       id.find('/') == std::string::npos && archive_end(id).empty() &&
                       unreadable_archive_end(id).empty();
    if (!plain || platform_name(id, true) ||
        ids_of({{.name = id, .number = ""}}, course.students).front() != id)
      throw Error(ErrorKind::usage, fmt::format("The id \"{}\" can't be a folder's name.", printable(id)),
                  "give the student another id in the class file");
  }
}

}  // namespace grader
