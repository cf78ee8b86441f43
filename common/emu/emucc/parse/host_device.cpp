#include "parse/host_device.hpp"

#include <algorithm>

#include "parse/units.hpp"

namespace emucc {
namespace {

/// A range of tokens on one side.
struct Range {
  const Syntax& syntax;
  std::size_t begin, end;
  std::size_t size() const { return end - begin; }
  std::string text() const { return marked_text(syntax.stream(), begin, end); }
};

bool same_tokens(const Range& a, const Range& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!a.syntax.is(a.begin + i, b.syntax.at(b.begin + i))) return false;
  }
  return true;
}

bool same_place(const Syntax& a, std::size_t i, const Syntax& b, std::size_t j) {
  const Token& one = a.stream().tokens[i];
  const Token& other = b.stream().tokens[j];
  return one.line == other.line && a.stream().places[one.place].file == b.stream().places[other.place].file;
}

/// Writes the body of a function from the bodies of both sides.
std::string dual_body(const Range& device, const Range& host) {
  return "{ if (::cuemu::on_device())" + device.text() + "\nelse" + host.text() + "\n}";
}

class Joiner {
 public:
  Joiner(const Syntax& device, const Syntax& host) : device_(device), host_(host), edits_(device.stream()) {}

  JoinedSides run() {
    level({device_, 0, device_.size()}, {host_, 0, host_.size()});
    if (!edits_.empty()) joined_.text = edits_.apply();
    return std::move(joined_);
  }

 private:
  using Units = std::vector<Unit>;

  /// Compares the lists of units of both sides in parallel. Units that exist on only one side form a gap.
  void level(const Range& device, const Range& host) {
    const Units of_device = units_of(device_, device.begin, device.end);
    const Units of_host = units_of(host_, host.begin, host.end);
    std::size_t i = 0, j = 0;
    while (i < of_device.size() || j < of_host.size()) {
      if (i < of_device.size() && j < of_host.size() && is_same(of_device[i], of_host[j])) {
        pair(of_device[i++], of_host[j++]);
        continue;
      }
      std::size_t next_i = i, next_j = j;
      find_next(of_device, of_host, next_i, next_j);
      gap(of_device, i, next_i, of_host, j, next_j, device.end);
      i = next_i;
      j = next_j;
    }
  }

  bool is_same(const Unit& of_device, const Unit& of_host) const {
    if (of_device.kind != of_host.kind || !same_place(device_, of_device.begin, host_, of_host.begin))
      return false;
    const std::size_t device_head = of_device.body == npos ? of_device.end : of_device.body;
    const std::size_t host_head = of_host.body == npos ? of_host.end : of_host.body;
    return same_tokens({device_, of_device.begin, device_head}, {host_, of_host.begin, host_head}) ||
           (of_device.kind == Unit::Kind::function &&
            declared_name(device_, of_device) == declared_name(host_, of_host));
  }

  /// Finds, after a difference, the nearest units that are equal on both sides.
  void find_next(const Units& of_device, const Units& of_host, std::size_t& i, std::size_t& j) const {
    constexpr std::size_t farthest = 400;
    for (std::size_t distance = 1; distance < farthest; ++distance) {
      for (std::size_t skip = 0; skip <= distance; ++skip) {
        const std::size_t a = i + skip, b = j + distance - skip;
        if (a < of_device.size() && b < of_host.size() && is_same(of_device[a], of_host[b])) {
          i = a;
          j = b;
          return;
        }
      }
    }
    i = of_device.size();
    j = of_host.size();
  }

  void pair(const Unit& of_device, const Unit& of_host) {
    if (same_tokens({device_, of_device.begin, of_device.end}, {host_, of_host.begin, of_host.end})) return;
    if (of_device.body == npos || of_host.body == npos) return;
    if (of_device.kind == Unit::Kind::function)
      function(of_device, of_host);
    else
      level({device_, of_device.body + 1, device_.after(of_device.body) - 1},
            {host_, of_host.body + 1, host_.after(of_host.body) - 1});
  }

  void function(const Unit& of_device, const Unit& of_host) {
    const Words& words = of_device.declaration.words;
    const Range device{device_, of_device.body, of_device.end}, host{host_, of_host.body, of_host.end};
    if (words.global || (words.device && !words.host && !of_host.declaration.words.host)) return;
    edits_.replace(of_device.body, of_device.end,
                   words.device ? dual_body(device, host) : host_body(device, host));
  }

