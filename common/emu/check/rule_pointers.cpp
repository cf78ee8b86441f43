// Reports uses of a wrong kind of memory: host memory in a kernel, device memory on the host, and writes to
// constant memory. Also reports misaligned addresses, and frees of memory that can't be freed.
#include <algorithm>
#include <mutex>
#include <string>

#include "checker.hpp"
#include "host_memory.hpp"
#include "memory_map.hpp"
#include "naming.hpp"
#include "options.hpp"
#include "pointer_names.hpp"

namespace cuemu::check {

namespace {

class PointerRule final : public RuleObserver {
 public:
  explicit PointerRule(MemoryMap& map) : map_(map) {
    this_rule = this;
    watch_foreign_frees([](const void* pointer) { return this_rule->freed_as_the_hosts(pointer); });
  }

  bool wants_accesses() const override { return true; }
  void accessed(const Access& access) override {
    if (access.region.constant && (access.kind & writes) != 0) report_constant(access);
  }
  void misaligned(const Access& access) override;
  void misaligned(BlockState& state, Region& region, const MisalignedPointer& pointer) override;
  void strayed(const Stray& stray) override;
  void used_object_of_host(const HostObject& object) override;
  void used_object_of_kernel(const Region& region, Site site) override;
  void child_given(const LaunchView& child) override;
  void host_copy_accessed(const std::string& variable, unsigned kind, Site site) override;
  void free_refused(const void* pointer) override;
  void host_touched_device(std::uintptr_t address, const void* instruction) override;

 private:
  void report_constant(const Access& access);
  void report_wild(const Stray& stray);
  void report_symbol(const Stray& stray, const std::string& symbol);
  void report_host_crash(std::uintptr_t address, const void* instruction);
  bool freed_as_the_hosts(const void* pointer);
  Finding device_pointer_finding(std::uintptr_t address, const void* instruction);

  static inline PointerRule* this_rule = nullptr;

