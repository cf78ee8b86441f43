/// @file
/// What one object is made of: the files of a submission that a source includes, and the macros of the
/// command line that it may look at. Both are read from the text, without a preprocessor, and where the text
/// leaves a doubt, what is in doubt counts: an include whose name is not written out stands for all files,
/// one that stands in a comment or in a branch that is not taken counts like the others, and files are matched
/// by their names alone, whatever folders stand before them. A macro's name in a comment or a string is no use
/// of it: sources speak of parameters that stand elsewhere.
#pragma once
#include <map>
#include <memory>
#include <unordered_set>

#include "workspace/workspace.hpp"

namespace grader {

/// A text's words and what it includes.
struct ScannedText {
  std::unordered_set<std::string> words;  ///< identifiers and numbers in code, also in branches not taken
  std::vector<std::string> included;  ///< as written between quotes or angle brackets, in order, each once
  bool unclear = false;               ///< names files in a way that is not read here
};
ScannedText scan_text(const std::string& text);

class Included {
 public:
  /// @param folders of headers that are not the submission's: the kit's, the emulation's or the toolkit's
  Included(const Submission& submission, std::vector<fs::path> folders);

  /// The submission's files that may go into a source's object,
  /// the source among them, in the submission's order.
  std::vector<const SubmissionFile*> files_of(const SubmissionFile& source) const;

  /// Whether a source, or a file of the submission that it includes, includes a header whose name begins so.
  bool includes_from(const std::string& folder, const SubmissionFile& source) const;

  /// Whether -DNAME may change a source's object: the name stands in one of its files or in a header of
  /// `folders` that these include, or can be put together (##) from words that do. Headers of the system are
  /// not read: they look at names that are reserved for them, at NDEBUG, and at nothing that is written in
  /// capitals besides. So only such a name can be found not to count.
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
  std::vector<ScannedText> texts_;                      ///< of the submission's files, in their order
  std::vector<std::unordered_set<std::string>> names_;  ///< that these include, without folders
  mutable std::map<fs::path, std::shared_ptr<const ScannedText>> headers_;  ///< null: there is none
};

}  // namespace grader
