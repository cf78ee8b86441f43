// sanitizers: not valgrind, which rounds to nearest where other ways are asked for
// Inline PTX as in programs: arithmetic with carries, bits, comparisons, conversions, special registers,
// memory in each space, atomics, warp instructions, barriers, copies.
#include <cstdint>
#include <cstdio>

__device__ __forceinline__ uint32_t lane_id() {
  uint32_t id;
  asm("mov.u32 %0, %%laneid;" : "=r"(id));
  return id;
}

__device__ uint32_t smem_address(const void* p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

// The sum and the product of 128-bit numbers, word by word.
__device__ void add128(uint32_t* r, const uint32_t* a, const uint32_t* b) {
  asm("add.cc.u32 %0, %4, %8;\n\t"
      "addc.cc.u32 %1, %5, %9;\n\t"
      "addc.cc.u32 %2, %6, %10;\n\t"
      "addc.u32 %3, %7, %11;\n\t"
      : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]));
}
__device__ void sub128(uint32_t* r, const uint32_t* a, const uint32_t* b) {
  asm volatile("sub.cc.u32 %0, %1, %2;" : "=r"(r[0]) : "r"(a[0]), "r"(b[0]));
  asm volatile("subc.cc.u32 %0, %1, %2;" : "=r"(r[1]) : "r"(a[1]), "r"(b[1]));
  asm volatile("subc.cc.u32 %0, %1, %2;" : "=r"(r[2]) : "r"(a[2]), "r"(b[2]));
  asm volatile("subc.u32 %0, %1, %2;" : "=r"(r[3]) : "r"(a[3]), "r"(b[3]));
}
__device__ uint64_t mul64(uint32_t a, uint32_t b, uint64_t c) {
  uint64_t r;
  asm("{\n\t"
      ".reg .u32 lo, hi, c0, c1;\n\t"
      "mov.b64 {c0, c1}, %3;\n\t"
      "mad.lo.cc.u32 lo, %1, %2, c0;\n\t"
      "madc.hi.u32 hi, %1, %2, c1;\n\t"
      "mov.b64 %0, {lo, hi};\n\t"
      "}"
      : "=l"(r)
      : "r"(a), "r"(b), "l"(c));
  return r;
}

__global__ void arithmetic(uint32_t a, int b, float f, double d, uint32_t* out) {
  int i = 0;
  uint32_t u;
  int s;
  uint64_t l;
  float x;
  double y;
  asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(s) : "r"(b), "r"(7), "n"(5));
  out[i++] = s;
  asm("mul.hi.u32 %0, %1, %2;" : "=r"(u) : "r"(a), "r"(0xdeadbeefu));
  out[i++] = u;
  asm("mul.wide.s32 %0, %1, %2;" : "=l"(l) : "r"(b), "r"(123456));
  out[i++] = static_cast<uint32_t>(l), out[i++] = static_cast<uint32_t>(l >> 32);
  asm("div.s32 %0, %1, 7;\n rem.s32 %2, %1, 7;" : "=r"(s), "+r"(b), "=r"(u));
  out[i++] = s, out[i++] = u;
  asm("add.sat.s32 %0, %1, %2;" : "=r"(s) : "r"(0x7ffffff0), "r"(100));
  out[i++] = s;
  asm("fma.rn.f32 %0, %1, %1, %2;" : "=f"(x) : "f"(f), "f"(0.25f));
  out[i++] = __float_as_uint(x);
  asm("add.rz.f32 %0, %1, 0f33800000;" : "=f"(x) : "f"(f));
  out[i++] = __float_as_uint(x);
  asm("add.rp.f32 %0, %1, 0f33800000;" : "=f"(x) : "f"(f));
  out[i++] = __float_as_uint(x);
  asm("mul.rn.sat.f32 %0, %1, %1;" : "=f"(x) : "f"(f));
  out[i++] = __float_as_uint(x);
  asm("div.rn.f64 %0, %1, 3.0;" : "=d"(y) : "d"(d));
  out[i++] = static_cast<uint32_t>(__double_as_longlong(y));
  asm("sqrt.rn.f32 %0, %1;" : "=f"(x) : "f"(f));
  out[i++] = __float_as_uint(x);
  asm("min.s32 %0, %1, -3;\n max.u32 %2, %3, 9;" : "=r"(s), "+r"(b), "=r"(u) : "r"(a));
  out[i++] = s, out[i++] = u;
  asm("neg.s32 %0, %1; abs.s32 %0, %0; sad.s32 %0, %0, 4, 100;" : "=&r"(s) : "r"(b));
  out[i++] = s;
  asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(s) : "r"(a), "r"(0xff01fe03), "r"(10));
  out[i++] = s;
  // Sums of absolute differences of four bytes, and of parts with different signs.
  asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(u) : "r"(0xff01fe03), "r"(0x01ff0a0b), "r"(100));
  out[i++] = u;
  asm("vabsdiff4.s32.s32.s32.sat %0, %1, %2, %3;" : "=r"(u) : "r"(0x8001fe03), "r"(0x7fff0a0b), "r"(0));
  out[i++] = u;
  asm("vadd2.s32.s32.s32.sat %0, %1, %2, %3;" : "=r"(u) : "r"(0x7fff8000), "r"(0x0001ffff), "r"(0));
  out[i++] = u;
  asm("vsub4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(u) : "r"(0x10203040), "r"(0x11100140), "r"(0));
  out[i++] = u;
  asm("vmax4.s32.s32.s32 %0, %1, %2, %3;" : "=r"(u) : "r"(0x80017f00), "r"(0x7fff01ff), "r"(0));
  out[i++] = u;
  asm("vmin2.u32.u32.u32 %0, %1, %2, %3;" : "=r"(u) : "r"(0x80000001), "r"(0x7fffffff), "r"(0));
  out[i++] = u;
  const uint32_t p[4] = {0xffffffffu, 0xffffffffu, a, 1}, q[4] = {1, 0, 0xfffffff0u, 2};
  uint32_t r[4];
  add128(r, p, q);
  for (uint32_t word : r) out[i++] = word;
  sub128(r, q, p);
  for (uint32_t word : r) out[i++] = word;
  l = mul64(a, 0x87654321u, 0xffffffff12345678ull);
  out[i++] = static_cast<uint32_t>(l), out[i++] = static_cast<uint32_t>(l >> 32);
}

