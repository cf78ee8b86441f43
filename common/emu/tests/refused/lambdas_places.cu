// emucc: --extended-lambda
// Functions in which nvcc allows no lambda for the device.
template <class F> __global__ void run(F f) { f(1); }

void right() {
  int n = 1;
  run<<<1, 1>>>([=] __device__(int x) { return n + x; });
  run<<<1, 1>>>([n = 2] __device__(auto x) { return n + x; });
  run<<<1, 1>>>([=] __host__ __device__(int x) { return n + x; });
}
void both_sides() {
  run<<<1, 1>>>([n = 2] __host__ __device__(int x) { return n + x; });   // error
  run<<<1, 1>>>([] __host__ __device__(auto x) { return x; });           // error
}
auto of_no_type() {
  run<<<1, 1>>>([] __device__(int x) { return x; });                     // error
  return 1;
}
class Steps {
 public:
  Steps() {
    run<<<1, 1>>>([] __device__(int x) { return x; });                   // error
  }
  void open() { run<<<1, 1>>>([] __device__(int x) { return x; }); }

 private:
  void hidden() {
    run<<<1, 1>>>([] __device__(int x) { return x; });                   // error
  }
};
void inside() {
  struct Local {
    void go() {
      run<<<1, 1>>>([] __device__(int x) { return x; });                 // error
    }
  };
  auto generic = [](auto) {
    run<<<1, 1>>>([] __device__(int x) { return x; });                   // error
  };
  generic(1);
  Local().go();
}