  MemoryMap& map_;
};

void PointerRule::report_constant(const Access& access) {
  const BlockState& state = access.block;
  Findings::get().add(
      {static_cast<std::uint64_t>(Rule::constant_write), access.site, access.region.begin}, state.id(), [&] {
        Finding finding;
        finding.rule = Rule::constant_write;
        finding.kernel = state.launch->kernel->info.name;
        finding.array = access.region.name;
        finding.headline = "a thread writes to constant memory, " +
                           element_name(state, access.region, access.address, access.size, finding);
        finding.parties = {party_now(state, access.kind, access.site)};
        finding.hint =
            "kernels only read __constant__ variables: write to a __device__ variable, or set it from the "
            "host "
            "with cudaMemcpyToSymbol";
        return finding;
      });
}

Finding misaligned_finding(const BlockState& state, const Region& region, std::uintptr_t address,
                           std::size_t alignment) {
  Finding finding;
  finding.rule = Rule::misaligned;
  finding.kernel = state.launch->kernel->info.name;
  const std::string element = element_name(state, region, address, 1, finding);
  finding.element = {space_of(region), {}, {}, alignment};
  const std::string shared = &region == state.arena.get() || state.cluster == nullptr
                                 ? "the block's shared memory"
                                 : "the shared memory" + whose(state, state.cluster->at(region.begin)->block);
  finding.headline =
      "an access of " + bytes_text(alignment) + " at an address that is not a multiple of " +
      std::to_string(alignment) + ", byte " + grouped(address - region.begin) + " of " +
      (region.kind == RegionKind::shared ? shared + ", in " + element.substr(0, element.find('['))
       : finding.array.empty()           ? described(region)
                                         : finding.array);
  finding.hint =
      "a GPU stops the kernel here: vector types like float4 need addresses that are multiples of their size";
  return finding;
}

void PointerRule::misaligned(const Access& access) {
  const BlockState& state = access.block;
  Findings::get().add({static_cast<std::uint64_t>(Rule::misaligned), access.site}, state.id(), [&] {
    Finding finding = misaligned_finding(state, access.region, access.address, access.size);
    finding.parties = {party_now(state, access.kind, access.site)};
    return finding;
  });
}

void PointerRule::misaligned(BlockState& state, Region& region, const MisalignedPointer& pointer) {
  const auto pc = reinterpret_cast<std::uintptr_t>(pointer.place.pc);
  Findings::get().add({static_cast<std::uint64_t>(Rule::misaligned), pc}, state.id(), [&] {
    Finding finding = misaligned_finding(state, region, pointer.address, pointer.alignment);
    const unsigned kind = pointer.write ? writes : reads;
    finding.parties = {party_here(verb_of(kind) + " by ", line_of(pointer.place.pc), access_of(kind))};
    return finding;
  });
}

/// Makes a finding "a thread reads …", without a hint.
Finding stray_finding(const Stray& stray, Rule rule, const std::string& what) {
  Finding finding;
  finding.rule = rule;
  finding.kernel = stray.block.launch->kernel->info.name;
  finding.headline = std::string("a thread ") + ((stray.kind & writes) != 0 ? "writes " : "reads ") + what;
  finding.parties = {party_now(stray.block, stray.kind, stray.site)};
  return finding;
}

void PointerRule::report_wild(const Stray& stray) {
  Findings::get().add({static_cast<std::uint64_t>(Rule::wild_pointer), stray.site}, stray.block.id(), [&] {
    const bool unset = was_never_set(stray.address);
    Finding finding = stray_finding(stray, Rule::wild_pointer,
                                    bytes_text(stray.size) + (unset ? " through a pointer that was never set"
                                                                    : " at an address where no memory is"));
    finding.hint =
        unset ? "local variables hold anything when a function begins: is the pointer set before it is used, "
                "for every thread?"
              : "is it a pointer to memory of the device, and whole? It may have been made from a number, or "
                "overwritten by an index that is out of bounds";
    return finding;
  });
}

void PointerRule::report_symbol(const Stray& stray, const std::string& symbol) {
  Findings::get().add({static_cast<std::uint64_t>(Rule::host_pointer), stray.site}, stray.block.id(), [&] {
    Finding finding =
        stray_finding(stray, Rule::host_pointer, bytes_text(stray.size) + " of the host's copy of " + symbol);
    finding.array = symbol;
    finding.hint =
        "in host code " + symbol +
        " names a copy that a GPU can't reach: use the name in the kernel, or pass the address that "
        "cudaGetSymbolAddress gives";
    return finding;
  });
}

void PointerRule::host_copy_accessed(const std::string& variable, unsigned kind, Site site) {
  Findings::get().add({static_cast<std::uint64_t>(Rule::device_pointer), site}, 0, [&] {
    Finding finding;
    finding.rule = Rule::device_pointer;
    finding.array = variable;
    finding.headline = std::string("host code ") + ((kind & writes) != 0 ? "writes" : "reads") +
                       " its own copy of " + variable + ", not the variable that kernels use";
    finding.parties = {{"host", line_of(address_of(site))}};
    finding.hint = "cudaMemcpyToSymbol and cudaMemcpyFromSymbol reach the device's " + variable +
                   "; a __managed__ variable is the same for both sides";
    return finding;
  });
}

/// Describes host memory: "4 bytes of table, a constant of the host's".
std::string text_of_host(const Stray& stray, bool constant) {
  const Variable& variable = variable_at(reinterpret_cast<const void*>(stray.address));
  if (!variable.name.empty())
    return bytes_text(stray.size) + " of " + variable.name + ", a " + (constant ? "constant" : "variable") +
           " of the host's";
  if (!constant)
    return bytes_text(stray.size) +
           (is_array(stray.address) ? " of a cudaArray's handle" : " of host memory");
  return stray.size == 1 ? "a string literal of the host's"
                         : bytes_text(stray.size) + " of constants of the host's";
}

/// Adds a note that names the memory in which the host's pointer is stored.
void name_holder(Finding& finding, const Region& holder) {
  finding.array = name_of_region(holder);
  const std::string name = finding.array.empty() ? described(holder) : finding.array;
  finding.headline += ", by a pointer in " + name;
  finding.hint = "the host put this pointer into " + name +
                 ", and a copy of a structure has the same pointers: allocate what they point to with "
                 "cudaMalloc, copy it there, and copy a structure that has the new addresses";
}

void PointerRule::strayed(const Stray& stray) {
  if (const std::string symbol = map_.host_copy_at(stray.address); !symbol.empty())
    return report_symbol(stray, symbol);
  if (stray.where == Stray::Where::nowhere) report_wild(stray);
  const bool constant = stray.where == Stray::Where::constant;
  if (stray.where != Stray::Where::host && !constant) return;
  Findings::get().add({static_cast<std::uint64_t>(Rule::host_pointer), stray.site}, stray.block.id(), [&] {
    Finding finding = stray_finding(stray, Rule::host_pointer, text_of_host(stray, constant));
    finding.hint =
        constant
            ? "a kernel can't reach strings and constants of the host: copy them with cudaMemcpy to memory "
              "from cudaMalloc, or write them into device code, as a literal in the kernel or a __constant__ "
              "array"
            : "a kernel reaches only memory from cudaMalloc, cudaMallocManaged, cudaMallocHost and "
              "__device__ "
              "variables: was the host's pointer passed instead of the device's?";
    if (is_array(stray.address))
      finding.hint =
          "a cudaArray_t is no pointer to its elements: kernels read them through a texture object "
          "(tex2D) or a surface (surf2Dread)";
    else if (stray.holder != nullptr)
      name_holder(finding, *stray.holder);
    return finding;
  });
}

void PointerRule::used_object_of_host(const HostObject& object) {
  const BlockState& state = object.block;
  Findings::get().add({static_cast<std::uint64_t>(Rule::host_pointer), object.site}, state.id(), [&] {
    Finding finding;
    finding.rule = Rule::host_pointer;
    finding.kernel = state.launch->kernel->info.name;
    if (object.region != nullptr) finding.array = name_of_region(*object.region);
    finding.headline = "a thread calls a virtual function of an object that the host made";
    if (object.region != nullptr)
      finding.headline += ", in " + (finding.array.empty() ? described(*object.region) : finding.array);
    else if (object.is_argument)
      finding.headline += ", an argument of the kernel";
    finding.parties = {party_now(state, reads, object.site)};
    finding.notes.push_back(
        "the constructor on the host left a pointer to the host's table of virtual functions in the object, "
        "and "
        "copies have it too");
    finding.hint =
        "make the object where its functions are called: a kernel constructs it by placement new in memory "
        "from cudaMalloc";
    return finding;
  });
}

Finding object_of_kernel(const Line& line) {
  Finding finding;
  finding.rule = Rule::device_pointer;
  finding.headline = "host code calls a virtual function of an object that a kernel made";
  finding.parties = {{"host", line}};
  finding.notes.push_back(
      "the constructor in the kernel left a pointer to the device's table of virtual functions in the "
      "object, "
      "and copies have it too");
  finding.hint =
      "make the object where its functions are called: let the host construct one of its own from the values";
  return finding;
}

void PointerRule::used_object_of_kernel(const Region& region, Site site) {
  Findings::get().add({static_cast<std::uint64_t>(Rule::device_pointer), site}, 0, [&] {
    Finding finding = object_of_kernel(line_of(address_of(site)));
    finding.array = name_of_region(region);
    finding.headline += ", in " + (finding.array.empty() ? described(region) : finding.array);
    return finding;
  });
}

/// Returns the owner of memory that other grids can't access: a thread for its local memory, or a block for
/// its shared memory. Null for other memory.
const char* own_memory(const BlockState& state, std::uintptr_t address) {
  if (is_on_stack(*current_fiber, address)) return "a local variable of the thread that launches it";
  if (state.arena->contains(address, 1)) return "shared memory of the block that launches it";
  return nullptr;
}

/// Reports arguments of a child grid that point to the parent's own memory. The search looks at every
/// multiple of 8 bytes, where pointers are. If an argument needs more alignment, the gap before it may
/// contain old values; then only pointers that the launch has converted are reported.
void PointerRule::child_given(const LaunchView& child) {
  const BlockState* const state = running_block();
  if (state == nullptr) return;
  const bool has_gaps = child.kernel->closure_alignment > sizeof(void*);
  const char* memory = nullptr;
  const auto* const words = static_cast<const std::uintptr_t*>(child.closure);
  for (std::size_t i = 0; i < child.kernel->closure_bytes / sizeof *words && memory == nullptr; ++i) {
    const Unreachable place = turned_back(words[i]);
    if (place.kind == Unreachable::Kind::parents_memory || !has_gaps)
      memory = own_memory(*state, place.address);
  }
  if (memory == nullptr) return;
  const std::vector<void*> stack = call_stack();
  Findings::get().add(
      {static_cast<std::uint64_t>(Rule::wild_pointer), reinterpret_cast<std::uintptr_t>(child.kernel),
       reinterpret_cast<std::uintptr_t>(users_address(stack))},
      state->id(), [&] {
        Finding finding;
        finding.rule = Rule::wild_pointer;
        finding.kernel = state->launch->kernel->info.name;
        finding.headline = std::string("kernel ") + child.kernel->info.name + " gets a pointer to " + memory;
        finding.parties = {party_here("launch by ", launch_line_of(stack))};
        finding.hint =
            "a grid that a kernel launches can't reach local and shared memory of others: give it memory "
            "from cudaMalloc "
            "or a __device__ variable";
        return finding;
      });
}

/// Returns the name of the function that frees memory of a kind.
const char* freeing_function(RegionKind kind) {
  switch (kind) {
    case RegionKind::pinned:
      return "cudaFreeHost";
    case RegionKind::registered:
      return "cudaHostUnregister";
    case RegionKind::device:
    case RegionKind::managed:
      return "cudaFree";
    default:
      return "";
  }
}

/// Describes memory that the function can't free, such as "pinned memory".
const char* kind_text(RegionKind kind) {
  return kind == RegionKind::pinned       ? "pinned memory of the host"
         : kind == RegionKind::registered ? "registered memory of the host"
         : kind == RegionKind::managed    ? "managed memory"
                                          : "memory of the device";
}

/// Reports the host's access to memory that does not exist. The access ends the program.
void PointerRule::report_host_crash(std::uintptr_t address, const void* instruction) {
  Line line = cuemu::line_of(static_cast<const char*>(instruction) + 1);
  if (!line.known()) line = cuemu::line_of(call_stack());
  if (!line.known()) return;
  if (const Unreachable place = turned_back(address);
      place.kind == Unreachable::Kind::host_memory && in_turned_table(place.address))
    return Findings::get().add(object_of_kernel(line), 0);
  Finding finding;
  finding.rule = address < near_null ? Rule::null_pointer : Rule::wild_pointer;
  finding.parties = {{"host", line}};
  finding.headline =
      address < near_null ? "host code uses a null pointer" : "host code uses an address without memory";
  finding.hint = "is the pointer set before this line, and did the call that sets it succeed?";
  const std::unique_lock<std::mutex> lock(map_.mutex, std::try_to_lock);
  const Region* const near = lock.owns_lock() ? map_.nearest_below(address) : nullptr;
  constexpr std::uintptr_t near_by = 1 << 20;
  if (near != nullptr && near->for_host() && !near->retired() &&
      address - near->begin - near->bytes < near_by) {
    finding.rule = Rule::out_of_bounds;
    finding.array = name_of_region(*near);
    const std::string name = finding.array.empty() ? described(*near) : finding.array;
    const std::uintptr_t past = address - near->begin - near->bytes;
    finding.headline = "host code goes " + (past == 0 ? std::string("just") : bytes_text(past)) +
                       " past the end of " + name + ", " + kind_text(near->kind);
    finding.notes.push_back(allocated_note(*near));
    finding.hint =
        "sizes are in bytes: count * sizeof(type) at the allocation. If that is right, is the index below "
        "the count?";
  } else if (const std::string hint = hint_without_address(line); !hint.empty()) {
    finding.hint = hint;
  }
  Findings::get().add(std::move(finding), 0);
}

void PointerRule::host_touched_device(std::uintptr_t address, const void* instruction) {
  if (!map_.in_device_range(address)) return report_host_crash(address, instruction);
  Findings::get().add(
      {static_cast<std::uint64_t>(Rule::device_pointer), reinterpret_cast<std::uintptr_t>(instruction)}, 0,
      [&] { return device_pointer_finding(address, instruction); });
}

/// Returns the hint for host code that passes the array to a function which uses it on the host. Empty if the
/// function is unknown.
std::string hint_of_call(const std::string& array, const Line& line) {
  const std::string allocates = text_of_call(line, "cudaMalloc");
  const std::string first = allocates.substr(0, allocates.find_first_of(",)"));
  if (!array.empty() && first.find("&" + array + "[") != first.npos)
    return "cudaMalloc runs on the host, and " + array +
           " lies on the device: let it fill a table of the host's, and copy that to " + array +
           " with cudaMemcpy(…, cudaMemcpyHostToDevice)";
  if (!array.empty() && first.find("&" + array + "->") != first.npos)
    return "cudaMalloc runs on the host, and " + array +
           " lies on the device: let it set a member of a structure of the host's, and copy that to " + array;
  if (text_of(line).find("thrust::") != std::string::npos)
    return "Thrust takes a raw pointer for one to the host's memory: give it the policy thrust::device "
           "first, or "
           "thrust::device_pointer_cast(" +
           (array.empty() ? "pointer" : array) + ")";
  return "";
}

Finding PointerRule::device_pointer_finding(std::uintptr_t address, const void* instruction) {
  Line line = cuemu::line_of(static_cast<const char*>(instruction) + 1);
  const bool in_call = !line.known();  // the access is in a function that the user's code calls
  if (in_call) line = cuemu::line_of(call_stack());
  Finding finding;
  finding.rule = Rule::device_pointer;
  // The program may have stopped anywhere, perhaps while it held the lock.
  const std::unique_lock<std::mutex> lock(map_.mutex, std::try_to_lock);
  const Region* const region = map_.at(address);
  if (lock.owns_lock() && region != nullptr) {
    finding.array = name_of_region(*region);
    finding.headline =
        "host code uses device memory, " + (finding.array.empty() ? described(*region) : finding.array);
    finding.notes.push_back(allocated_note(*region));
  } else {
    finding.headline = "host code uses an address of device memory";
  }
  finding.parties = {{"host", line}};
  finding.hint = in_call ? hint_of_call(finding.array, line) : "";
  if (finding.hint.empty())
    finding.hint =
        "the host can't follow a device pointer: copy the data with cudaMemcpy(…, cudaMemcpyDeviceToHost), "
        "or "
        "allocate with cudaMallocManaged";
  return finding;
}

/// Returns the pointer that a line frees: "b" for `cudaFree(b)`; empty if the line has no such call, or
/// several.
std::string freed_in(const Line& line) {
  const std::string text = text_of(line);
  const std::size_t call = text.find("cudaFree");
  if (call == text.npos || text.find("cudaFree", call + 1) != text.npos) return "";
  const std::size_t open = text.find('(', call);
  const std::size_t close = open != text.npos ? text.find(')', open) : text.npos;
  return close != text.npos ? text.substr(open + 1, close - open - 1) : "";
}

/// Returns the function that a line calls, such as "cudaFree"; empty if it is unknown.
std::string called_in(const Line& line) {
  const std::string text = text_of_call(line, "cuda");
  return text.substr(0, text.find_first_of(" ("));
}

/// Returns whether the function frees only other kinds of memory. It may refuse its own kind for other
/// reasons.
bool frees_another(const std::string& function, RegionKind kind) {
  const std::string right = freeing_function(kind);
  const bool in_stream = kind == RegionKind::device && function == "cudaFreeAsync";
  return !function.empty() && !right.empty() && function != right && !in_stream;
}

/// Reports that the program passes a live allocation to the function for another kind of memory.
void report_wrong_function(Finding& finding, const Region& region, const std::string& function) {
  finding.array = name_of_region(region);
  const std::string name = finding.array.empty() ? described(region) : finding.array;
  finding.headline = name + " is " + kind_text(region.kind) + ", which " + function +
                     (function == "delete" ? "" : "()") + " does not free";
  finding.notes.push_back(allocated_note(region));
  finding.hint = std::string("free it with ") + freeing_function(region.kind) + "()";
}

/// Reports memory that was already freed.
void report_second_free(Finding& finding, const Region& region, const Line& line) {
  finding.headline = "memory is freed a second time";
  const Line first = cuemu::line_of(region.freed_at);
  if (first.known()) finding.parties.insert(finding.parties.begin(), {"first free", first});
  const std::string one = freed_in(first), other = freed_in(line);
  finding.hint = hint_of_free(
      region, !one.empty() && !other.empty() && one != other
                  ? one + " and " + other +
                        " point to the same memory, which is to be freed once: leave one of the two calls out"
                  : "set the pointer to nullptr after the first cudaFree: freeing nullptr does nothing");
}

/// Called when free() or delete receives a pointer. Returns true if CUDA allocated the memory.
bool PointerRule::freed_as_the_hosts(const void* pointer) {
  const Region* const region = map_.at(reinterpret_cast<std::uintptr_t>(pointer));
  if (region == nullptr || region->retired() || Busy::now()) return false;
  const Busy busy;
  const Line line = cuemu::line_of(call_stack());
  if (!line.known() || *freeing_function(region->kind) == '\0') return false;
  Finding finding;
  finding.rule = Rule::bad_free;
  finding.parties = {{"free", line}};
  report_wrong_function(finding, *region,
                        text_of(line).find("delete") != std::string::npos ? "delete" : "free");
  Findings::get().add(std::move(finding), 0);
  return true;
}

void PointerRule::free_refused(const void* pointer) {
  const Line line = cuemu::line_of(call_stack());
  if (!line.known()) return;
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const std::lock_guard<std::mutex> lock(map_.mutex);
  const Region* const found = map_.beginning_at(address);
  Finding finding;
  finding.rule = Rule::bad_free;
  finding.parties = {{"free", line}};
  if (found != nullptr && found->is_heap) {
    finding.headline = "the host frees memory that a kernel got by malloc() or new";
    finding.hint = "call free() or delete in a kernel, which may be another one";
  } else if (found != nullptr && found->retired()) {
    report_second_free(finding, *found, line);
  } else if (found != nullptr && frees_another(called_in(line), found->kind)) {
    report_wrong_function(finding, *found, called_in(line));
  } else if (const HostBlock block = host_block_at(pointer); block.known() && block.begin == address) {
    finding.array = freed_in(line);
    finding.headline = (finding.array.empty() ? std::string("the pointer") : finding.array) +
                       " is memory of the host's heap, which " + called_in(line) + "() does not free";
    finding.hint =
        "free it as it was allocated: free() after malloc(), delete[] after new[], nothing for a "
        "std::vector";
  } else {
    finding.headline = "a pointer is freed that no allocation call returned";
    finding.hint =
        "free the same pointer that cudaMalloc set, with cudaFree; one of cudaMallocHost with cudaFreeHost";
  }
  Findings::get().add(std::move(finding), 0);
}

}  // namespace

RulePtr make_pointer_rule(MemoryMap& map) {
  return std::make_unique<PointerRule>(map);
}

}  // namespace cuemu::check