__global__ void bits(uint32_t a, uint32_t b, int n, float f, uint32_t* out) {
  int i = 0;
  uint32_t u;
  int s;
  uint64_t l;
  float x;
  asm("bfe.u32 %0, %1, 4, 12;" : "=r"(u) : "r"(a));
  out[i++] = u;
  asm("bfe.s32 %0, %1, 8, 16;" : "=r"(s) : "r"(a));
  out[i++] = s;
  asm("bfi.b32 %0, %1, %2, 8, 8;" : "=r"(u) : "r"(a), "r"(b));
  out[i++] = u;
  asm("lop3.b32 %0, %1, %2, %3, 0xca;" : "=r"(u) : "r"(a), "r"(b), "r"(n));
  out[i++] = u;
  asm("prmt.b32 %0, %1, %2, 0x5140;" : "=r"(u) : "r"(a), "r"(b));
  out[i++] = u;
  asm("prmt.b32.b4e %0, %1, %2, 1;" : "=r"(u) : "r"(a), "r"(b));
  out[i++] = u;
  asm("shf.l.wrap.b32 %0, %1, %2, 9;" : "=r"(u) : "r"(a), "r"(b));
  out[i++] = u;
  asm("shl.b32 %0, %1, 40; shr.s32 %2, %3, 40;" : "=r"(u), "+r"(a), "=r"(s) : "r"(0x80000000));
  out[i++] = u, out[i++] = s;
  asm("popc.b32 %0, %1;\n\tclz.b32 %2, %1;" : "=r"(u), "+r"(a), "=r"(s));
  out[i++] = u, out[i++] = s;
  asm("brev.b32 %0, %1; not.b32 %0, %0; xor.b32 %0, %0, %2;" : "=&r"(u) : "r"(a), "r"(b));
  out[i++] = u;
  asm("bfind.u32 %0, %1;" : "=r"(u) : "r"(a));
  out[i++] = u;
  // Predicates.
  asm("{ .reg .pred p, q;\n"
      "  setp.lt.s32 p|q, %1, %2;\n"
      "  selp.s32 %0, 10, 20, p;\n"
      "  @q add.s32 %0, %0, 1;\n"
      "  @!q add.s32 %0, %0, 2; }"
      : "=&r"(s)
      : "r"(n), "r"(5));
  out[i++] = s;
  asm("set.gt.u32.f32 %0, %1, 0f40000000;" : "=r"(u) : "f"(f));
  out[i++] = u;
  // Conversions.
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(s) : "f"(f * 100));
  out[i++] = s;
  asm("cvt.rzi.u32.f64 %0, %1;" : "=r"(u) : "d"(1e12));
  out[i++] = u;
  asm("cvt.rn.f32.u64 %0, %1;" : "=f"(x) : "l"(0xfffffffffffull));
  out[i++] = __float_as_uint(x);
  asm("cvt.sat.u8.s32 %0, %1;" : "=r"(u) : "r"(n - 1000));
  out[i++] = u;
  asm("cvt.rpi.f32.f32 %0, %1;" : "=f"(x) : "f"(f));
  out[i++] = __float_as_uint(x);
  unsigned short h;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f));
  out[i++] = h;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h));
  out[i++] = __float_as_uint(x);
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(u) : "f"(f), "f"(-1.0f));
  out[i++] = u;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(u) : "f"(f));
  out[i++] = u;
  asm("cvt.s64.s32 %0, %1;" : "=l"(l) : "r"(-5));
  out[i++] = static_cast<uint32_t>(l >> 32);
  // Registers with names as compilers give them.
  asm("{ .reg .pred %%p<2>; .reg .s32 %%lower, %%upper;\n"
      "  setp.lt.s32 %%p0|%%p1, %1, %2;\n"
      "  sub.s32 %%lower, %1, 1; add.s32 %%upper, %1, 1;\n"
      "  selp.s32 %0, %%lower, %%upper, %%p0;\n"
      "  @!%%p1 neg.s32 %0, %0; }"
      : "=&r"(s)
      : "r"(n), "r"(5));
  out[i++] = s;
  // A loop.
  asm("{ .reg .pred p; .reg .u32 k;\n"
      "  mov.u32 k, 0; mov.u32 %0, 0;\n"
      "AGAIN: add.u32 %0, %0, k; add.u32 k, k, 1;\n"
      "  setp.lt.u32 p, k, 10;\n"
      "  @p bra AGAIN; }"
      : "=&r"(u));
  out[i++] = u;
}

