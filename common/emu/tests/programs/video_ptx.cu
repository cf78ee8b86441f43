// PTX's scalar video instructions against formulas on the host: bytes and halves of registers, saturation, and the third operand.
// Cases where GPUs differ from the manual are left out (33-bit numbers, signed bytes that saturate).
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

using u32 = std::uint32_t;
using s64 = long long;

#define VIDEO(NAME, TEXT)                                             \
  struct NAME {                                                       \
    static __device__ u32 on_device(u32 a, u32 b, u32 c) {            \
      u32 d = 0;                                                      \
      asm(TEXT : "+r"(d) : "r"(a), "r"(b), "r"(c));                   \
      return d;                                                       \
    }                                                                 \
    static const char* text() { return TEXT; }                        \
    static s64 on_host(u32 a, u32 b, u32 c);                          \
  };                                                                  \
  inline s64 NAME::on_host([[maybe_unused]] u32 a, [[maybe_unused]] u32 b, [[maybe_unused]] u32 c)

// Parts of a word as numbers.
s64 byte_of(u32 word, int i) { return word / (i == 0 ? 1u : i == 1 ? 256u : i == 2 ? 65536u : 16777216u) % 256; }
s64 half_of(u32 word, int i) { return i == 0 ? word % 65536 : word / 65536; }
s64 with_sign(s64 value, s64 range) { return value >= range / 2 ? value - range : value; }
s64 s8(u32 word, int i) { return with_sign(byte_of(word, i), 256); }
s64 s16(u32 word, int i) { return with_sign(half_of(word, i), 65536); }
s64 s32(u32 word) { return with_sign(word, s64{1} << 32); }
s64 s32_limit(s64 value) { return std::max(-s64{2147483648}, std::min(s64{2147483647}, value)); }
s64 u32_limit(s64 value) { return std::max(s64{0}, std::min(s64{4294967295}, value)); }
/// Returns the word with a byte or a half replaced at its place.
s64 put(u32 word, s64 part, int at, u32 mask) { return (word & ~(mask << at)) | ((static_cast<u32>(part) & mask) << at); }

