#include "verify/origin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <unordered_set>

#include "base/error.hpp"
#include "base/files.hpp"
#include "verify/raw_file.hpp"
#include "wire/content_hash.hpp"

namespace grader {
namespace {

using kit_wire::hash_modulus;
using kit_wire::hash_word;

constexpr std::uintmax_t largest_input = std::uintmax_t{4} << 30;

/// Bytes with prefix hashes, which give the hash of any range of whole words in constant time.
class Hashed {
 public:
  Hashed(const void* memory, std::size_t bytes)
      : bytes_(bytes), until_((bytes + hash_word - 1) / hash_word + 1) {
    const auto* const at = static_cast<const unsigned char*>(memory);
    for (std::size_t i = 0; i < words(); ++i) {
      std::uint32_t word = 0;
      std::memcpy(&word, at + i * hash_word, std::min(hash_word, bytes - i * hash_word));
      until_[i + 1] = kit_wire::hash_with(until_[i], word);
    }
  }

  std::size_t bytes() const { return bytes_; }
  std::size_t words() const { return until_.size() - 1; }

  /// @param power base^count
  std::uint64_t of(std::size_t first, std::size_t count, std::uint64_t power) const {
    const std::uint64_t before = kit_wire::hash_times(until_[first], power);
    return (until_[first + count] + hash_modulus - before) % hash_modulus;
  }

 private:
  std::size_t bytes_;
  std::vector<std::uint64_t> until_;  ///< hash of the first i words
};

/// Hashes of the contents that have the same length.
struct Pieces {
  std::uint64_t bytes = 0;
  std::size_t words = 0;
  std::uint64_t power = 1;
  std::unordered_set<std::uint64_t> hashes = {};

