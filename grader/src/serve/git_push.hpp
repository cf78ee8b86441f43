/// @file
/// Handing in by `git push`: the part of git's smart HTTP protocol that a push needs.
///
/// The server keeps no repository. Each push meets an empty one, so the client sends the whole branch, and
/// sees no ref of any student. In the sandbox, git checks the objects (index-pack --strict) and makes an
/// archive of the commit. This archive is a hand-in like any other. No hook runs, and nothing can be fetched.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/filesystem.hpp"
#include "process/machine.hpp"

namespace grader {

inline constexpr const char* advertisement_type = "application/x-git-receive-pack-advertisement";
inline constexpr const char* push_answer_type = "application/x-git-receive-pack-result";

/// Whether this machine has git.
bool takes_pushes();

/// The answer to the first request of a push: it describes an empty repository.
std::string git_advertisement();

/// The second request of a push.
struct GitPush {
  std::vector<std::string> refs;  ///< such as "refs/heads/main"; empty: git only tests whether it may push
  std::string commit;             ///< hexadecimal name for the last ref; all zeros: the ref is deleted
  bool shallow = false;           ///< whether the clone lacks a part of its history
  std::string_view pack;          ///< the objects: a part of the body
};

/// @param body the request's body, which must outlive the result
/// @throws Error (usage) when the body is no push
GitPush read_push(const std::string& body);

/// Makes a zip archive of the files of the pushed commit, with at most largest_hand_in bytes. Several threads
/// may call it at once; only a few pushes are unpacked at the same time.
/// @param scratch a folder in which temporary folders are created and removed
/// @throws Error (usage) for several refs, a deleted ref or a shallow clone, and when git refuses the objects
///   or they are too large; (environment) when git can't run
std::string archive_of(const GitPush& push, const fs::path& scratch, const Machine& machine = this_machine());

/// The answer to a push.
/// @param said lines for the terminal, where git prints "remote: " before each
/// @param refused why the ref is rejected, in a few words; empty: it is accepted
std::string push_answer(const GitPush& push, const std::string& said, const std::string& refused);

}  // namespace grader