  /// The body of a host function. Lambdas for the device in it may also differ between the sides.
  std::string host_body(const Range& device, const Range& host) {
    Edits inside(host_.stream());
    bool changed = false;
    for (std::size_t i = host.begin; i < host.end; ++i) {
      const std::size_t body = lambda_of_device(host_, i);
      if (body == npos) continue;
      const std::size_t end = host_.after(body);
      for (std::size_t k = device.begin; k < device.end; ++k) {
        if (!device_.is(k, "[") || !same_place(host_, i, device_, k)) continue;
        const std::size_t other = lambda_of_device(device_, k);
        if (other == npos) continue;
        const Range on_device{device_, other, device_.after(other)}, on_host{host_, body, end};
        if (!same_tokens(on_device, on_host)) {
          inside.replace(body, end, dual_body(on_device, on_host));
          changed = true;
        }
        break;
      }
      i = end - 1;
    }
    if (!changed) return host.text();
    // The edits are positions in the whole text, so the function's text is extracted after they are applied.
    const TokenStream& stream = host_.stream();
    const std::size_t tail =
        stream.text.size() - (stream.tokens[host.end - 1].offset + stream.tokens[host.end - 1].length);
    const std::string whole = inside.apply();
    const std::size_t from = stream.tokens[host.begin].offset;
    return marker_of(stream, host.begin) + whole.substr(from, whole.size() - tail - from);
  }

  static std::size_t lambda_of_device(const Syntax& syntax, std::size_t at) {
    const std::size_t body = syntax.is(at, "[") ? syntax.lambda_body(at) : npos;
    if (body == npos) return npos;
    for (std::size_t i = at; i < body; ++i) {
      if (syntax.word(i) == Word::device) return body;
    }
    return npos;
  }

  /// Joins units [i, next_i) of the device and [j, next_j) of the host. They have no partner at the same
  /// position.
  void gap(const Units& of_device, std::size_t i, std::size_t next_i, const Units& of_host, std::size_t j,
           std::size_t next_j, std::size_t end) {
    std::string added;
    for (; j < next_j; ++j) {
      const Unit& unit = of_host[j];
      if (is_device_function(unit)) continue;  // device code lacks it, so nothing calls it
      const std::string name = declared_name(host_, unit);
      const auto same = std::find_if(
          of_device.begin() + static_cast<std::ptrdiff_t>(i),
          of_device.begin() + static_cast<std::ptrdiff_t>(next_i),
          [&](const Unit& other) { return !name.empty() && declared_name(device_, other) == name; });
      if (same == of_device.begin() + static_cast<std::ptrdiff_t>(next_i))
        added += Range{host_, unit.begin, unit.end}.text();
      else if (same->kind == Unit::Kind::function && unit.kind == Unit::Kind::function &&
               !same->declaration.words.global) {
        note_host(*same);
        edits_.replace(same->body, same->end,
                       dual_body({device_, same->body, same->end}, {host_, unit.body, unit.end}));
      } else if (unit.kind != Unit::Kind::function &&
                 !same_tokens({device_, same->begin, same->end}, {host_, unit.begin, unit.end}))
        leave_out(unit, name);
    }
    const std::size_t at = next_i < of_device.size() ? of_device[next_i].begin : end;
    if (!added.empty()) edits_.replace(at, at, std::move(added));
  }

  /// Makes a device function a function of both sides, because the host has a function of that name, too.
  void note_host(const Unit& of_device) {
    if (!is_device_function(of_device)) return;
    for (std::size_t i = of_device.begin; i < of_device.declaration.name; ++i)
      if (device_.word(i) == Word::device) return edits_.replace(i, i + 1, "__host__ __device__ ");
  }

  static bool is_device_function(const Unit& unit) {
    const Words& words = unit.declaration.words;
    return unit.kind == Unit::Kind::function && words.device && !words.host && !words.global;
  }

  void leave_out(const Unit& unit, const std::string& name) {
    const Token& first = host_.stream().tokens[unit.begin];
    joined_.left_out.push_back({host_.stream().places[first.place].file, first.line, name});
  }

  const Syntax& device_;
  const Syntax& host_;
  Edits edits_;
  JoinedSides joined_;
};

}  // namespace

JoinedSides join_sides(const TokenStream& device, const TokenStream& host) {
  const Syntax device_syntax(device), host_syntax(host);
  return Joiner(device_syntax, host_syntax).run();
}

}  // namespace emucc
