#include "skip_access.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

#include "protection.hpp"

namespace cuemu {

namespace {

/// Accesses that a tool has announced for the calling thread.
struct Skipped {
  static constexpr unsigned size = 8;  ///< several hooks run before a structure is copied
  struct Range {
    std::uintptr_t begin = 0;
    std::size_t bytes = 0;
    const void* contents = nullptr;  ///< the pointers that a read returns; null: it returns 0
  };
  Range latest[size];
  unsigned next = 0;
  std::uint32_t count = 0;
  std::uint32_t stepped = 0;
  unsigned steps = 0;  ///< the maximum number of further instructions until the access

  /// Returns the announced bytes with this address; null: there are none.
  const Range* at(std::uintptr_t address) const {
    for (const Range& range : latest)
      if (address - range.begin < range.bytes) return &range;
    return nullptr;
  }
};
thread_local Skipped skipped;

}  // namespace

void begin_skipping() {
  skipped = {};
}

bool is_mapped(std::uintptr_t address) {
  static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  unsigned char there = 0;
  return mincore(reinterpret_cast<void*>(address / page * page), 1, &there) == 0;
}

#if defined(__x86_64__)

namespace {

std::atomic_flag copies_in_use = ATOMIC_FLAG_INIT;

/// Copies of instructions. The memory operand of a copy is the scratch area. A jump to the instruction after
/// the original follows each copy.
struct Copies {
  static constexpr unsigned most = 1024;
  static constexpr std::size_t bytes_of_one = 48;
  static constexpr std::size_t scratch_bytes = 4096;
  struct Known {
    std::uintptr_t original = 0;
    /// The original instruction's bytes when it was copied, since another library may be loaded there later.
    std::uint8_t code[15] = {};
  };
  unsigned char* memory =
      nullptr;  ///< the scratch area, then the copies; below 2 GiB, so that a 32-bit displacement can address it
  unsigned count = 0;
  Known known[most];

