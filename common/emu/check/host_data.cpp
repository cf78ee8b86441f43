// Finds kernels that read the host's constants, and virtual calls on objects that the other side constructed.
// On a GPU, host and device have separate constants and separate tables of virtual functions. In the
// emulation they share them, so the launch's arguments and the objects decide to which side they belong.
// Copies and launches turn the objects' pointers to tables (../runtime/object_tables.hpp). In memory of both
// sides, the shadow shows which side wrote the pointer.
#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "checker.hpp"
#include "source.hpp"

namespace cuemu::check {

namespace {

/// Returns whether any word of the arguments that the host passed to a kernel satisfies `fits`. Ignores the
/// arguments of a grid that a kernel launched, since they may be device data.
template <class Fits>
bool is_given(const LaunchView& launch, const Fits& fits) {
  const auto* const words = static_cast<const std::uintptr_t*>(launch.closure);
  const std::size_t count = launch.is_child ? 0 : launch.kernel->closure_bytes / sizeof *words;
  return std::any_of(words, words + count,
                     [&](std::uintptr_t word) { return fits(turned_back(word).address); });
}

bool is_table(const Variable& variable) {
  return variable.name.rfind("vtable for ", 0) == 0;
}

constexpr std::size_t largest_table = 4096;

}  // namespace

bool Checker::is_table_of_host(const Unreachable& place) {
  return place.kind == Unreachable::Kind::host_memory && in_turned_table(place.address);
}

/// Handles a read of a constant. Returns false if the constant is the host's.
bool Checker::read_constant(BlockState& state, std::uintptr_t address, std::size_t size, unsigned kind,
                            const void* pc) {
  if (size == sizeof(void*)) {  // looking up a symbol is slow
    const Variable& table = variable_at(reinterpret_cast<const void*>(address));
    if (is_table(table)) {
      use_table(state, table, last_pointer_read_, pc);
      return true;
    }
  }
  return !is_the_hosts_constant(*state.launch, address, size, pc) ||
         stray(state, address, size, kind, pc, Stray::Where::constant);
}

void Checker::table_asked_for(std::uintptr_t object, const void* pc) {
  BlockState* const state = running_block();
  if (state == nullptr) return;
  const Uninterrupted whole(*current_fiber);
  if (!may_be_mistaken(reads, pc)) return;
  const Region* const region = map_.at(object);
  const bool is_good = region != nullptr ? !region->retired() && region->contains(object, sizeof(void*))
                                         : state->is_private(*current_fiber, object);
  if (!is_good) return;
  const auto pointer = *reinterpret_cast<const std::uintptr_t*>(object);
  if (const Unreachable table = turned_back(pointer); is_table_of_host(table)) {
    use_turned_table(*state, table.address, pc);
    skip_access(pointer, largest_table, false, reinterpret_cast<const void*>(table.address));
  } else {
    use_table(*state, variable_at(reinterpret_cast<const void*>(pointer)), object, pc);
  }
}

void Checker::object_made(std::uintptr_t table) {
  if (running_block() == nullptr) return;
  const Uninterrupted whole(*current_fiber);
  tables_of_kernels_.insert(table);
}

/// Handles a virtual call by a pointer to the host's table. The object is at the address of the last pointer
/// read, or it is an argument.
void Checker::use_turned_table(BlockState& state, std::uintptr_t table, const void* pc) {
  const auto leads_there = [&](std::uintptr_t word) {
    return table - turned_back(word).address < largest_table;
  };
  const std::uintptr_t object = std::exchange(last_pointer_read_, 0);
  const Region* region = map_.at(object);
  if (region != nullptr && (region->retired() || !region->contains(object, sizeof(void*)) ||
                            !leads_there(*reinterpret_cast<const std::uintptr_t*>(object))))
    region = nullptr;
  const bool given = region == nullptr && is_given(*state.launch, leads_there);
  const HostObject event{state, region, given, site_of(pc)};
  for (const RulePtr& rule : rules_) rule->used_object_of_host(event);
}

/// Handles a virtual call on an object whose pointer to the table was not turned. An object in memory of both
/// sides is the host's if the host wrote that pointer. If a copy wrote it, the object is the host's unless a
/// kernel has constructed an object of its class.
void Checker::use_table(BlockState& state, const Variable& table, std::uintptr_t object, const void* pc) {
  Region* const region = map_.at(object);
  if (region == nullptr || region->retired() || !region->for_host() ||
      !region->contains(object, sizeof(void*)) || !unwatched_.empty())
    return;
  const auto pointer = *reinterpret_cast<const std::uintptr_t*>(object);
  if (pointer < table.begin || pointer >= table.end) return;
  const std::optional<Doing> maker = last_writer(*region, object);
  if (maker == Doing::kernel) return;
  const bool by_host = maker == Doing::host || maker == Doing::host_function;
  if (!by_host && tables_of_kernels_.count(pointer) != 0) return;
  const HostObject event{state, region, false, site_of(pc)};
  for (const RulePtr& rule : rules_) rule->used_object_of_host(event);
}

/// Handles a read, by host code, of a pointer in memory of both sides. On an object that a kernel
/// constructed, the read is a virtual call.
void Checker::host_reads_pointer(const Region& region, std::uintptr_t object, Site site) {
  if (!is_object_table(*reinterpret_cast<const std::uintptr_t*>(object)) ||
      last_writer(region, object) != Doing::kernel)
    return;
  for (const RulePtr& rule : rules_) rule->used_object_of_kernel(region, site);
}

/// Returns what wrote a word last; none if it is unknown.
std::optional<Doing> Checker::last_writer(const Region& region, std::uintptr_t word) {
  std::unique_lock<std::mutex> lock(host_memory_, std::defer_lock);
  if (region.for_host()) lock.lock();
  const Mark written = region.at(word).write;
  if (written.epoch() <= Epochs::outside_kernels) return std::nullopt;
  return Timeline::get().era(written.stamp().era).doing;
}

HostPointer Checker::last_pointer_of_host() {
  Region* const region = map_.at(last_pointer_read_);
  if (region == nullptr || region->retired() || !region->contains(last_pointer_read_, sizeof(void*)) ||
      !unwatched_.empty())
    return {};
  const bool by_host =
      (region->from_host || region->for_host()) && last_writer(*region, last_pointer_read_) != Doing::kernel;
  return by_host ? HostPointer{region, *reinterpret_cast<const std::uintptr_t*>(last_pointer_read_)}
                 : HostPointer{};
}

const Region* Checker::holder_of_pointer(const LaunchView& launch, std::uintptr_t address) {
  constexpr std::uintptr_t near = 64 * 1024;
  const auto leads_there = [&](std::uintptr_t pointer) { return address - pointer < near; };
  const HostPointer last = last_pointer_of_host();
  return leads_there(last.value) && !is_given(launch, leads_there) ? last.holder : nullptr;
}

bool Checker::is_the_hosts_variable(const LaunchView& launch, std::uintptr_t address) {
  const Variable& variable = variable_at(reinterpret_cast<const void*>(address));
  const auto leads_there = [&](std::uintptr_t word) { return word >= variable.begin && word < variable.end; };
  return !variable.name.empty() &&
         (is_given(launch, leads_there) || leads_there(last_pointer_of_host().value));
}

/// Returns whether a constant is the host's. Constants of host and device code are mixed in memory. A
/// constant is the host's if the kernel received its address as an argument, or read the address where the
/// host had stored it.
bool Checker::is_the_hosts_constant(const LaunchView& launch, std::uintptr_t address, std::size_t size,
                                    const void* pc) {
  constexpr std::uintptr_t longest_string = 4096;
  const auto leads_there = [&](std::uintptr_t given) {
    if (given > address || !sites_.is_constant(given, pc)) return false;
    const auto* const begin = reinterpret_cast<const char*>(given);
    const Variable& variable = variable_at(begin);
    if (!variable.name.empty())
      return address < variable.end && !is_table(variable) && !in_variable_template(begin);
    // Literals have no symbols.
    return address == given || (size == 1 && address - given < longest_string &&
                                std::memchr(begin, 0, address - given) == nullptr);
  };
  return is_given(launch, leads_there) || leads_there(last_pointer_of_host().value);
}

}  // namespace cuemu::check