__global__ void memory(const int4* in, uint32_t* words, uint32_t* out) {
  __shared__ alignas(16) uint32_t tile[256];
  const uint32_t t = threadIdx.x;
  const uint32_t at = smem_address(tile) + t * 16;
  int4 v;
  asm volatile("ld.global.nc.L1::no_allocate.v4.s32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(in + t));
  asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(v.w), "r"(v.z), "r"(v.y), "r"(v.x));
  __syncthreads();
  uint32_t x;
  [[maybe_unused]] uint32_t old;
  asm volatile("ld.shared.u32 %0, [%1+8];" : "=r"(x) : "r"(at));
  out[t] = x;
  asm volatile("atom.shared.add.u32 %0, [%1], 5;" : "=r"(old) : "r"(smem_address(tile)) : "memory");
  asm volatile("bar.sync 0;" ::: "memory");
  if (t == 0) out[64] = tile[0];
  asm volatile("red.global.add.u32 [%0], %1;" ::"l"(words), "r"(t) : "memory");
  asm volatile("red.release.gpu.global.max.s32 [%0], %1;" ::"l"(words + 1), "r"(static_cast<int>(t) - 10));
  asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;" : "=r"(old) : "l"(words + 2), "r"(0), "r"(77));
  asm volatile("membar.gl;");
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
  unsigned char byte;
  uint32_t wide;
  asm volatile("ld.global.u8 %0, [%1];" : "=r"(wide) : "l"(reinterpret_cast<const char*>(in) + t));
  byte = static_cast<unsigned char>(wide);
  asm volatile(
      "cp.async.ca.shared.global [%0], [%1], 16;\n"
      "cp.async.commit_group;\n"
      "cp.async.wait_group %2;\n" ::"r"(at),
      "l"(in + t), "n"(0)
      : "memory");
  __syncthreads();
  out[t + 128] = tile[(t * 4 + 5) % 256] + byte;
  __syncthreads();
  // Two warps meet at a numbered barrier. The other warps do not.
  if (t < 32) {
    tile[t] = t * 3;
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[t + 192] = tile[t - 32];
  }
}

__global__ void warp(uint32_t* out) {
  const uint32_t lane = lane_id();
  uint32_t x, ballot, inside;
  out += blockIdx.x * 160;
  asm volatile("shfl.sync.bfly.b32 %0, %1, 5, 0x1f, 0xffffffff;" : "=r"(x) : "r"(lane * 10));
  out[lane] = x;
  asm volatile(
      "{ .reg .pred p;\n"
      "shfl.sync.down.b32 %0|p, %2, 20, 0x1f, 0xffffffff;\n"
      "selp.u32 %1, 1, 0, p; }"
      : "=r"(x), "=r"(inside)
      : "r"(lane));
  out[32 + lane] = x * 2 + inside;
  asm volatile(
      "{ .reg .pred p;\n"
      "setp.gt.u32 p, %1, 20;\n"
      "vote.sync.ballot.b32 %0, p, 0xffffffff; }"
      : "=r"(ballot)
      : "r"(lane));
  out[64 + lane] = ballot;
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(x) : "r"(lane / 3));
  out[96 + lane] = x;
  asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(x) : "r"(lane));
  uint32_t below;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  uint32_t block, width;
  asm("mov.u32 %0, %%ctaid.x; mov.u32 %1, %%ntid.x;" : "=r"(block), "=r"(width));
  uint64_t clock;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(clock));
  out[128 + lane] = x + __popc(below) * 1000 + block * 100000 + width * 1000000 + (clock == 0);
}

