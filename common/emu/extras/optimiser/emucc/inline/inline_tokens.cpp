// Makes the tokens of the copy: the user's tokens, which keep their places, and new tokens between them.
#include <algorithm>

#include "inline/inline_detail.hpp"

namespace emucc::detail {

std::string CallInliner::text(const Tokens& tokens) const {
  std::string all;
  for (const Token& token : tokens) {
    if (!all.empty()) all += ' ';
    all += stream_.spelling(token);
  }
  return all;
}

Token CallInliner::place_of(std::size_t at) {
  Token token = stream_.tokens[at];
  if (at >= kernel_.begin && at < kernel_.end) return token;
  const auto [known, is_new] = quiet_.emplace(token.place, static_cast<std::uint32_t>(stream_.places.size()));
  if (is_new) {
    Place place = stream_.places[token.place];
    if (place.flags.empty()) place.flags = " 3";
    stream_.places.push_back(std::move(place));
  }
  token.place = known->second;
  return token;
}

void CallInliner::copy_token(std::size_t at, const Frame& frame, Tokens& to) {
  const Token token = place_of(at);
  if (syntax_.is_identifier(at) && !is_member(at) && !is(at - 1, "::")) {
    const auto found = frame.replaced.find(spelled(at));
    if (found != frame.replaced.end()) {
      for (std::size_t i = 0; i < found->second.size(); ++i) {
        Token each = found->second[i];
        each.line = token.line;
        each.column = 0;
        each.place = token.place;
        each.space_before = i == 0 ? token.space_before : each.space_before;
        to.push_back(each);
      }
      return;
    }
  }
  to.push_back(token);
}

void CallInliner::copy(std::size_t begin, std::size_t end, const Frame& frame, Tokens& to) {
  for (std::size_t i = begin; i < end;) i = copy_next(i, end, frame, to);
}

std::size_t CallInliner::copy_next(std::size_t at, std::size_t end, const Frame& frame, Tokens& to) {
  if (!frame.groups.empty() && syntax_.is_identifier(at) && !is_member(at))
    if (const std::size_t behind = group_use(at, frame, to); behind != npos) return behind;
  copy_token(at, frame, to);
  return std::min(at + 1, end);
}

}  // namespace emucc::detail
