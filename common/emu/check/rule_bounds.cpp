// Reports accesses outside allocations, shared arrays, local arrays and rows of pitched memory; accesses
// through null pointers; and accesses to freed memory.
#include <algorithm>
#include <cctype>
#include <iterator>
#include <mutex>

#include "checker.hpp"
#include "cuemu/local_arrays.hpp"
#include "expression.hpp"
#include "loops.hpp"
#include "memory_map.hpp"
#include "naming.hpp"
#include "pointer_names.hpp"

namespace cuemu::check {

namespace {

class BoundsRule final : public RuleObserver {
 public:
  explicit BoundsRule(MemoryMap& map) : map_(map) {}

  bool wants_accesses() const override { return true; }
  void accessed(const Access& access) override;
  void strayed(const Stray& stray) override;
  void unawaited(const Unawaited& access) override;
  void outside_bounds(const OutsideBounds& where) override;
  void outside_local(const OutsideLocal& where) override;
  void heap_refused(std::size_t bytes, std::size_t capacity) override { refused_ = {bytes, capacity}; }

 private:
  void report_padding(const Access& access);
  void report_outside(const Stray& stray);
  void report_outside_shared(const Stray& stray);
  void report_lifetime(const BlockState& state, std::uint32_t home, std::ptrdiff_t offset, std::size_t size,
                       unsigned kind, const Stamp& by, bool end);

