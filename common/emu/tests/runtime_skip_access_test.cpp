// Tests suppressed accesses. Compares the lengths of instructions with the assembler's. Checks the results in
// registers, flags and memory if the operand is a null pointer, a non-canonical address, or memory of another
// object.
#include "../runtime/skip_access.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

extern "C" {
struct Assembled {
  const std::uint8_t* begin;
  const std::uint8_t* end;
};
extern const Assembled assembled[];
extern const Assembled assembled_end[];
}

// Loads, stores, updates and copies as compilers generate them. Each has its own address and the address of
// the next instruction.
__asm__(R"(
.pushsection .data.rel.ro,"aw"
.globl assembled, assembled_end
assembled:
.popsection
.macro each text:vararg
  .pushsection .text
  7771: \text
  7772:
  .popsection
  .pushsection .data.rel.ro,"aw"
  .quad 7771b, 7772b
  .popsection
.endm
each movl (%rax), %ecx
each movl 4(%rax), %ecx
each movl 0x12345(%rax,%rbx,4), %ecx
each movl 0x10, %ecx
each movl 0(,%rbx,8), %ecx
each movq (%r12), %r13
each movq 8(%r13,%r14,2), %r15
each movw %cx, (%rax)
each movb %r9b, 3(%r10)
each movl $7, (%rax)
each movw $7, (%rax)
each movq $7, 0x100(%rax)
each movb $7, (%rax)
each addl $1, (%rax)
each addl $100000, (%rax)
each imull $100000, (%rax), %ecx
each imull $10, (%rax), %ecx
each shll $3, (%rax)
each testl $5, (%rax)
each testb $5, (%rax)
each negl (%rax)
each incq (%rax)
each cmpl $0, (%rax)
each movzbl (%rax), %ecx
each movsbl (%rax), %ecx
each movslq (%rax), %rcx
each movss (%rax), %xmm1
each movsd %xmm1, 8(%rax,%rcx,8)
each movups (%rax), %xmm9
each movdqa %xmm9, (%r9)
each cvtsi2sdl (%rax), %xmm1
each pshufd $27, (%rax), %xmm2
each cmpps $1, (%rax), %xmm2
each pinsrb $3, (%rax), %xmm2
each lock xaddl %ecx, (%rax)
each lock cmpxchgq %rcx, (%rax)
each lock orl $0, (%rax)
each xchgl %ecx, (%rax)
each cmpxchg16b (%rax)
each fldl (%rax)
each call *8(%rax)
each vmovss (%rax), %xmm1
each vmovups (%r10,%r11,4), %ymm12
each vfmadd231ss (%rax), %xmm1, %xmm2
each vpshufd $27, (%rax), %xmm2
each vinserti128 $1, (%rax), %ymm1, %ymm2
each stosq
each rep stosb
each rep movsq
.pushsection .data.rel.ro,"aw"
assembled_end:
.popsection
)");

namespace {

using namespace cuemu;

TEST(SkipAccess, KnowsTheLengthOfInstructions) {
  int count = 0;
  for (const Assembled* each = assembled; each != assembled_end; ++each, ++count)
    EXPECT_EQ(decode(each->begin).bytes, static_cast<unsigned>(each->end - each->begin))
        << "the " << count << "th";
  EXPECT_GT(count, 40);
}

TEST(SkipAccess, LeavesOthersAlone) {
  const std::uint8_t registers_alone[] = {0x01, 0xc8, 0x90}, relative[] = {0x8b, 0x05, 0, 0, 0, 0},
                     of_a_thread[] = {0x64, 0x8b, 0x00}, returns[] = {0xc3}, pushes[] = {0x50};
  for (const std::uint8_t* const code : {registers_alone, relative, of_a_thread, returns, pushes})
    EXPECT_EQ(decode(code).bytes, 0u);
}

/// Runs the instructions on a suppressed address.
class OnAddress : public testing::TestWithParam<std::uintptr_t> {
 protected:
  static void SetUpTestSuite() {
    struct sigaction action {};
    action.sa_flags = SA_SIGINFO;
    action.sa_sigaction = [](int, siginfo_t* info, void* context) {
      if (!skip_faulting_access(*static_cast<ucontext_t*>(context),
                                reinterpret_cast<std::uintptr_t>(info->si_addr)))
        std::_Exit(99);
    };
    sigaction(SIGSEGV, &action, nullptr);
    sigaction(SIGBUS, &action, nullptr);
    action.sa_sigaction = [](int, siginfo_t*, void* context) {
      if (!step_to_access(*static_cast<ucontext_t*>(context))) std::_Exit(98);
    };
    sigaction(SIGTRAP, &action, nullptr);
  }
  static void TearDownTestSuite() {
    for (const int number : {SIGSEGV, SIGBUS, SIGTRAP}) std::signal(number, SIG_DFL);
  }
  void SetUp() override {
    begin_skipping();
    std::memset(memory_, 0x5a, sizeof memory_);
    address_ = GetParam() != 0 ? GetParam() : reinterpret_cast<std::uintptr_t>(memory_);
  }
  void TearDown() override {
    for (const unsigned char byte : memory_) ASSERT_EQ(byte, 0x5a) << "what lies there is not written to";
  }
  void skip(std::size_t bytes) { skip_access(address_, bytes, GetParam() == 0); }

