#include "course/file_name.hpp"

#include <span>

#include "base/columns.hpp"
#include "base/regex.hpp"
#include "workspace/lab_files.hpp"

namespace grader {
namespace {

const char* const archive_ends[] = {".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar.zst"};
const char* const unreadable_ends[] = {".rar", ".7z",  ".gz",   ".bz2", ".xz",
                                       ".zst", ".lz4", ".lzma", ".cab", ".iso"};

std::string end_of(const std::string& name, std::span<const char* const> ends) {
  const std::string small = lower(name);
  for (const std::string end : ends)
    if (small.size() > end.size() && small.ends_with(end)) return end;
  return "";
}

}  // namespace

PlainName plain_name(const std::string& name) {
  std::string small = lower(name);
  static const Regex as_text(R"(^(.+\.(?:cu|cuh|cpp|h|hpp|inl))\.txt$)");
  if (const auto m = as_text.match(small)) small = (*m)[1];
  static const Regex copied(R"(^(.+?)(?: ?\((\d{1,3})\)|-(\d{1,3}))(\.[a-z]+)$)");
  const auto m = copied.match(small);
  if (!m) return {small};
  return {(*m)[1] + (*m)[4], std::stoul(m->has(2) ? (*m)[2] : (*m)[3])};
}

bool is_named_as_source(const std::string& name) {
  return is_source(plain_name(name).name);
}

std::string archive_end(const std::string& name) {
  return end_of(name, archive_ends);
}

std::string unreadable_archive_end(const std::string& name) {
  return archive_end(name).empty() ? end_of(name, unreadable_ends) : "";
}

}  // namespace grader