// Half and bfloat16, alone and in pairs.
__global__ void halves(uint32_t* words, uint32_t* out) {
  uint32_t r;
  unsigned short h;
  asm("add.f16x2 %0, %1, %2;" : "=r"(r) : "r"(0x3c004000), "r"(0x40001400));
  out[0] = r;
  asm("mul.rn.f16 %0, %1, %2;"
      : "=h"(h)
      : "h"(static_cast<unsigned short>(0x3555)), "h"(static_cast<unsigned short>(0x4200)));
  out[1] = h;
  asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(0x35553c01), "r"(0x42003c01), "r"(0xbc00bc00));
  out[2] = r;
  asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(0x3f804049), "r"(0x40003fb5), "r"(0x3f80bf80));
  out[3] = r;
  asm("max.f16x2 %0, %1, %2;" : "=r"(r) : "r"(0xbc007e00), "r"(0xc0003c00));
  out[4] = r;
  asm("neg.f16x2 %0, %1;" : "=r"(r) : "r"(0xbc003c00));
  out[5] = r;
  asm volatile("red.global.add.noftz.f16x2 [%0], %1;" ::"l"(words), "r"(0x3c003800) : "memory");
  asm volatile("atom.global.add.noftz.f16x2 %0, [%1], %2;"
               : "=r"(r)
               : "l"(words), "r"(0x3c003800)
               : "memory");
  out[6] = r;
  out[7] = words[0];
}

void show(const char* name, const uint32_t* out, int count) {
  cudaDeviceSynchronize();
  printf("%s", name);
  for (int i = 0; i < count; ++i) printf(" %x", out[i]);
  printf("\n");
}

// A barrier of the compiler for 32 registers.
__global__ void kept(float* x) {
  float r[32];
  for (int i = 0; i < 32; i++) r[i] = x[i] + 1;
  asm volatile("" : "+f"(r[0]), "+f"(r[1]), "+f"(r[2]), "+f"(r[3]), "+f"(r[4]), "+f"(r[5]), "+f"(r[6]), "+f"(r[7]),
                    "+f"(r[8]), "+f"(r[9]), "+f"(r[10]), "+f"(r[11]), "+f"(r[12]), "+f"(r[13]), "+f"(r[14]), "+f"(r[15]),
                    "+f"(r[16]), "+f"(r[17]), "+f"(r[18]), "+f"(r[19]), "+f"(r[20]), "+f"(r[21]), "+f"(r[22]), "+f"(r[23]),
                    "+f"(r[24]), "+f"(r[25]), "+f"(r[26]), "+f"(r[27]), "+f"(r[28]), "+f"(r[29]), "+f"(r[30]), "+f"(r[31]) :: "memory");
  for (int i = 0; i < 32; i++) x[i] = r[i];
}

int main() {
  uint32_t *out, *words;
  int4* in;
  cudaMallocManaged(&out, 4096);
  cudaMallocManaged(&words, 4096);
  cudaMallocManaged(&in, 64 * sizeof *in);
  for (int i = 0; i < 64; ++i) in[i] = make_int4(i, i * 3 + 7, -i, i * i);
  words[0] = words[1] = words[2] = 0;

  arithmetic<<<1, 1>>>(0x12345678u, -1234, 1.7f, 10.0, out);
  show("arithmetic", out, 33);
  bits<<<1, 1>>>(0xf2345678u, 0x9abcdef0u, 3, 1.7f, out);
  show("bits", out, 27);
  memory<<<1, 64>>>(in, words, out);
  show("memory", out, 65);
  show("copied", out + 128, 64);
  show("numbered", out + 224, 32);
  show("words", words, 3);
  warp<<<2, 32>>>(out);
  show("warp", out, 128);
  words[0] = 0;
  halves<<<1, 1>>>(words, out);
  show("halves", out, 8);
  float* const x = reinterpret_cast<float*>(out);
  for (int i = 0; i < 32; i++) x[i] = i;
  kept<<<1>>>(x);  // one thread
  cudaDeviceSynchronize();
  printf("kept %g %g\n", x[0], x[31]);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
