/// @file
/// The inputs of one object: the submission's files that a source includes, and the command-line macros that
/// it may use. Both are found in the text, without a preprocessor. If it is unclear whether a file is
/// included, it counts: an include of a macro counts as all files, an include in a comment or an untaken
/// branch counts like any other, and files are matched by their base names. The name of a macro in a comment
/// or a string is no use of the macro, since sources mention parameters of other files.
#pragma once
#include <map>
#include <memory>
#include <unordered_set>

#include "workspace/workspace.hpp"

namespace grader {

/// The words and the includes of a text.
struct ScannedText {
  std::unordered_set<std::string> words;  ///< identifiers and numbers in code, also in branches not taken
  /// Names as written between quotes or angle brackets, in order, without duplicates.
  std::vector<std::string> included;
  bool unclear = false;  ///< whether the text names files in a way that this scanner does not understand
};
ScannedText scan_text(const std::string& text);

class Included {
 public:
  /// @param folders folders of headers outside of the submission: the kit's, the emulation's or the toolkit's
  Included(const Submission& submission, std::vector<fs::path> folders);

  /// The submission's files that may become part of a source's object, including the source, in the submission's
  /// order.
  std::vector<const SubmissionFile*> files_of(const SubmissionFile& source) const;

  /// Whether a source, or a file of the submission that it includes, includes a header whose name begins with
  /// `folder`.
  bool includes_from(const std::string& folder, const SubmissionFile& source) const;

  /// Whether -DNAME may change a source's object. This is so if the name occurs in one of its files, or in a
  /// header of `folders` that these include, or can be pasted (##) from words that do. Headers of the system
  /// are not read: the only names in capitals that they use are NDEBUG and reserved names. So only for a name
  /// in capitals can the function return false.
  bool macro_counts(const std::string& macro, const SubmissionFile& source) const;

 private:
  using Texts = std::vector<const ScannedText*>;

  std::vector<std::size_t> reached_from(std::size_t source) const;
  std::size_t index_of(const SubmissionFile& file) const;
  bool add_headers(const ScannedText& text, const fs::path& beside, Texts& all,
                   std::unordered_set<std::string>& seen) const;
  const ScannedText* header(const fs::path& file) const;

  const Submission& submission_;
  std::vector<fs::path> folders_;
  std::vector<ScannedText> texts_;                      ///< texts of the submission's files, in their order
  std::vector<std::unordered_set<std::string>> names_;  ///< base names of the files that each text includes
  mutable std::map<fs::path, std::shared_ptr<const ScannedText>> headers_;  ///< null: the file is missing
};

}  // namespace grader