  /// Whether one of the pieces occurs in `text` at a word. If a piece ends with a partial word, this must be the end
  /// of the text.
  bool stand_at(const Hashed& text, std::size_t word) const {
    const std::uint64_t end = word * hash_word + bytes;
    if (end > text.bytes() || (bytes % hash_word != 0 && end != text.bytes())) return false;
    return hashes.count(text.of(word, words, power)) > 0;
  }
};

/// The pieces that fit into a text, the longest first.
std::vector<Pieces> pieces_of(const std::vector<Content>& contents, const Hashed& text) {
  std::map<std::uint64_t, Pieces, std::greater<>> by_length;
  for (const Content& content : contents) {
    if (content.bytes == 0 || content.bytes > text.bytes()) continue;
    Pieces& pieces = by_length[content.bytes];
    pieces.bytes = content.bytes;
    pieces.hashes.insert(content.hash);
  }
  std::vector<Pieces> result;
  for (auto& [bytes, pieces] : by_length) {
    pieces.words = static_cast<std::size_t>((bytes + hash_word - 1) / hash_word);
    pieces.power = kit_wire::hash_power(pieces.words);
    result.push_back(std::move(pieces));
  }
  return result;
}

/// The largest number of comparisons of a text with pieces. A program can report any number of lengths; honest
/// programs report few.
std::size_t most_looks(const Hashed& text) {
  return 50'000'000 + 64 * text.words();
}

/// The length in words of the longest prefix of a text that is a concatenation of contents.
std::size_t made_up(const Hashed& text, const std::vector<Content>& contents) {
  const std::vector<Pieces> all = pieces_of(contents, text);
  std::vector<bool> seen(text.words() + 1);
  std::vector<std::size_t> open = {0};
  std::size_t furthest = 0, looks = 0;
  while (!open.empty() && furthest < text.words() && looks < most_looks(text)) {
    const std::size_t at = open.back();
    open.pop_back();
    looks += all.size();
    for (auto pieces = all.rbegin(); pieces != all.rend(); ++pieces) {  // the last is tried first
      const std::size_t next = at + pieces->words;
      if (next > text.words() || seen[next] || !pieces->stand_at(text, at)) continue;
      seen[next] = true;
      open.push_back(next);
      furthest = std::max(furthest, next);
    }
  }
  return furthest;
}

/// An output in the form in which its bytes may have been copied from the device.
struct Shape {
  const void* data = nullptr;
  std::size_t bytes = 0;
  std::size_t item = 0;  ///< bytes of an element
  bool widened = false;  ///< floats converted to doubles
};

/// Whether a short output is the beginning of a longer copy.
bool begins_with(const Content& content, const Shape& shape) {
  return content.bytes > shape.bytes && shape.bytes <= sizeof content.head &&
         std::memcmp(&content.head, shape.data, shape.bytes) == 0;
}

/// Whether a text begins with this content.
bool is_begun_by(const Hashed& text, const Content& content) {
  const std::vector<Pieces> one = pieces_of({content}, text);
  return !one.empty() && one.front().stand_at(text, 0);
}

/// Removes contents that are part of an input, within the limit of comparisons.
void drop_inputs(std::vector<Content>& contents, const std::vector<fs::path>& inputs) {
  for (const fs::path& file : inputs) {
    const std::string bytes = read_file(file, largest_input);  // a .npy's data begin at a word boundary
    const Hashed text(bytes.data(), bytes.size());
    std::size_t looks = 0;
    for (const Pieces& pieces : pieces_of(contents, text)) {
      if ((looks += text.words()) > most_looks(text)) break;
      std::unordered_set<std::uint64_t> found;
      for (std::size_t word = 0; word + pieces.words <= text.words(); ++word)
        if (pieces.stand_at(text, word)) found.insert(text.of(word, pieces.words, pieces.power));
      std::erase_if(contents, [&](const Content& content) {
        return content.bytes == pieces.bytes && found.count(content.hash) > 0;
      });
    }
  }
}

Array read_output(const fs::path& file, const std::optional<FileLayout>& layout) {
  return layout ? read_raw(file, *layout, lab::NpyLinks::refuse).array
                : Array::read(file, lab::NpyLinks::refuse);
}

struct Answer {
  bool from_device = false;
  bool went_up = false;     ///< whether the result was copied from the host to the device and back
  std::size_t element = 0;  ///< otherwise the first element that no copy brought
};

/// The contents that were copied to the device before the first piece of the result came back. Zeros, whose hash is
/// 0, do not count as a result.
std::vector<Content> sent_before(const std::vector<Content>& contents, const Hashed& text,
                                 const Shape& shape) {
  std::vector<Content> sent;
  for (const Content& content : contents) {
    if (content.to_host && (begins_with(content, shape) || is_begun_by(text, content))) break;
    if (!content.to_host && content.hash != 0) sent.push_back(content);
  }
  return sent;
}

Answer origin_of(const Shape& shape, const Profile& profile, const std::vector<fs::path>& inputs) {
  if (shape.bytes == 0) return {true};
  const Hashed text(shape.data, shape.bytes);
  std::vector<Content> brought;
  bool begins_a_copy = false;
  for (const Content& content : profile.contents) {
    if (!content.to_host || content.shared) continue;
    brought.push_back(content);
    begins_a_copy = begins_a_copy || begins_with(content, shape);
  }
  const std::size_t words = made_up(text, brought);
  if (words < text.words() && !begins_a_copy) return {false, false, words * hash_word / shape.item};
  std::vector<Content> sent = sent_before(profile.contents, text, shape);
  if (made_up(text, sent) < text.words()) return {true};
  drop_inputs(sent, inputs);
  const bool alone = shape.widened && shape.bytes == shape.item;  // inputs contain no doubles
  if (alone || made_up(text, sent) < text.words()) return {true};
  return {false, true, 0};
}

/// Tries floats unchanged, then as the doubles from which they may have been rounded.
Answer origin_of(const Array& output, const Profile& profile, const std::vector<fs::path>& inputs) {
  return output.visit([&](const auto& data) {
    using Element = typename std::decay_t<decltype(data)>::value_type;
    const Shape shape{data.data(), data.size() * sizeof(Element), sizeof(Element), false};
    const Answer answer = origin_of(shape, profile, inputs);
    if constexpr (std::is_same_v<Element, float>) {
      if (answer.from_device || answer.went_up) return answer;
      const std::vector<double> wide(data.begin(), data.end());
      const Answer other =
          origin_of(Shape{wide.data(), wide.size() * sizeof(double), sizeof(double), true}, profile, inputs);
      if (other.from_device || other.went_up) return other;
    }
    return answer;
  });
}

std::string index_words(const std::vector<std::size_t>& index) {
  std::string words;
  for (const std::size_t i : index) words += fmt::format("[{}]", i);
  return words;
}

/// Whether bytes were copied back without a recorded content, by a call that the profile does not record.
bool is_incomplete(const Profile& profile) {
  std::uint64_t copied = 0, known = 0;
  for (const Activity& activity : profile.activities)
    if (activity.kind == Activity::Kind::d2h) copied += activity.bytes;
  for (const Content& content : profile.contents)
    if (content.to_host) known += content.bytes;
  return known < copied;
}

}  // namespace

bool is_origin_known(const Profile& profile) {
  return !profile.source.empty() && profile.has_contents;
}

bool inputs_copied(const Profile& profile, const std::vector<fs::path>& inputs) try {
  std::vector<Content> sent;
  for (const Content& content : profile.contents)
    if (!content.to_host) sent.push_back(content);
  return std::all_of(inputs.begin(), inputs.end(), [&](const fs::path& input) {
    return Array::read(input, lab::NpyLinks::follow).visit([&](const auto& data) {
      const Hashed text(data.data(), data.size() * sizeof data[0]);
      return made_up(text, sent) == text.words();
    });
  });
} catch (const lab::NpyError&) {
  return false;
} catch (const Error&) {
  return false;
}

std::string origin_problem(const Profile& profile, const fs::path& output,
                           const std::optional<FileLayout>& layout, const std::vector<fs::path>& inputs) try {
  const Array array = read_output(output, layout);
  const Answer answer = origin_of(array, profile, inputs);
  if (answer.from_device) return {};
  if (answer.went_up)
    return "The host had these values first: a copy took them to the device, and another one brought them "
           "back.";
  if (profile.host_visible || is_incomplete(profile)) return {};
  const bool any = std::any_of(profile.contents.begin(), profile.contents.end(),
                               [](const Content& content) { return content.to_host; });
  if (!any) return "Nothing was copied back from the device, so the host put these values into the output.";
  if (answer.element == 0)
    return "No copy from the device brought these values: the host put them into the output.";
  return fmt::format(
      "From element {} on, these values are not what a copy brought back from the device: the host put them "
      "there.",
      index_words(array.coordinates(answer.element)));
} catch (const lab::NpyError&) {
  return {};  // the file was readable during verification, but is not now: its origin is unknown
} catch (const Error&) {
  return {};  // the origin is unknown without the inputs
}

}  // namespace grader