  std::uintptr_t address_ = 0;
  alignas(64) static inline unsigned char memory_[128];
};

TEST_P(OnAddress, ReadsZero) {
  std::uint64_t value = 77;
  skip(8);
  __asm__ volatile("movq (%1), %0" : "+r"(value) : "r"(address_) : "memory");
  EXPECT_EQ(value, 0u);
  value = 77;
  skip(4);
  __asm__ volatile("movslq (%1), %0" : "+r"(value) : "r"(address_) : "memory");
  EXPECT_EQ(value, 0u);
  double number = 7;
  skip(8);
  __asm__ volatile("addsd (%1), %0" : "+x"(number) : "r"(address_) : "memory");
  EXPECT_EQ(number, 7);
}

TEST_P(OnAddress, ReadsAndCallsThePointersThatTheToolGives) {
  static int calls = 0;
  void (*const functions[2])() = {[] { calls += 1; }, [] { calls += 10; }};
  std::uintptr_t value = 77;
  skip_access(address_, sizeof functions, GetParam() == 0, functions);
  __asm__ volatile("movq 8(%1), %0" : "+r"(value) : "r"(address_) : "memory");
  EXPECT_EQ(value, reinterpret_cast<std::uintptr_t>(functions[1]));
  skip_access(address_, sizeof functions, GetParam() == 0, functions);
  __asm__ volatile("movq %%rsp, %%rbx\n\tandq $-16, %%rsp\n\tcall *8(%0)\n\tmovq %%rbx, %%rsp"
                   :
                   : "r"(address_)
                   : "memory", "cc", "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11");
  EXPECT_EQ(calls, 10);
  calls = 0;
}

TEST_P(OnAddress, ReadsZeroIntoTheRegisterOfTheAddress) {
  std::uintptr_t pointer = address_ - 40;
  const std::uintptr_t index = 5;
  skip(8);
  __asm__ volatile("movq (%0,%1,8), %0" : "+r"(pointer) : "r"(index) : "memory");
  EXPECT_EQ(pointer, 0u);
}

TEST_P(OnAddress, UsesTheUpperRegisters) {
  register std::uintptr_t base __asm__("r13") = address_ - 12;
  register std::uintptr_t index __asm__("r12") = 1;
  std::uint32_t value = 77;
  skip(4);
  __asm__ volatile("movl 4(%1,%2,8), %0" : "+r"(value) : "r"(base), "r"(index) : "memory");
  EXPECT_EQ(value, 0u);
}

TEST_P(OnAddress, DropsWrites) {
  skip(4);
  __asm__ volatile("movl $5, (%0)" : : "r"(address_) : "memory");
  skip(16);
  __asm__ volatile("movups %%xmm0, (%0)" : : "r"(address_) : "memory");
  skip(4);
  int old = 3;
  __asm__ volatile("lock xaddl %0, (%1)" : "+r"(old) : "r"(address_) : "memory");
  EXPECT_EQ(old, 0);
}

TEST_P(OnAddress, SetsTheFlags) {
  unsigned char equal = 0;
  skip(4);
  __asm__ volatile("cmpl $0, (%1)\n\tsete %0" : "=r"(equal) : "r"(address_) : "memory");
  EXPECT_EQ(equal, 1);
}

TEST_P(OnAddress, CarriesOutStringInstructions) {
  unsigned char from[24], to[24];
  std::memset(from, 1, sizeof from);
  std::memset(to, 2, sizeof to);
  std::uintptr_t target = address_, source = reinterpret_cast<std::uintptr_t>(from), count = 3;
  skip(24);
  __asm__ volatile("rep movsq" : "+D"(target), "+S"(source), "+c"(count) : : "memory");
  EXPECT_EQ(target, address_ + 24);
  EXPECT_EQ(count, 0u);
  target = reinterpret_cast<std::uintptr_t>(to);
  source = address_;
  count = 3;
  skip(24);
  __asm__ volatile("rep movsq" : "+D"(target), "+S"(source), "+c"(count) : : "memory");
  EXPECT_EQ(source, address_ + 24);
  for (const unsigned char byte : to) EXPECT_EQ(byte, 0);
  target = address_;
  count = 24;
  skip(24);
  __asm__ volatile("rep stosb" : "+D"(target), "+c"(count) : "a"(7) : "memory");
  EXPECT_EQ(target, address_ + 24);
}

TEST_P(OnAddress, GoesOnManyTimes) {
  for (int i = 0; i < 2000; ++i) {
    std::uint32_t value = 77;
    skip(4);
    __asm__ volatile("movl (%1), %0" : "+r"(value) : "r"(address_) : "memory");
    ASSERT_EQ(value, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, OnAddress,
                         testing::Values(8, std::uintptr_t{0xfefefefefefefef8},
                                         std::uintptr_t{0x123456780000}, 0),
                         [](const auto& each) {
                           return each.param == 0    ? "Used"
                                  : each.param == 8  ? "Null"
                                  : each.param >> 48 ? "Impossible"
                                                     : "Unmapped";
                         });

using SkipAccessDeathTest = testing::Test;
TEST(SkipAccessDeathTest, OthersAreLeftToOtherHandlers) {
  EXPECT_EXIT(
      {
        struct sigaction action {};
        action.sa_flags = SA_SIGINFO;
        action.sa_sigaction = [](int, siginfo_t* info, void* context) {
          const bool left_out = skip_faulting_access(*static_cast<ucontext_t*>(context),
                                                     reinterpret_cast<std::uintptr_t>(info->si_addr));
          std::_Exit(left_out ? 1 : 42);
        };
        sigaction(SIGSEGV, &action, nullptr);
        skip_access(64, 4, false);
        __asm__ volatile("movl (%0), %%eax" : : "r"(std::uintptr_t{128}) : "eax", "memory");
      },
      testing::ExitedWithCode(42), "");
}

}  // namespace

#endif