VIDEO(AddWords, "vadd.u32.u32.u32 %0, %1, %2;") { return s64{a} + b; }
VIDEO(AddSigned, "vadd.s32.u32.s32.sat %0, %1.b0, %2.h0;") { return s32_limit(byte_of(a, 0) + s16(b, 0)); }
VIDEO(AddAndAdd, "vadd.s32.s32.s32.add %0, %1.b3, %2.b1, %3;") { return s8(a, 3) + s8(b, 1) + s32(c); }
VIDEO(SubtractMixed, "vsub.s32.s32.u32.sat %0, %1.h1, %2.h1;") { return s32_limit(s16(a, 1) - half_of(b, 1)); }
VIDEO(SubtractWords, "vsub.s32.s32.s32.sat %0, %1, %2;") { return s32_limit(s32(a) - s32(b)); }
VIDEO(SubtractBelow, "vsub.u32.u32.u32.sat %0, %1, %2;") { return u32_limit(s64{a} - b); }
VIDEO(SubtractAndLeast, "vsub.s32.s32.s32.sat.min %0, %1, %2, %3;") { return std::min(s32_limit(s32(a) - s32(b)), s32(c)); }
VIDEO(DistanceOfBytes, "vabsdiff.u32.u32.u32.add %0, %1.b2, %2.b2, %3;") { return std::llabs(byte_of(a, 2) - byte_of(b, 2)) + c; }
VIDEO(DistanceIntoHalf, "vabsdiff.s32.s32.s32.sat %0.h0, %1.b0, %2.b2, %3;") { return put(c, std::min(std::llabs(s8(a, 0) - s8(b, 2)), 32767ll), 0, 0xffff); }
VIDEO(LeastAndSum, "vmin.s32.s32.s32.sat.add %0, %1, %2, %3;") { return std::min(s32(a), s32(b)) + s32(c); }
VIDEO(LeastOfBoth, "vmin.s32.u32.s32 %0, %1.h0, %2;") { return std::min(half_of(a, 0), s32(b)); }
VIDEO(LargestIntoByte, "vmax.u32.u32.u32.sat %0.b3, %1.h1, %2.b0, %3;") { return put(c, std::min<s64>(std::max(half_of(a, 1), byte_of(b, 0)), 255), 24, 0xff); }
VIDEO(LargestOfThree, "vmax.s32.s32.s32.max %0, %1, %2, %3;") { return std::max({s32(a), s32(b), s32(c)}); }
VIDEO(ShiftLeft, "vshl.u32.u32.u32.clamp %0, %1.h0, %2.b0;") { return byte_of(b, 0) >= 32 ? 0 : half_of(a, 0) << byte_of(b, 0); }
VIDEO(ShiftLeftWraps, "vshl.s32.s32.u32.wrap %0, %1, %2;") { return static_cast<s64>(u32{a} << b % 32); }
VIDEO(ShiftRight, "vshr.u32.u32.u32.clamp %0, %1, %2.h1;") { return half_of(b, 1) >= 32 ? 0 : a >> half_of(b, 1); }
VIDEO(ShiftRightSigned, "vshr.s32.s32.u32.clamp.add %0, %1, %2.b2, %3;") {
  const s64 by = s64{1} << std::min<s64>(32, byte_of(b, 2)), value = s32(a);
  return (value >= 0 ? value / by : -((-value + by - 1) / by)) + s32(c);
}
VIDEO(ShiftIntoByte, "vshr.u32.u32.u32.wrap %0.b2, %1, %2.h0, %3;") { return put(c, a >> half_of(b, 0) % 32, 16, 0xff); }
VIDEO(IsLess, "vset.s32.u32.lt %0, %1, %2;") { return s32(a) < s64{b}; }
VIDEO(IsEqual, "vset.u32.u32.eq.add %0, %1.b0, %2.b0, %3;") { return (byte_of(a, 0) == byte_of(b, 0)) + s64{c}; }
VIDEO(IsNoLess, "vset.s32.s32.ge %0.b0, %1.b3, %2.b3, %3;") { return put(c, s8(a, 3) >= s8(b, 3), 0, 0xff); }
VIDEO(IsOther, "vset.u32.u32.ne.max %0, %1, %2, %3;") { return std::max<s64>(a != b, c); }
VIDEO(Multiply, "vmad.u32.u32.u32 %0, %1.h0, %2.h1, %3;") { return half_of(a, 0) * half_of(b, 1) + c; }
VIDEO(MultiplyScaled, "vmad.s32.s32.s32.sat.shr7 %0, %1.h0, %2, %3;") {
  const s64 sum = s16(a, 0) * s32(b) + s32(c);
  return s32_limit(sum >= 0 ? sum / 128 : -((-sum + 127) / 128));
}
VIDEO(MultiplyPlusOne, "vmad.u32.u32.u32.po %0, %1.b0, %2.b1, %3;") { return byte_of(a, 0) * byte_of(b, 1) + c + 1; }
VIDEO(DistanceOfHalves, "vabsdiff.u32.s32.s32 %0, %1.h0, %2.h0;") { return std::llabs(s16(a, 0) - s16(b, 0)); }
VIDEO(AddIntoByte, "vadd.u32.u32.u32.sat %0.b1, %1.b0, %2.b0, %3;") { return put(c, std::min<s64>(255, byte_of(a, 0) + byte_of(b, 0)), 8, 0xff); }
VIDEO(SumIntoByte, "vadd.s32.s32.s32 %0.b1, %1.b0, %2.b0, %3;") { return put(c, s8(a, 0) + s8(b, 0), 8, 0xff); }
VIDEO(MultiplyShifted, "vmad.s32.s32.s32.sat.shr15 %0, %1.h0, %2.h1, %3;") {
  const s64 sum = s16(a, 0) * s16(b, 1) + s32(c);
  return s32_limit(sum >= 0 ? sum / 32768 : -((-sum + 32767) / 32768));
}
VIDEO(IsLessOrThird, "vset.u32.u32.lt.max %0, %1, %2, %3;") { return std::max<s64>(a < b, c); }
VIDEO(NegatedProduct, "vmad.s32.s32.u32.sat %0, -%1.b1, %2.b0, %3;") { return s32_limit(-(s8(a, 1) * byte_of(b, 0)) + s32(c)); }
VIDEO(NegatedTwice, "vmad.s32.s32.s32 %0, -%1.h0, -%2.h0, %3;") { return s16(a, 0) * s16(b, 0) + s32(c); }
VIDEO(NegatedSum, "vmad.s32.s32.s32.sat %0, %1.b2, %2.h1, -%3;") {
  // The lowest number has no opposite. Its bits are inverted, and one is added to the wider number.
  return s32_limit(s8(a, 2) * s16(b, 1) - s32(c));
}