  MemoryMap& map_;
  struct {
    std::size_t bytes = 0, capacity = 0;
  } refused_;  ///< the last refused allocation from the device's heap
};

void BoundsRule::accessed(const Access& access) {
  const Region& region = access.region;
  if (region.width != 0 && (access.address - region.begin) % region.pitch + access.size > region.width)
    report_padding(access);
}

void BoundsRule::strayed(const Stray& stray) {
  if (stray.where == Stray::Where::device) report_outside(stray);
  if (stray.where == Stray::Where::shared) report_outside_shared(stray);
  if (stray.where == Stray::Where::ended && stray.site != 0) {
    const Stamp by{stray.block.clocks.era, stray.block.clocks.block, 0, stray.site, current_fiber->linear};
    report_lifetime(stray.block, stray.home, stray.offset, stray.size, stray.kind, by, true);
  }
}

void BoundsRule::unawaited(const Unawaited& access) {
  report_lifetime(access.home, access.home.clocks.block,
                  static_cast<std::ptrdiff_t>(access.address - access.home.arena_begin), access.size,
                  access.kind, access.stamp, access.end);
}

/// Reports an access that only by chance comes after the other block's beginning, or before its end. The
/// finding names the missing wait.
/// @param state a block of the same kernel
/// @param home the block that owns the memory
/// @param end true: the block may have ended; false: the block may not have begun
void BoundsRule::report_lifetime(const BlockState& state, std::uint32_t home, std::ptrdiff_t offset,
                                 std::size_t size, unsigned kind, const Stamp& by, bool end) {
  const dim3& grid = state.launch->grid;
  const bool inside = offset >= 0 && static_cast<std::size_t>(offset) < state.arena_bytes;
  const std::uint64_t array = inside ? array_key(state, *state.arena, state.arena_begin + offset) : 0;
  Findings::get().add(
      {static_cast<std::uint64_t>(Rule::use_after_free), by.site, array, end ? 1u : 0u},
      std::uint64_t{state.first_era} << 32 | by.block, [&] {
        Finding finding;
        finding.rule = Rule::use_after_free;
        finding.kernel = state.launch->kernel->info.name;
        const std::string element =
            inside ? shared_element(state, static_cast<std::size_t>(offset), size, finding)
                   : std::string("the shared memory");
        finding.headline = std::string("a thread ") + ((kind & writes) != 0 ? "writes " : "reads ") +
                           element + " of block " + point(grid, home) +
                           (end ? ", which may have ended by then" : ", which may not have begun by then");
        finding.parties = {party(state, kind, by.site, by.thread, by.block, true)};
        finding.notes.push_back((end ? "nothing orders this before the end of block "
                                     : "nothing orders this after the beginning of block ") +
                                point(grid, home) + ", and shared memory lasts as long as its block");
        finding.hint =
            end ? "a cluster.sync() after the last access to the shared memory of other blocks lets each "
                  "block "
                  "end only when all of them have done theirs"
                : "a cluster.sync() before the first access to the shared memory of other blocks waits until "
                  "all of them have begun";
        return finding;
      });
}

void BoundsRule::report_padding(const Access& access) {
  const BlockState& state = access.block;
  const Region& region = access.region;
  Findings::get().add(
      {static_cast<std::uint64_t>(Rule::out_of_bounds), access.site, region.begin}, state.id(), [&] {
        const std::size_t at = access.address - region.begin;
        Finding finding;
        finding.rule = Rule::out_of_bounds;
        finding.kernel = state.launch->kernel->info.name;
        finding.array = name_of_region(region);
        const std::string name = finding.array.empty() ? described(region) : finding.array;
        finding.headline = std::string("a thread ") + ((access.kind & writes) != 0 ? "writes " : "reads ") +
                           bytes_text(access.size) + " past the end of row " + grouped(at / region.pitch) +
                           " of " + name + ", in the padding: column " +
                           grouped(at % region.pitch / access.size);
        finding.parties = {party_now(state, access.kind, access.site)};
        finding.notes.push_back("a row has " + bytes_text(region.width) + ", the next one begins " +
                                bytes_text(region.pitch) + " after it (the pitch)");
        finding.hint =
            "the pitch only leads from row to row: `(T*)((char*)p + y * pitch) + x`, with x below the width";
        return finding;
      });
}

/// Returns whether the size of an allocation is a plain name that does not suggest bytes: `cudaMalloc(&p,
/// n)`.
bool counts_elements(const Region& region) {
  const std::string text = text_of_call(line_of(region.made_at), "cudaMalloc");
  const std::size_t comma = text.find(',');
  if (comma == text.npos) return false;
  const std::size_t begin = text.find_first_not_of(' ', comma + 1);
  std::size_t end = begin;
  while (end < text.size() && (std::isalpha(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_'))
    ++end;
  if (begin == text.npos || end >= text.size() || text[end] != ')') return false;
  std::string name = text.substr(begin, end - begin);
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return !name.empty() && name.find("size") == name.npos && name.find("byte") == name.npos;
}

constexpr const char* before_hint =
    "the first elements have no neighbour before them: is the index never negative? An if around the access "
    "can test that";

/// Returns the text of an access up to the end of its index, "a[i + 1", and sets `open` to the place of the bracket.
/// Empty if the line does not show it.
std::string text_of_index(const Finding& finding, std::size_t& open) {
  const Line& line = finding.parties.front().line;
  const Span part = part_of(finding, finding.parties.front());
  if (!part.known()) return "";
  std::string access = source_lines(line.file)[static_cast<std::size_t>(line.line) - 1].substr(
      static_cast<std::size_t>(part.begin) - 1, static_cast<std::size_t>(part.end - part.begin));
  const std::size_t close = access.rfind(']');
  open = access.find('[');
  if (open == access.npos || close == access.npos) return "";
  access.resize(close);
  return access;
}

/// Returns the names that occur in a text from `at` on, without numbers.
std::vector<std::string> names_in(const std::string& text, std::size_t at) {
  std::vector<std::string> names;
  const auto end_of_text = text.end();
  for (auto begin = text.begin() + static_cast<std::ptrdiff_t>(at);
       (begin = std::find_if(begin, end_of_text, is_word)) != end_of_text;) {
    const auto end = std::find_if_not(begin, end_of_text, is_word);
    if (std::isdigit(static_cast<unsigned char>(*begin)) == 0) names.emplace_back(begin, end);
    begin = end;
  }
  return names;
}

/// Returns the nearest value above a line that a name is set to: "i = blockIdx.x". Empty if there is none.
std::string value_above(const Line& line, const std::string& name) {
  const auto& lines = source_lines(line.file);
  for (int above = line.line; above > 0; --above) {
    const std::string code = without_comment(lines[static_cast<std::size_t>(above) - 1]);
    const std::size_t made = code.find(name + " = ");
    if (made == code.npos || (made > 0 && is_word(code[made - 1]))) continue;
    return code.substr(made, code.find_first_of(",;", made) - made);
  }
  return "";
}

/// Returns an index of the thread that an access uses and the guard around it does not test. Empty if there
/// is none.
std::string untested_index(const Finding& finding, const Guard& guard) {
  std::size_t open = 0;
  const std::string access = guard.known() ? text_of_index(finding, open) : "";
  if (access.empty()) return "";
  for (const std::string& name : names_in(access, open))
    if (!has_word(guard.condition, name) &&
        value_above(finding.parties.front().line, name).find("threadIdx") != std::string::npos)
      return name;
  return "";
}

/// Returns true if the index of an access is arithmetic on numbers of threads and parameters. False if a part of it
/// was read from memory or is the result of a call, so that a wrong index follows from other data.
bool is_arithmetic_index(const Finding& finding) {
  std::size_t open = 0;
  const std::string access = text_of_index(finding, open);
  if (access.empty() || access.find_first_of("[(", open + 1) != access.npos) return false;
  const std::vector<std::string> names = names_in(access, open);
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    return value_above(finding.parties.front().line, name).find_first_of("[(") == std::string::npos;
  });
}

/// A question about the index, or about the pointer, of a thread that makes a single access; empty: no question.
/// An access at most half a block ahead of the thread's own element is one of a neighbour, as in a stencil.
/// @param guarded an `if` decides which threads make the access
std::string hint_of_lone_access(const BlockState& state, const Finding& finding, std::size_t elements,
                                std::size_t index, bool guarded) {
  const Line& line = finding.parties.front().line;
  const auto& lines = source_lines(line.file);
  const auto loops = loops_in(lines);
  if (!line.known() || state.launch->is_child || !is_arithmetic_index(finding) ||
      head_of_device_function(lines, line.line) != 0 ||
      std::any_of(loops.begin(), loops.end(), [&](const Loop& loop) { return loop.holds(line.line); }))
    return "";
  if (index > elements && state.clocks.block == 0 && current_fiber->linear == 0)
    return "even the first thread goes past the end: does the kernel get a pointer that was moved by bytes? "
           "`p + "
           "n` moves it by n elements of what p points to";
  const dim3 &grid = state.launch->grid, &block = state.launch->block;
  const std::uint64_t threads = std::uint64_t{grid.x} * block.x;
  const std::size_t own = std::size_t{state.clocks.block} * block.x + current_fiber->linear;
  const bool of_neighbour = index >= own && index - own <= std::max(block.x / 2, 1U);
  if (!guarded && !of_neighbour && volume(grid) * volume(block) == threads && threads <= elements)
    return "the grid has " + grouped(threads) +
           " threads, no more than there are elements: is the index that of "
           "the thread? blockIdx.x * blockDim.x + threadIdx.x numbers all threads of a grid";
  return "";
}

std::string outside_hint(const BlockState& state, const Region& near, std::uintptr_t address,
                         std::size_t size, bool before, const Finding& finding) {
  if (before) return before_hint;
  constexpr std::size_t near_wrap = 1 << 24;
  if (const std::size_t index = (address - near.begin) / size; wrap - index < near_wrap)
    return "an unsigned index that is counted below 0 goes on at 4,294,967,295, and is never negative: count "
           "in an int, "
           "or compare before the subtraction";
  if (const std::string pointer = pointer_filled_by(near.made_at);
      !pointer.empty() && type_filled_by(near.made_at) == pointer)
    return "sizeof(" + pointer + ") is the size of a pointer, 8 bytes: write count * sizeof(*" + pointer +
           ") at the allocation and at the copies";
  if (near.width != 0)
    return "the pitch is counted in bytes, even where the array is of floats: `(T*)((char*)p + y * pitch) + "
           "x`";
  if (counts_elements(near) || near.bytes % size != 0)
    return "cudaMalloc counts bytes, not elements: count * sizeof(type). If that is right, does the grid "
           "have more threads than the array has elements?";
  const Line& line = finding.parties.front().line;
  const Guard guard = guard_of(source_lines(line.file), line.line, line.column);
  if (const std::string hint = hint_of_lone_access(state, finding, near.bytes / size,
                                                   (address - near.begin) / size, guard.known());
      !hint.empty())
    return hint;
  if (const std::string index = untested_index(finding, guard); !index.empty())
    return "the guard `if (" + guard.condition + ")` does not test " + index +
           ", which the access uses: test that it is below its extent, too";
  if (guard.known())
    return "the guard `if (" + guard.condition +
           ")` lets this thread through: does it test the index that the access uses, and is that index "
           "below "
           "the number of elements then?" +
           (guard.comparisons > 1
                ? " Are two indices or two extents exchanged, in the guard or in the access?"
                : "");
  return "does the grid have more threads, or a loop more iterations, than the array has elements? Guard the "
         "access with an if";
}

/// Explains an index that exceeds the range of int and so has become negative.
/// @param region the region of the intended element
/// @param address the address that the negative index gives
/// @param size the size of an element in bytes
void report_overflow(Finding& finding, const Region& region, std::uintptr_t address, std::size_t size) {
  const std::uint64_t before = (region.begin - address) / size;
  finding.notes.push_back("element " + grouped(wrap - before) +
                          " is meant: its index does not fit an int, which ends at " +
                          "2,147,483,647, and has become -" + grouped(before));
  finding.hint =
      "compute the index in 64 bits: the first factor of each product as a size_t, as in `(size_t)i * n + "
      "j`, and what "
      "holds the index a size_t";
}

/// Returns the element at an offset in bytes from the array's beginning. The offset may be outside the array.
kit_wire::Element element_at(const SharedArray& array, std::size_t bytes, std::size_t size) {
  std::size_t elements = 1;
  for (const std::size_t extent : array.extents) elements *= extent;
  auto index = static_cast<std::int64_t>(bytes / std::max<std::size_t>(array.bytes / elements, 1));
  kit_wire::Element element{
      "shared", std::vector<std::int64_t>(std::max<std::size_t>(array.extents.size(), 1)), index, size};
  for (std::size_t i = array.extents.size(); i-- > 1;) {
    const auto extent = static_cast<std::int64_t>(array.extents[i]);
    element.indices[i] = index % extent;
    index /= extent;
  }
  element.indices[0] = index;
  return element;
}

/// Returns an element of an array with one extent.
kit_wire::Element element_at(const char* space, std::int64_t index, std::size_t size) {
  return {space, {index}, index, size};
}

/// Returns indices as text, such as "[16][3]".
std::string indices_text(const std::vector<std::int64_t>& indices) {
  std::string text;
  for (const std::int64_t index : indices) text += "[" + std::to_string(index) + "]";
  return text;
}

void BoundsRule::report_outside(const Stray& stray) {
  const BlockState& state = stray.block;
  const std::uintptr_t address = stray.address;
  const std::size_t size = stray.size;
  const unsigned kind = stray.kind;
  Region* freed = address >= near_null ? map_.at(address) : nullptr;
  if (freed != nullptr && !(freed->retired() && freed->contains(address, 1))) freed = nullptr;
  const Rule rule = address < near_null ? Rule::null_pointer
                    : freed != nullptr  ? Rule::use_after_free
                                        : Rule::out_of_bounds;
  Findings::get().add({static_cast<std::uint64_t>(rule), stray.site}, state.id(), [&] {
    const Region* const wrapped = rule == Rule::out_of_bounds ? map_.wrapped_from(address, size) : nullptr;
    const std::lock_guard<std::mutex> lock(map_.mutex);
    Finding finding;
    finding.rule = rule;
    finding.kernel = state.launch->kernel->info.name;
    finding.parties = {party_now(state, kind, stray.site)};
    const std::string does = (kind & writes) != 0 ? "writes " : "reads ";
    if (rule == Rule::null_pointer) {
      finding.headline = "a thread " + does + "through a null pointer";
      if (address >= size) finding.headline += ", " + bytes_text(address) + " past it";
      finding.hint = "check that cudaMalloc succeeded, and that the right pointer is passed to the kernel";
      if (refused_.bytes != 0) {
        finding.notes.push_back("malloc() or new in a kernel asked for " + bytes_text(refused_.bytes) +
                                " and returned null: the device's heap of " + bytes_text(refused_.capacity) +
                                " has no room for them");
        finding.hint =
            "test the pointer that malloc() or new returns before you use it. For more room free() what the "
            "kernel no longer needs, or enlarge the heap before the first launch: "
            "cudaDeviceSetLimit(cudaLimitMallocHeapSize, bytes)";
      }
      return finding;
    }
    if (freed != nullptr) {
      finding.headline =
          "a thread " + does + element_name(state, *freed, address, size, finding) + " after it was freed";
      finding.notes.push_back(allocated_note(*freed));
      if (const std::string at = at_line_of(freed->freed_at); !at.empty())
        finding.notes.push_back("freed" + at);
      finding.hint = hint_of_free(*freed, "free memory only when every kernel that uses it has ended");
      return finding;
    }
    const Region* const below = map_.nearest_below(address);
    const Region* const above = map_.nearest_above(address);
    const auto away_from = [&](const Region& region) {
      return address < region.begin                  ? region.begin - address
             : address < region.begin + region.bytes ? 0
                                                     : address - region.begin - region.bytes;
    };
    const bool before_above =
        wrapped != nullptr ||
        (above != nullptr && (below == nullptr || away_from(*above) < away_from(*below)));
    const Region* const near = wrapped != nullptr ? wrapped : before_above ? above : below;
    if (near == nullptr) {
      finding.headline = "a thread " + does + "memory that was never allocated";
      return finding;
    }
    finding.array = name_of_region(*near);
    const std::string name = finding.array.empty() ? described(*near) : finding.array;
    const std::uint64_t away = before_above ? near->begin - address : address - near->begin - near->bytes;
    finding.headline = "a thread " + does + std::to_string(size) + " bytes ";
    finding.element =
        element_at(space_of(*near),
                   before_above ? -static_cast<std::int64_t>((near->begin - address + size - 1) / size)
                                : static_cast<std::int64_t>((address - near->begin) / size),
                   size);
    if (!finding.array.empty())
      finding.headline += "at " + finding.array + indices_text(finding.element.indices) + ", ";
    finding.headline += away == 0      ? "just past the end of " + name
                        : before_above ? bytes_text(away) + " before the beginning of " + name
                        : address < near->begin + near->bytes ? "that reach past the end of " + name
                                                              : bytes_text(away) + " past the end of " + name;
    finding.notes.push_back(allocated_note(*near) +
                            (near->bytes % size == 0
                                 ? ": " + grouped(near->bytes / size) +
                                       (near->bytes == size ? " element" : " elements") + " of this size"
                                 : ""));
    if (wrapped != nullptr)
      report_overflow(finding, *wrapped, address, size);
    else
      finding.hint = outside_hint(state, *near, address, size, before_above, finding);
    return finding;
  });
}

void BoundsRule::report_outside_shared(const Stray& stray) {
  if (stray.site == 0) return;
  const BlockState& state = stray.block;
  Findings::get().add({static_cast<std::uint64_t>(Rule::out_of_bounds), stray.site}, state.id(), [&] {
    Finding finding;
    finding.rule = Rule::out_of_bounds;
    finding.kernel = state.launch->kernel->info.name;
    finding.parties = {party_now(state, stray.kind, stray.site)};
    const SharedArray* near = nullptr;
    const auto begins = [](const SharedArray& array) { return static_cast<std::ptrdiff_t>(array.offset); };
    for (const SharedArray& array : state.layout->arrays)
      if (begins(array) <= stray.offset && (near == nullptr || array.offset > near->offset)) near = &array;
    const std::string of_block = whose(state, stray.home);
    const std::string does = (stray.kind & writes) != 0 ? "writes" : "reads";
    const auto dynamic = static_cast<std::ptrdiff_t>(state.dynamic_begin - state.arena_begin);
    const auto size = static_cast<std::ptrdiff_t>(stray.size);
    if (stray.offset >= 0 && stray.offset + size > dynamic) {
      const std::size_t has = state.launch->dynamic_shared;
      const DynamicArray array = dynamic_array(state);
      finding.array = array.name;
      // If the kernel has no dynamic memory, an access may begin inside the last array and end outside.
      const std::ptrdiff_t bytes = std::max<std::ptrdiff_t>(stray.offset - dynamic, 0);
      finding.element = element_at(
          "shared", static_cast<std::int64_t>(index_in(array, static_cast<std::size_t>(bytes), stray.size)),
          stray.size);
      const std::string index = std::to_string(*finding.element.position);
      finding.headline = "a thread " + does + " " +
                         (array.name.empty() ? "element " + index : array.name + "[" + index + "]") +
                         of_block + ", outside the dynamic shared memory: the launch gives the block " +
                         bytes_text(has);
      finding.hint =
          "is the index below the number of elements for every thread? If it is, the launch gives too "
          "little: the third value of <<<…>>> is the size in bytes: count * sizeof(type) for all arrays "
          "together";
      return finding;
    }
    if (stray.offset < 0 && !state.layout->arrays.empty()) {
      const auto& arrays = state.layout->arrays;
      const SharedArray& first =
          *std::min_element(arrays.begin(), arrays.end(),
                            [](const SharedArray& a, const SharedArray& b) { return a.offset < b.offset; });
      const auto before = static_cast<std::size_t>(-stray.offset);
      finding.array = first.name;
      finding.headline = "a thread " + does + " ";
      finding.element = {"shared", {}, {}, stray.size};
      if (first.extents.size() == 1) {
        finding.element = element_at(
            "shared", -static_cast<std::int64_t>((before + stray.size - 1) / stray.size), stray.size);
        finding.headline += first.name + indices_text(finding.element.indices) + ", before ";
      } else {
        finding.headline += bytes_text(before) + " before ";
      }
      finding.headline += first.name + " (shared " + first.type + ")" + of_block;
      finding.hint = before_hint;
      return finding;
    }
    if (near != nullptr) {
      finding.array = near->name;
      finding.element = element_at(*near, static_cast<std::size_t>(stray.offset) - near->offset, stray.size);
      finding.headline = "a thread " + does + " " + near->name + indices_text(finding.element.indices) +
                         ", outside " + near->name + " (shared " + near->type + ")" + of_block;
      finding.hint =
          "the first index is 0 and the last one is the array's size minus 1: is that so for every thread?";
      return finding;
    }
    finding.headline = "a thread " + does + " shared memory" + of_block + " that belongs to no array";
    finding.hint =
        state.layout->arrays.empty() && state.launch->dynamic_shared == 0
            ? "the kernel has no shared memory, and that of other kernels ends with their blocks: keep "
              "values "
              "between kernels in memory from cudaMalloc"
            : "is the index within the array's bounds for every thread? For extern __shared__ arrays the "
              "third value of <<<…>>> is the size in bytes";
    return finding;
  });
}

/// Returns the array in a line: "m" for `m[i][j]`; empty if it is unknown.
std::string array_at(const Line& line) {
  const auto& lines = source_lines(line.file);
  if (line.line < 1 || static_cast<std::size_t>(line.line) > lines.size()) return "";
  const std::string& text = lines[static_cast<std::size_t>(line.line) - 1];
  const Span part = accessed_part(text, line.column, "");
  if (!part.known()) return "";
  const std::string whole =
      text.substr(static_cast<std::size_t>(part.begin) - 1, static_cast<std::size_t>(part.end - part.begin));
  const std::size_t bracket = whole.find('[');
  return bracket != whole.npos ? whole.substr(0, bracket) : "";
}

/// Returns text such as "index 8", or for an array with several dimensions "the second index, 8,".
/// @param dimensions the number of the array's dimensions
/// @param left the number of dimensions that remain, including this one
std::string index_text(long long index, std::size_t dimensions, std::size_t left) {
  static const char* const places[] = {"first", "second", "third", "fourth", "fifth"};
  const std::string number = std::to_string(index);
  if (dimensions < 2 || left == 0 || left > dimensions || dimensions - left >= std::size(places))
    return "index " + number;
  return std::string("the ") + places[dimensions - left] + " index, " + number + ",";
}

/// Returns the number of indices after an array's name in a line: 2 for `m[i][j]`.
std::size_t indices_in(const Line& line) {
  const auto& lines = source_lines(line.file);
  if (line.line < 1 || static_cast<std::size_t>(line.line) > lines.size()) return 0;
  const std::string& text = lines[static_cast<std::size_t>(line.line) - 1];
  const Span part = accessed_part(text, line.column, "");
  if (!part.known()) return 0;
  std::size_t count = 0;
  int depth = 0;
  for (int at = part.begin; at < part.end; ++at) {
    const char c = text[static_cast<std::size_t>(at) - 1];
    if (c == '[' && depth++ == 0) ++count;
    if (c == ']') --depth;
  }
  return count;
}

void BoundsRule::outside_bounds(const OutsideBounds& where) {
  const BlockState* const state = where.block;
  const long long index = where.index;
  Findings::get().add(
      {static_cast<std::uint64_t>(Rule::out_of_bounds), reinterpret_cast<std::uintptr_t>(where.place.pc)},
      state != nullptr ? state->id() : 0, [&] {
        Finding finding;
        finding.rule = Rule::out_of_bounds;
        finding.by_index = true;
        std::string name = where.type;
        name.erase(std::remove(name.begin(), name.end(), '\''), name.end());
        name = tidy_type(name);
        const Line line = where.place.as_line();
        finding.array = array_at(line);
        const auto extents = static_cast<std::size_t>(std::count(name.begin(), name.end(), '['));
        std::size_t dimensions = std::max(indices_in(line), extents);
        finding.headline = index_text(index, dimensions, extents) + " is outside the bounds of " +
                           (finding.array.empty() ? "an array " + name : finding.array + " (" + name + ")");
        if (state == nullptr) {
          finding.parties = {{"host", line}};
          finding.hint = "the first index is 0 and the last one is the array's size minus 1";
          return finding;
        }
        finding.kernel = state->launch->kernel->info.name;
        for (const SharedArray& array : state->layout->arrays) {
          if (array.type != name &&
              (array.type.size() <= name.size() || text_of(line).find(array.name + "[") == std::string::npos))
            continue;
          finding.array = array.name;
          finding.element.space = "shared";
          dimensions = array.extents.size();
          finding.headline = index_text(index, dimensions, extents) + " is outside the bounds of " +
                             array.name + " (shared " + array.type + ")";
          break;
        }
        if (dimensions < 2) finding.element = element_at(finding.element.space.c_str(), index, 0);
        finding.parties = {party_here("access by ", line)};
        finding.hint =
            "the first index is 0 and the last one is the array's size minus 1: is that so for every thread?";
        return finding;
      });
}

void BoundsRule::outside_local(const OutsideLocal& where) {
  const BlockState& state = where.block;
  Findings::get().add({static_cast<std::uint64_t>(Rule::out_of_bounds), where.site, 2}, state.id(), [&] {
    const ArrayZone& zone = where.zone;
    Finding finding;
    finding.rule = Rule::out_of_bounds;
    finding.kernel = state.launch->kernel->info.name;
    finding.array = *zone.name != nullptr ? *zone.name : "";
    const auto distance = static_cast<std::ptrdiff_t>(where.address - zone.begin);
    const auto size = static_cast<std::ptrdiff_t>(where.size);
    const std::ptrdiff_t index = distance >= 0 ? distance / size : -((-distance + size - 1) / size);
    finding.element = element_at("local", index, where.size);
    finding.headline = std::string("a thread ") + ((where.kind & writes) != 0 ? "writes " : "reads ") +
                       finding.array + indices_text(finding.element.indices) + " by a pointer, " +
                       (distance < 0 ? "before the beginning of " : "past the end of ") + finding.array +
                       ", a local array of " + bytes_text(zone.bytes);
    if (zone.bytes % where.size == 0)
      finding.notes.push_back(grouped(zone.bytes / where.size) + " elements of this size");
    finding.parties = {party_now(state, where.kind, where.site)};
    finding.hint =
        "a function that gets an array as a pointer does not know its size: does it get the number of "
        "elements "
        "too, and stop there?";
    return finding;
  });
}

}  // namespace

RulePtr make_bounds_rule(MemoryMap& map) {
  return std::make_unique<BoundsRule>(map);
}

}  // namespace cuemu::check
