#include "run/wire_reader.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <nlohmann/json.hpp>

#include "model/json.hpp"

namespace grader {
namespace {

using nlohmann::json;

constexpr std::size_t longest_text = 1024;
constexpr std::size_t most_blocks = 8, most_groups = 64;  // blocks and groups of a stopped kernel

template <class Enumerator, std::size_t count>
Enumerator named(const char* const (&names)[count], const std::string& name, Enumerator otherwise) {
  const auto* const found = std::find(std::begin(names), std::end(names), name);
  return found == std::end(names) ? otherwise : static_cast<Enumerator>(found - std::begin(names));
}

unsigned small(const WireFields& fields, const char* name) {
  return static_cast<unsigned>(std::min<std::uint64_t>(fields.count(name), UINT_MAX));
}

int whole(const WireFields& fields, const char* name) {
  return static_cast<int>(std::min<std::uint64_t>(fields.count(name), INT_MAX));
}

kit_wire::Place place_in(const WireFields& fields) {
  return {fields.text("file"), whole(fields, "line")};
}

kit_wire::ThreadGroup group_in(const WireFields& fields) {
  kit_wire::ThreadGroup group;
  group.threads = small(fields, "threads");
  group.doing = named(kit_wire::doing_names, fields.text("doing"), kit_wire::Doing::computing);
  group.mask = small(fields, "mask");
  fields.read_three("first", group.first);
  group.place = place_in(fields);
  return group;
}

kit_wire::BlockState block_in(const WireFields& fields) {
  kit_wire::BlockState state;
  fields.read_three("block", state.block);
  state.threads = small(fields, "threads");
  state.not_begun = small(fields, "not_begun");
  state.returned = small(fields, "returned");
  if (const json* const groups = fields.list("groups"))
    for (std::size_t i = 0; i < std::min(groups->size(), most_groups); ++i)
      state.groups.push_back(group_in(WireFields((*groups)[i])));
  return state;
}

}  // namespace

const json* WireFields::find(const char* name) const {
  if (!object_.is_object()) return nullptr;
  const auto value = object_.find(name);
  return value == object_.end() ? nullptr : &*value;
}

bool WireFields::has(const char* name) const {
  return find(name) != nullptr;
}

std::string WireFields::text(const char* name) const {
  const json* const value = find(name);
  return value != nullptr && value->is_string() ? value->get<std::string>().substr(0, longest_text)
                                                : std::string();
}

double WireFields::number(const char* name) const {
  const json* const value = find(name);
  if (value == nullptr || !value->is_number()) return 0;
  const double number = value->get<double>();
  return std::isfinite(number) && number >= 0 && number < 1e19 ? number : 0;
}

std::uint64_t WireFields::count(const char* name) const {
  const json* const value = find(name);
  return value != nullptr && value->is_number_unsigned() ? value->get<std::uint64_t>() : 0;
}

bool WireFields::is_set(const char* name) const {
  const json* const value = find(name);
  return value != nullptr && value->is_boolean() && value->get<bool>();
}

void WireFields::read_three(const char* name, std::uint32_t (&into)[3]) const {
  const json* const value = list(name);
  if (value == nullptr) return;
  for (std::size_t i = 0; i < 3 && i < value->size(); ++i) {
    const json& number = (*value)[i];
    if (number.is_number_unsigned() && number.get<std::uint64_t>() <= UINT32_MAX)
      into[i] = number.get<std::uint32_t>();
  }
}

const json* WireFields::list(const char* name) const {
  const json* const value = find(name);
  return value != nullptr && value->is_array() ? value : nullptr;
}

std::string_view kind_of_line(std::string_view line) {
  constexpr std::string_view begin = R"({"kind":")";
  if (!line.starts_with(begin)) return {};
  line.remove_prefix(begin.size());
  return line.substr(0, std::min(line.find('"'), line.size()));
}

std::optional<kit_wire::Stop> read_stop(std::string_view line) {
  const json parsed = json_or_null(line);
  const WireFields fields(parsed);
  if (fields.text("kind") != "stop") return std::nullopt;
  kit_wire::Stop stop;
  stop.kernel = fields.text("kernel");
  stop.reason = named(kit_wire::reason_names, fields.text("reason"), kit_wire::Reason::called);
  stop.why = fields.text("why");
  stop.error = whole(fields, "error");
  fields.read_three("grid", stop.grid);
  fields.read_three("block_dim", stop.block_dim);
  stop.who = fields.has("thread")  ? kit_wire::Who::thread
             : fields.has("block") ? kit_wire::Who::block
                                   : kit_wire::Who::none;
  fields.read_three("block", stop.block);
  fields.read_three("thread", stop.thread);
  stop.thread_hidden = fields.is_set("thread_hidden");
  stop.was_running = fields.is_set("was_running");
  stop.place = place_in(fields);
  if (const json* const blocks = fields.list("blocks"))
    for (std::size_t i = 0; i < std::min(blocks->size(), most_blocks); ++i)
      stop.blocks.push_back(block_in(WireFields((*blocks)[i])));
  stop.more_blocks = fields.count("more_blocks");
  stop.children = fields.count("children");
  return stop;
}

std::optional<kit_wire::CudaError> read_cuda_error(std::string_view line) {
  const json parsed = json_or_null(line);
  const WireFields fields(parsed);
  if (fields.text("kind") != "cuda_error") return std::nullopt;
  return kit_wire::CudaError{whole(fields, "error"), fields.text("text"), fields.text("call"),
                             place_in(fields), fields.text("cause")};
}

std::optional<kit_wire::Todo> read_todo(std::string_view line) {
  const json parsed = json_or_null(line);
  const WireFields fields(parsed);
  if (fields.text("kind") != "todo") return std::nullopt;
  return kit_wire::Todo{whole(fields, "part"), place_in(fields)};
}

}  // namespace grader
