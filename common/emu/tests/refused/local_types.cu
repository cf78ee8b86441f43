// The type arguments of a kernel template must have names that are visible outside of a function.
template <class T> __global__ void kernel(T x, int* r) { *r = x.value; }
struct Global { int value; };
class Holder {
  struct Private { int value; };
 public:
  void launch(int* r) {
    kernel<<<1, 1>>>(Private{1}, r);  // error
  }
};
int main() {
  int* r = nullptr;
  kernel<<<1, 1>>>(Global{1}, r);
  struct Local { int value; };
  kernel<<<1, 1>>>(Local{1}, r);      // error
}
