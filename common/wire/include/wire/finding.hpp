/// @file
/// A finding of the checker: facts that programs use, and sentences that people read.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "stop.hpp"

namespace kit_wire {

/// x, y and z of a thread's index in its block, or of a block's index in its grid.
using Index = std::array<unsigned, 3>;

enum class Access { none, read, write, volatile_read, volatile_write, atomic_read, atomic_update };
inline constexpr const char* access_names[] = {
    "", "read", "write", "volatile_read", "volatile_write", "atomic_read", "atomic_update"};

/// One access or event of a finding.
struct FindingParty {
  std::string what;  ///< for people: "write by thread (4,17,0)"; never searched
  Place place;
  int column = 0, end_column = 0;  ///< of the expression, from 1, end exclusive; 0: unknown
  std::string text;                ///< of the line
  Access access = Access::none;
  std::optional<Index> thread,
      block;  ///< none: the access belongs to no single thread, or the thread is unknown
};

/// The memory to which a finding refers.
struct Element {
  std::string space;  ///< "global", "shared", "local", "managed", "host", "heap"; empty: unknown
  std::vector<std::int64_t> indices;  ///< one for each extent; may be outside the array; empty: unknown
  std::optional<std::int64_t>
      position;             ///< in elements from the array's beginning, row by row; none: unknown
  std::uint64_t bytes = 0;  ///< bytes of the access; 0: unknown
};

struct Finding {
  std::string rule, group;
  bool error = true;
  std::string kernel, array;
  Element element;
  std::string headline;  ///< for people, like notes, first and hint; never searched
  std::vector<FindingParty> parties;
  std::vector<std::string> notes;
  std::string first, hint;
  std::uint64_t count = 1, blocks = 0;
  std::string between, within, missing;
  std::vector<int>
      barrier_lines;  ///< lines of the first party's file between which the barrier is missing; empty: unknown
};

namespace detail {

inline std::string json_of(const FindingParty& party) {
  Object object;
  object.add("what", party.what)
      .add("file", party.place.file)
      .add("line", party.place.line)
      .add("column", party.column)
      .add("end_column", party.end_column)
      .add("text", party.text);
  if (party.access != Access::none) object.add("access", name_in(access_names, party.access));
  if (party.thread) object.json("thread", json_numbers(*party.thread));
  if (party.block) object.json("block", json_numbers(*party.block));
  return object.text();
}

inline std::string json_of(const Finding& finding) {
  Object object;
  object.add("rule", finding.rule)
      .add("group", finding.group)
      .add("error", finding.error)
      .add("kernel", finding.kernel)
      .add("array", finding.array);
  const Element& element = finding.element;
  if (!element.space.empty()) object.add("space", element.space);
  if (!element.indices.empty()) object.json("indices", json_numbers(element.indices));
  if (element.position) object.add("element", *element.position);
  if (element.bytes != 0) object.add("bytes", element.bytes);
  object.add("headline", finding.headline)
      .json("parties", json_array(finding.parties, [](const FindingParty& party) { return json_of(party); }))
      .json("notes", json_array(finding.notes, json_string))
      .add("first", finding.first)
      .add("hint", finding.hint)
      .add("count", finding.count)
      .add("blocks", finding.blocks)
      .add("between", finding.between)
      .add("within", finding.within)
      .add("missing", finding.missing);
  if (!finding.barrier_lines.empty()) object.json("barrier_lines", json_numbers(finding.barrier_lines));
  return object.text();
}

}  // namespace detail

/// Writes the checker's report as JSON.
/// @param not_checked names of kernels that ran without instrumentation
template <class Names>
std::string findings_json(const std::vector<Finding>& findings, const Names& not_checked) {
  return Object()
      .add("version", format)
      .json("findings", json_array(findings, [](const Finding& finding) { return detail::json_of(finding); }))
      .json("not_checked", json_array(not_checked, json_string))
      .text();
}

}  // namespace kit_wire
