/// @file
/// `git push` as a way to hand in: git's smart HTTP protocol, as far as a push needs it.
///
/// The server keeps no repository. Each push meets an empty one, so that a student sees no ref, neither another
/// student's nor an own one, and sends the whole branch. git checks the objects in the sandbox (index-pack --strict)
/// and makes an archive of the commit, which is then a hand-in like any other. There are no hooks, and nothing can be
/// fetched.
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

/// The answer to a push's first request: an empty repository.
std::string git_advertisement();

/// A push's second request.
struct GitPush {
  std::vector<std::string> refs;  ///< "refs/heads/main"; none: git only tries whether it may push
  std::string commit;             ///< hexadecimal name for the last ref; only zeros: it is deleted
  bool shallow = false;           ///< the clone lacks a part of its history
  std::string_view pack;          ///< the objects, in the body
};

/// @param body outlives the result @throws Error (usage) where it is no push
GitPush read_push(const std::string& body);

/// The files of the pushed commit as a zip archive of at most largest_hand_in bytes. Few pushes are unpacked at once.
/// @param scratch a folder for folders that are removed again
/// @throws Error (usage) for several refs, for a ref that is deleted, for a shallow clone, and for objects that git
///         refuses or that are too large; (environment) where git can't run
std::string archive_of(const GitPush& push, const fs::path& scratch, const Machine& machine = this_machine());

/// The answer to a push. @param said lines that git prints, each after "remote: "
/// @param refused why the ref is rejected, in a few words; empty: it is accepted
std::string push_answer(const GitPush& push, const std::string& said, const std::string& refused);

}  // namespace grader