  unsigned char* scratch() const { return memory; }
  unsigned char* copy(unsigned i) const { return memory + scratch_bytes + i * bytes_of_one; }
};
Copies* copies = nullptr;

Copies* make_copies() {
  const std::size_t bytes = Copies::scratch_bytes + Copies::most * Copies::bytes_of_one;
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE | PROT_EXEC,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
  void* const book =
      mmap(nullptr, sizeof(Copies), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || book == MAP_FAILED) return nullptr;  // the system forbids such pages
  auto* const made = new (book) Copies;
  made->memory = static_cast<unsigned char*>(memory);
  return made;
}

/// Returns the number of immediate bytes after the operand of an opcode (Intel's manual, volume 2, appendix A).
unsigned immediate_bytes(unsigned map, unsigned opcode, unsigned reg, bool short_operand) {
  const unsigned full = short_operand ? 2 : 4;
  if (map == 3) return 1;
  if (map == 1)
    return (opcode >= 0x70 && opcode <= 0x73) || opcode == 0xa4 || opcode == 0xac || opcode == 0xba ||
                   opcode == 0xc2 || (opcode >= 0xc4 && opcode <= 0xc6)
               ? 1
               : 0;
  if (map != 0) return 0;
  switch (opcode) {
    case 0x69:
    case 0x81:
    case 0xc7:
      return full;
    case 0x6b:
    case 0x80:
    case 0x83:
    case 0xc0:
    case 0xc1:
    case 0xc6:
      return 1;
    case 0xf6:
      return reg < 2 ? 1 : 0;
    case 0xf7:
      return reg < 2 ? full : 0;
    default:
      return 0;
  }
}

bool has_modrm(unsigned map, unsigned opcode) {
  if (map == 1)
    return !(opcode == 0x05 || opcode == 0x0b || opcode == 0x31 || opcode == 0x77 || opcode == 0xa2 ||
             (opcode >= 0x80 && opcode <= 0x8f) || (opcode >= 0xc8 && opcode <= 0xcf));
  if (map != 0) return map <= 3;
  if (opcode < 0x40) return (opcode & 7) < 4;
  return opcode == 0x63 || opcode == 0x69 || opcode == 0x6b || (opcode >= 0x80 && opcode <= 0x8b) ||
         opcode == 0xc0 || opcode == 0xc1 || opcode == 0xc6 || opcode == 0xc7 ||
         (opcode >= 0xd0 && opcode <= 0xd3) || (opcode >= 0xd8 && opcode <= 0xdf) || opcode == 0xf6 ||
         opcode == 0xf7 || opcode == 0xfe || opcode == 0xff;
}

/// Returns the number of bytes of a ModRM byte and the following address bytes. Returns 0 if there is no
/// memory operand, or if the operand is relative to the instruction.
unsigned operand_bytes(const std::uint8_t* modrm) {
  const unsigned mod = modrm[0] >> 6, rm = modrm[0] & 7;
  if (mod == 3 || (mod == 0 && rm == 5)) return 0;
  const bool has_index = rm == 4;
  const unsigned displacement = mod == 1 ? 1 : mod == 2 || (has_index && (modrm[1] & 7) == 5) ? 4 : 0;
  return 1 + (has_index ? 1 : 0) + displacement;
}

}  // namespace

Instruction decode(const std::uint8_t* code) {
  Instruction found;
  found.code = code;
  unsigned at = 0;
  bool short_operand = false;
  for (;; ++at) {
    const std::uint8_t byte = code[at];
    short_operand |= byte == 0x66;
    if (byte == 0x66 || byte == 0xf0 || byte == 0xf2 || byte == 0xf3 || byte == 0x2e || byte == 0x3e)
      continue;
    if (byte == 0x64 || byte == 0x65 || byte == 0x67 || at > 4) return found;
    break;
  }
  if ((code[at] & 0xf0) == 0x40) {
    short_operand = short_operand && (code[at] & 8) == 0;
    found.rex = ++at;
  }
  unsigned map = 0;
  if (code[at] == 0xc5) {
    map = 1;
    at += 2;
  } else if (code[at] == 0xc4) {
    map = code[at + 1] & 31;
    found.extension = at + 2;
    at += 3;
  } else if (code[at] == 0x62) {
    map = code[at + 1] & 7;
    found.extension = at + 2;
    at += 4;
  } else if (code[at] == 0x0f) {
    map = code[at + 1] == 0x38 ? 2 : code[at + 1] == 0x3a ? 3 : 1;
    at += map == 1 ? 1 : 2;
  }
  const std::uint8_t opcode = code[at];
  if (map == 0 && (opcode == 0xa4 || opcode == 0xa5 || opcode == 0xaa || opcode == 0xab)) {
    found.is_string = true;
    found.opcode = opcode;
    found.bytes = at + 1;
    return found;
  }
  const bool gathers = map == 2 && found.extension != 0 && opcode >= 0x90 && opcode <= 0x93;
  if (gathers || !has_modrm(map, opcode)) return found;
  found.modrm = at + 1;
  const unsigned operand = operand_bytes(code + found.modrm);
  if (operand == 0) return found;
  found.bytes =
      found.modrm + operand + immediate_bytes(map, opcode, code[found.modrm] >> 3 & 7, short_operand);
  return found;
}

namespace {

std::uintptr_t value_of(const ucontext_t& context, unsigned number) {
  constexpr int registers[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                               REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  return static_cast<std::uintptr_t>(context.uc_mcontext.gregs[registers[number]]);
}

/// Returns the operand's address. Non-canonical addresses need this, since the system does not report them.
std::uintptr_t operand_address(const Instruction& it, const ucontext_t& context) {
  const std::uint8_t* const modrm = it.code + it.modrm;
  const unsigned mod = modrm[0] >> 6, rm = modrm[0] & 7;
  // VEX and EVEX prefixes store these bits inverted.
  const unsigned extends = it.rex != 0         ? it.code[it.rex - 1]
                           : it.extension != 0 ? ~it.code[it.extension - 1] >> 5
                                               : 0;
  const unsigned base_high = (extends & 1) << 3, index_high = (extends & 2) << 2;
  const std::uint8_t* rest = modrm + 1;
  std::uintptr_t address = 0;
  if (rm == 4) {
    const unsigned base = *rest & 7, index = (*rest >> 3 & 7) | index_high, scale = *rest >> 6;
    ++rest;
    if (index != 4) address += value_of(context, index) << scale;
    if (base == 5 && mod == 0) {
      std::int32_t displacement = 0;
      std::memcpy(&displacement, rest, sizeof displacement);
      return address + static_cast<std::uintptr_t>(static_cast<std::intptr_t>(displacement));
    }
    address += value_of(context, base | base_high);
  } else {
    address += value_of(context, rm | base_high);
  }
  if (mod == 1) address += static_cast<std::uintptr_t>(std::intptr_t{static_cast<std::int8_t>(*rest)});
  if (mod == 2) {
    std::int32_t displacement = 0;
    std::memcpy(&displacement, rest, sizeof displacement);
    address += static_cast<std::uintptr_t>(static_cast<std::intptr_t>(displacement));
  }
  return address;
}

/// Writes the instruction with the scratch area as its operand, then a jump to the instruction after the original.
void write_copy(const Instruction& it, unsigned char* to, std::uintptr_t scratch) {
  unsigned at = it.modrm;
  std::memcpy(to, it.code, it.modrm);
  constexpr unsigned index_and_base = 3;  // the address uses none of the upper eight registers
  if (it.rex != 0) to[it.rex - 1] = static_cast<unsigned char>(to[it.rex - 1] & ~index_and_base);
  if (it.extension != 0)
    to[it.extension - 1] = static_cast<unsigned char>(to[it.extension - 1] | index_and_base << 5);
  to[at++] = static_cast<unsigned char>((it.code[it.modrm] & 0x38) | 4);  // an SIB byte with
  to[at++] = 0x25;                                                        // a displacement only
  const auto displacement = static_cast<std::uint32_t>(scratch);
  std::memcpy(to + at, &displacement, sizeof displacement);
  at += sizeof displacement;
  const unsigned behind = it.modrm + operand_bytes(it.code + it.modrm);
  std::memcpy(to + at, it.code + behind, it.bytes - behind);
  at += it.bytes - behind;
  constexpr unsigned char jump[] = {0xff, 0x25, 0, 0, 0, 0};  // to the address that follows
  std::memcpy(to + at, jump, sizeof jump);
  at += sizeof jump;
  const auto next = reinterpret_cast<std::uintptr_t>(it.code) + it.bytes;
  std::memcpy(to + at, &next, sizeof next);
}

/// Returns the copy of an instruction; null if there is no room for another copy.
unsigned char* copy_of(const Instruction& it) {
  const auto original = reinterpret_cast<std::uintptr_t>(it.code);
  while (copies_in_use.test_and_set(std::memory_order_acquire)) {
  }
  unsigned char* found = nullptr;
  for (unsigned i = 0; i < copies->count && found == nullptr; ++i)
    if (copies->known[i].original == original && std::memcmp(copies->known[i].code, it.code, it.bytes) == 0)
      found = copies->copy(i);
  if (found == nullptr && copies->count < Copies::most) {
    copies->known[copies->count].original = original;
    std::memcpy(copies->known[copies->count].code, it.code, it.bytes);
    found = copies->copy(copies->count++);
    write_copy(it, found, reinterpret_cast<std::uintptr_t>(copies->scratch()));
  }
  copies_in_use.clear(std::memory_order_release);
  return found;
}

/// Carries out the rest of a string instruction, without its invalid operands.
void finish_string(const Instruction& it, ucontext_t& context) {
  auto& gregs = context.uc_mcontext.gregs;
  bool repeated = false, wide = false, narrow = false;
  for (unsigned i = 0; i + 1 < it.bytes; ++i) {
    repeated |= it.code[i] == 0xf3 || it.code[i] == 0xf2;
    narrow |= it.code[i] == 0x66;
    wide |= (it.code[i] & 0xf8) == 0x48;
  }
  const std::size_t unit = (it.opcode & 1) == 0 ? 1 : wide ? 8 : narrow ? 2 : 4;
  const std::size_t bytes = (repeated ? static_cast<std::size_t>(gregs[REG_RCX]) : 1) * unit;
  const bool moves = it.opcode <= 0xa5;
  auto* const to = reinterpret_cast<unsigned char*>(gregs[REG_RDI]);
  if (moves &&
      skipped.at(reinterpret_cast<std::uintptr_t>(to)) == nullptr) {  // the source is the invalid operand
    open_access_in_handler();
    std::memset(to, 0, bytes);
  }
  gregs[REG_RDI] += static_cast<greg_t>(bytes);
  if (moves) gregs[REG_RSI] += static_cast<greg_t>(bytes);
  if (repeated) gregs[REG_RCX] = 0;
  gregs[REG_RIP] += it.bytes;
}

/// Returns whether the instruction has an EVEX prefix, which scales displacements.
bool is_evex(const Instruction& it) {
  return it.extension != 0 && it.code[it.extension - 2] == 0x62;
}

/// If the instruction makes an announced access, lets the thread continue after the instruction or in its copy.
bool leave_out(ucontext_t& context, std::uintptr_t address) {
  const auto* const code = reinterpret_cast<const std::uint8_t*>(context.uc_mcontext.gregs[REG_RIP]);
  const Instruction it = decode(code);
  if (it.bytes == 0) return false;
  if (it.is_string) {
    const auto& gregs = context.uc_mcontext.gregs;
    const bool backwards = (gregs[REG_EFL] & 0x400) != 0;
    const auto is_announced = [&](greg_t pointer) {
      return skipped.at(static_cast<std::uintptr_t>(pointer)) != nullptr;
    };
    if (backwards || !(is_announced(gregs[REG_RDI]) || (it.opcode <= 0xa5 && is_announced(gregs[REG_RSI]))))
      return false;
    finish_string(it, context);
    return true;
  }
  const std::uintptr_t operand = is_evex(it) ? address : operand_address(it, context);
  const Skipped::Range* const announced = skipped.at(operand);
  if (announced == nullptr) return false;
  unsigned char* const copy = copy_of(it);
  if (copy == nullptr) return false;
  constexpr std::size_t largest_operand = 64;
  std::memset(copies->scratch(), 0, largest_operand);
  if (announced->contents != nullptr)
    std::memcpy(copies->scratch(),
                static_cast<const unsigned char*>(announced->contents) + (operand - announced->begin),
                sizeof(void*));
  context.uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(copy);
  return true;
}

constexpr greg_t trap_flag = 0x100;

/// After this function returns, each instruction of the calling thread raises SIGTRAP.
[[gnu::noinline]] void begin_stepping() {
  __asm__ volatile("pushfq\n\torq %0, (%%rsp)\n\tpopfq" : : "i"(trap_flag) : "memory", "cc");
}

}  // namespace

void skip_access(std::uintptr_t address, std::size_t bytes, bool used, const void* contents) {
  if (skipped.count >= most_skipped || skipped.stepped >= most_stepped) return;
  if (copies == nullptr) {
    copies = make_copies();
    if (copies == nullptr) return;
  }
  skipped.latest[skipped.next++ % Skipped::size] = {address, bytes, contents};
  if (!used) return;
  constexpr unsigned way_back = 500;  // the maximum number of instructions from here to the user's code
  skipped.steps = way_back;
  ++skipped.stepped;
  begin_stepping();
}

bool skip_faulting_access(ucontext_t& context, std::uintptr_t address) {
  // An address that can't be executed can't be read, either.
  const bool is_call = address == static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
  if (is_call || copies == nullptr || skipped.count >= most_skipped) return false;
  if (!leave_out(context, address)) return false;
  ++skipped.count;
  return true;
}

std::uintptr_t accessed_address(const ucontext_t& context) {
  const Instruction it = decode(reinterpret_cast<const std::uint8_t*>(context.uc_mcontext.gregs[REG_RIP]));
  if (it.bytes == 0) return 0;
  if (it.is_string) {
    const auto to = static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RDI]);
    const bool copies_from = it.opcode <= 0xa5 && is_mapped(to);
    return copies_from ? static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RSI]) : to;
  }
  return is_evex(it) ? 0 : operand_address(it, context);
}

bool step_to_access(ucontext_t& context) {
  if (skipped.steps == 0) return false;
  --skipped.steps;
  if (leave_out(context, 0)) {
    // Several instructions copy a structure.
    constexpr unsigned close_by = 32;
    const Skipped::Range& last = skipped.latest[(skipped.next - 1) % Skipped::size];
    skipped.steps = last.bytes > 16 ? close_by : 0;
  }
  if (skipped.steps == 0) context.uc_mcontext.gregs[REG_EFL] &= ~trap_flag;
  return true;
}

#else

Instruction decode(const std::uint8_t*) {
  return {};
}
void skip_access(std::uintptr_t, std::size_t, bool, const void*) {}
bool skip_faulting_access(ucontext_t&, std::uintptr_t) {
  return false;
}
std::uintptr_t accessed_address(const ucontext_t&) {
  return 0;
}
bool step_to_access(ucontext_t&) {
  return false;
}

#endif

}  // namespace cuemu