template <class Instruction>
__global__ void compute(const u32* words, int n, u32* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n * n * n) out[i] = Instruction::on_device(words[i / n / n], words[i / n % n], words[i % n]);
}

const u32 words[] = {0u,          1u,          2u,          0x1fu,       0x20u,       0x7fu,       0x80u,       0xffu,
                     0x100u,      0x7fffu,     0x8000u,     0xffffu,     0x12345678u, 0x80017f21u, 0x7fffffffu, 0x80000000u,
                     0xffffff80u, 0xffff8000u, 0xdeadbeefu, 0xfffffffeu, 0xffffffffu, 0x00ff2105u, 0x21000003u, 0x0a1b2c3du};
constexpr int n = sizeof words / sizeof words[0];
u32 *device_words, *device_out, host_out[n * n * n];

template <class Instruction>
void check() {
  compute<Instruction><<<(n * n * n + 127) / 128, 128>>>(device_words, n, device_out);
  cudaMemcpy(host_out, device_out, sizeof host_out, cudaMemcpyDeviceToHost);
  int different = 0;
  for (int i = 0; i < n * n * n; ++i) {
    const u32 a = words[i / n / n], b = words[i / n % n], c = words[i % n];
    const u32 expected = static_cast<u32>(Instruction::on_host(a, b, c));
    if (host_out[i] != expected && ++different == 1)
      printf("%x %x %x: %x instead of %x\n", a, b, c, host_out[i], expected);
  }
  printf("%s: %d of %d differ\n", Instruction::text(), different, n * n * n);
}

__global__ void in_registers(u32* out) {
  asm("{ .reg .u32 t, %%u; mov.u32 t, 0x80ff7f01; mov.u32 %%u, 100;\n"
      "  vadd.s32.s32.s32 %0, t.b3, %%u;\n"
      "  vadd.u32.u32.u32 %%u.b2, t.b1, t.b0, %%u; mov.u32 %1, %%u; }"
      : "=r"(out[0]), "=r"(out[1]));
}

int main() {
  cudaMalloc(&device_words, sizeof words);
  cudaMalloc(&device_out, sizeof host_out);
  cudaMemcpy(device_words, words, sizeof words, cudaMemcpyHostToDevice);
  check<AddWords>(), check<AddSigned>(), check<AddAndAdd>();
  check<SubtractMixed>(), check<SubtractWords>(), check<SubtractBelow>(), check<SubtractAndLeast>();
  check<DistanceOfBytes>(), check<DistanceIntoHalf>(), check<LeastAndSum>(), check<LeastOfBoth>();
  check<LargestIntoByte>(), check<LargestOfThree>();
  check<ShiftLeft>(), check<ShiftLeftWraps>(), check<ShiftRight>();
  check<ShiftRightSigned>(), check<ShiftIntoByte>();
  check<IsLess>(), check<IsEqual>(), check<IsNoLess>(), check<IsOther>();
  check<Multiply>(), check<MultiplyScaled>();
  check<MultiplyPlusOne>(), check<DistanceOfHalves>(), check<AddIntoByte>(), check<SumIntoByte>();
  check<MultiplyShifted>(), check<IsLessOrThird>();
  check<NegatedProduct>(), check<NegatedTwice>(), check<NegatedSum>();
  in_registers<<<1, 1>>>(device_out);
  cudaMemcpy(host_out, device_out, 2 * sizeof(u32), cudaMemcpyDeviceToHost);
  printf("in registers: %d %x\n", static_cast<int>(host_out[0]), host_out[1]);
  cudaFree(device_words);
  cudaFree(device_out);
}
