// Tests the trees of expressions and statements: each kind, operator precedence, the effect of names, and
// text that is invalid or deeply nested.
#include "parse/syntax_tree.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "parse/tree_dump.hpp"

namespace emucc {
namespace syntax_tree_test {

using Kind = Expression::Kind;

/// Returns the tree in the form `(+ a (* b c))`: the operator or the kind, then the parts.
std::string spelled(const Syntax& syntax, const Expression& node) {
  const auto tokens = [&](std::size_t begin, std::size_t end) {
    std::string all;
    for (std::size_t i = begin; i < end; ++i) all += syntax.at(i);
    return all;
  };
  std::string head;
  switch (node.kind) {
    case Kind::literal:
    case Kind::name:
    case Kind::this_:
      return tokens(node.begin, node.end);
    case Kind::query:
      return "[" + tokens(node.begin, node.end) + "]";
    case Kind::unknown:
      return "?";
    case Kind::parentheses:
      return spelled(syntax, node.part(0));
    case Kind::member:
      head = std::string(node.op) + tokens(node.at, node.end);
      break;
    case Kind::unary:
      head = (node.postfix ? "post" : "") + std::string(node.op);
      break;
    case Kind::binary:
    case Kind::assignment:
      head = std::string(node.op);
      break;
    case Kind::cast:
    case Kind::new_:
      head = std::string(kind_name(node.kind)) + ":" + tokens(node.type_begin, node.type_end);
      break;
    case Kind::index:
    case Kind::call:
    case Kind::conditional:
    case Kind::delete_:
    case Kind::throw_:
    case Kind::lambda:
    case Kind::list:
    case Kind::launch:
    case Kind::assembly:
      head = kind_name(node.kind);
      break;
  }
  std::string all = "(" + head;
  for (const Expression* part : node.parts) all += " " + spelled(syntax, *part);
  return all + ")";
}

const std::string declarations =
    "typedef float real; struct Pair { int x; }; using Index = unsigned; enum Mode { off, on };\n"
    "template <int N> int f(int); template <class T> struct Box {}; const int count = 3;\n";

/// Returns the tree of the expression `text`, a statement in a function that declares some names.
std::string read(const std::string& text) {
  const std::string all =
      declarations +
      "template <typename T, int B> void k(int n, float* p, const Pair& r) { int a, b, c, "
      "d; float s[4][8]; " +
      text + "; }";
  const TokenStream stream = lex(all);
  const Syntax syntax(stream);
  std::size_t begin = stream.tokens.size();
  while (!syntax.is(begin - 1, "8")) --begin;
  begin += 2;
  return spelled(syntax, syntax.tree().expression(begin, syntax.size() - 2));
}

TEST(SyntaxTree, EachKind) {
  EXPECT_EQ(read("1.5f"), "1.5f");
  EXPECT_EQ(read("'x'"), "'x'");
  EXPECT_EQ(read("\"a\" \"b\""), "\"a\"\"b\"");
  EXPECT_EQ(read("true"), "true");
  EXPECT_EQ(read("::ns::a"), "::ns::a");
  EXPECT_EQ(read("this->x"), "(->x this)");
  EXPECT_EQ(read("((a))"), "a");
  EXPECT_EQ(read("r.x.y"), "(.y (.x r))");
  EXPECT_EQ(read("p->template g<3>(1)"), "(call (->g<3> p) 1)");
  EXPECT_EQ(read("s[a][b]"), "(index (index s a) b)");
  EXPECT_EQ(read("g(a, g(), {b})"), "(call g a (call g) (list b))");
  EXPECT_EQ(read("f<2>(10)"), "(call f<2> 10)");
  EXPECT_EQ(read("-a + !b"), "(+ (- a) (! b))");
  EXPECT_EQ(read("a++ - --b"), "(- (post++ a) (-- b))");
  EXPECT_EQ(read("g(a...)"), "(call g (post... a))");
  EXPECT_EQ(read("*p = *&a"), "(= (* p) (* (& a)))");
  EXPECT_EQ(read("a, b = c"), "(, a (= b c))");
  EXPECT_EQ(read("a ? b, c : d ? 1 : 2"), "(conditional a (, b c) (conditional d 1 2))");
  EXPECT_EQ(read("(float)a * b"), "(* (cast:float a) b)");
  EXPECT_EQ(read("int(a) + float4{1, 2}.x"), "(+ (cast:int a) (.x (cast:float4 (list 1 2))))");
  EXPECT_EQ(read("static_cast<const float*>(p)[1]"), "(index (cast:constfloat* p) 1)");
  EXPECT_EQ(read("sizeof(int) * 2"), "(* [sizeof(int)] 2)");
  EXPECT_EQ(read("sizeof a + 1"), "(+ [sizeofa] 1)");
  EXPECT_EQ(read("new float[a]"), "(new:float a)");
  EXPECT_EQ(read("new Pair(1), delete[] p"), "(, (new:Pair 1) (delete p))");
  EXPECT_EQ(read("a ? throw 1 : b"), "(conditional a (throw 1) b)");
  EXPECT_EQ(read("[&](int x) { return x; }(a)"), "(call (lambda) a)");
  EXPECT_EQ(read("Pair{.x = 1}"), "(cast:Pair (list 1))");
  EXPECT_EQ(read("k<int, 2><<<a, b >> 1, 0, c>>>(d)"), "(launch k<int,2> a (>> b 1) 0 c d)");
  EXPECT_EQ(read("asm volatile(\"mov %0, %1;\" : \"=r\"(a) : \"r\"(b + 1))"), "(assembly a (+ b 1))");
}

TEST(SyntaxTree, NamesDecideWhatParenthesesAre) {
  EXPECT_EQ(read("(real)*p"), "(cast:real (* p))");
  EXPECT_EQ(read("(a)*b"), "(* a b)");
  EXPECT_EQ(read("(count)-b"), "(- count b)");
  EXPECT_EQ(read("(on)&a"), "(& on a)");
  EXPECT_EQ(read("(T)-a"), "(cast:T (- a))");
  EXPECT_EQ(read("(B)-a"), "(- B a)");
  EXPECT_EQ(read("(Pair*)p"), "(cast:Pair* p)");
  EXPECT_EQ(read("(size_t)(a)"), "(cast:size_t a)");
  EXPECT_EQ(read("(uchar4)(a)"), "(cast:uchar4 a)");
  EXPECT_EQ(read("(other)a"), "(cast:other a)");
  EXPECT_EQ(read("(other)~a"), "(cast:other (~ a))");
  EXPECT_EQ(read("(other) < a"), "(< other a)");
  EXPECT_EQ(read("(threadIdx.x) - a"), "(- (.x threadIdx) a)");
  EXPECT_EQ(read("Index(a) + Box<int>(b)"), "(+ (cast:Index a) (cast:Box<int> b))");
  // The reader can't choose the kind without the name's meaning.
  for (const char* text : {"(other)*p", "(other)-a", "(other)&a", "(other)+1", "(other)(a)", "(ns::other)*p"})
    EXPECT_EQ(read(text), "?") << text;
}

TEST(SyntaxTree, NamesDecideWhatAnglesAre) {
  EXPECT_EQ(read("f<2>(a)"), "(call f<2> a)");
  EXPECT_EQ(read("std::min<int>(a, b)"), "(call std::min<int> a b)");
  EXPECT_EQ(read("a<2>(b)"), "(> (< a 2) b)");
  EXPECT_EQ(read("a < b && c > (d)"), "(&& (< a b) (> c d))");
  EXPECT_EQ(read("other < b && c > (d)"), "(&& (< other b) (> c d))");
  EXPECT_EQ(read("other < b || c > d"), "(|| (< other b) (> c d))");
  EXPECT_EQ(read("r.x < b && r.x > (d)"), "(&& (< (.x r) b) (> (.x r) d))");
  EXPECT_EQ(read("counted<int> + counted<float>"), "(+ counted<int> counted<float>)");
  EXPECT_EQ(read("a < b, c > d"), "(, (< a b) (> c d))");
  EXPECT_EQ(read("g(a < b, c > d)"), "(call g (< a b) (> c d))");
  EXPECT_EQ(read("Box<Box<int>>{}"), "(cast:Box<Box<int>> (list))");
  EXPECT_EQ(read("a >> b >= c << 1"), "(>= (>> a b) (<< c 1))");
  EXPECT_EQ(read("a <<= b >>= 1"), "(<<= a (>>= b 1))");
}

TEST(SyntaxTree, InnerDeclarationsHideOuterOnes) {
  EXPECT_EQ(read("g([](int real) { return (real)*3; }, (real)*p)"), "(call g (lambda) (cast:real (* p)))");
  const std::string text = declarations + "void k(float* p) { { int real = 1; g((real)*p); } g((real)*p); }";
  const TokenStream stream = lex(text);
  const Syntax syntax(stream);
  std::vector<std::string> found;
  for (std::size_t i = 0; i < syntax.size(); ++i)
    if (syntax.is(i, "g")) found.push_back(spelled(syntax, syntax.tree().expression(i, syntax.after(i + 1))));
  EXPECT_EQ(found, (std::vector<std::string>{"(call g (* real p))", "(call g (cast:real (* p)))"}));
}

// ---- precedence, against a slow reader that divides at the operator of lowest precedence

struct Flat {
  std::vector<std::string> operands, operators;
};

int level_of(const std::string& op) {
  static const std::vector<std::vector<std::string>> levels = {
      {","},
      {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="},
      {"||"},
      {"&&"},
      {"|"},
      {"^"},
      {"&"},
      {"==", "!="},
      {"<", ">", "<=", ">="},
      {"<<", ">>"},
      {"+", "-"},
      {"*", "/", "%"},
      {".*", "->*"}};
  for (std::size_t level = 0; level < levels.size(); ++level)
    for (const std::string& each : levels[level])
      if (each == op) return static_cast<int>(level);
  return -1;
}

std::string reference(const Flat& flat, std::size_t begin, std::size_t end) {
  if (begin + 1 == end) return flat.operands[begin];
  std::size_t cut = begin;
  for (std::size_t i = begin + 1; i + 1 < end; ++i) {
    const int here = level_of(flat.operators[i]), best = level_of(flat.operators[cut]);
    if (here < best || (here == best && here != 1)) cut = i;  // assignments are right-associative
  }
  return "(" + flat.operators[cut] + " " + reference(flat, begin, cut + 1) + " " +
         reference(flat, cut + 1, end) + ")";
}

TEST(SyntaxTree, OperatorsBindAsInASlowReader) {
  constexpr std::array<const char*, 28> operators = {
      ",", "=",  "+=", "<<=", ">>=", "^=", "||", "&&", "|", "^", "&", "==", "!=", "<",
      ">", "<=", ">=", "<<",  ">>",  "+",  "-",  "*",  "/", "%", "+", "*",  ".*", "->*"};
  struct Operand {
    const char *text, *tree;
  };
  constexpr std::array<Operand, 9> operands = {{{"a", "a"},
                                                {"- b", "(- b)"},
                                                {"* p", "(* p)"},
                                                {"& c", "(& c)"},
                                                {"! ~ d", "(! (~ d))"},
                                                {"s[1]", "(index s 1)"},
                                                {"n ++", "(post++ n)"},
                                                {"(int) a", "(cast:int a)"},
                                                {"g(b, c)", "(call g b c)"}}};
  std::mt19937 random(7);
  for (int round = 0; round < 400; ++round) {
    Flat flat;
    std::string text;
    const std::size_t length = 1 + random() % 12;
    for (std::size_t i = 0; i < length; ++i) {
      const Operand& operand = operands[random() % operands.size()];
      flat.operands.emplace_back(operand.tree);
      text += std::string(operand.text) + " ";
      if (i + 1 == length) break;
      flat.operators.emplace_back(operators[random() % operators.size()]);
      text += flat.operators.back() + " ";
    }
    ASSERT_EQ(read(text), reference(flat, 0, length)) << text;
  }
}

// ---- invalid text

TEST(SyntaxTree, OtherTextIsUnknown) {
  EXPECT_EQ(read("a +"), "?");
  EXPECT_EQ(read("a b"), "?");
  EXPECT_EQ(read("g(a b, c) + 1"), "(+ (call g ?) 1)");
  EXPECT_EQ(read("s[a b] = g((other)*p)"), "(= (index s ?) (call g ?))");
  EXPECT_EQ(read("({ a; })"), "?");
  EXPECT_EQ(read("co_await a"), "?");
  EXPECT_EQ(read("(a + ... )"), "?");
  EXPECT_EQ(read("r.operator+(a)"), "?");
}

TEST(SyntaxTree, AnyPieceOfATextCanBeRead) {
  const std::string text =
      declarations +
      "void k(int n, float* p) { for (int i = 0; i < n; ++i) p[i] = f<2>((real)-i) ? "
      "sizeof(int) : [=] { return Pair{i}; }().x, delete new int(3); asm(\"x\" : \"=r\"(n)); }";
  for (std::size_t end = 0; end <= text.size(); ++end) {
    const std::string piece = text.substr(0, end);
    const TokenStream stream = lex(piece);
    const Syntax syntax(stream);
    const std::string dump = dump_tree(syntax, 0, syntax.size());
    for (std::size_t i = 0; i < syntax.size(); i += 3) {
      const Expression& node = syntax.tree().expression(i, syntax.size());
      walk(node, [&](const Expression& part) {
        EXPECT_LE(node.begin, part.begin);
        EXPECT_LE(part.end, node.end);
        EXPECT_LE(part.begin, part.end);
      });
    }
  }
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST(SyntaxTree, DepthHasALimit) {
  constexpr int deep = 5000;
  EXPECT_EQ(read(repeated("a + ", deep) + "b"), "?");
  EXPECT_EQ(read(repeated("- ", deep) + "a"), "?");
  EXPECT_EQ(read(repeated("a = ", deep) + "b"), "?");
  EXPECT_EQ(read(repeated("a ? b : ", deep) + "c"), "?");
  for (const char* open : {"(", "g(", "s[", "{", "[]{", "if (a) ", "do ", "{{"}) {
    const std::string all = "void k(int a) { " + repeated(open, deep);
    std::string closed = all + "a";
    for (auto c = all.rbegin(); c != all.rend(); ++c)
      closed += *c == '(' ? ")" : *c == '[' ? "]" : *c == '{' ? "}" : "";
    for (const std::string& text : {all, closed}) {
      const TokenStream stream = lex(text);
      const Syntax syntax(stream);
      EXPECT_NE(dump_tree(syntax, 7, syntax.size() - 1).find("unknown"), std::string::npos) << open;
    }
  }
  // Real code stays far below the limit.
  EXPECT_EQ(read(repeated("(", 50) + "a" + repeated(")", 50)), "a");
  EXPECT_EQ(read(repeated("a + ", 500) + "b").find('?'), std::string::npos);
}

TEST(SyntaxTree, TheDumpNamesKindPlaceSpellingAndType) {
  const TokenStream stream =
      lex("void k(int n, float* p) {\n  int i = n * 2;\n  if (i < n) p[i] = (float)i;\n  while (n--)\n    "
          "g(f<2>, "
          "[] { return 1; });\n  static int s[3] = {1};\n  goto end;\n  for (int& x : s) x *= x;\n}");
  const Syntax syntax(stream);
  const Declaration found = syntax.declaration(0, syntax.size());
  EXPECT_EQ(dump_tree(syntax, found.body + 1, found.end - 1), R"(  declaration 2:0 i
    binary 2:0 '*' (arithmetic)
      name 2:0 'n' (arithmetic)
      literal 2:0 '2' (arithmetic)
  if 3:0
    binary 3:0 '<' (arithmetic)
      name 3:0 'i' (arithmetic)
      name 3:0 'n' (arithmetic)
    expression 3:0
      assignment 3:0 '=' (arithmetic)
        index 3:0 (arithmetic)
          name 3:0 'p' (arithmetic*)
          name 3:0 'i' (arithmetic)
        cast 3:0 'float' (arithmetic)
          name 3:0 'i' (arithmetic)
  while 4:0
    unary 4:0 'postfix --' (arithmetic)
      name 4:0 'n' (arithmetic)
    expression 5:0
      call 5:0
        name 5:0 'g'
        name 5:0 'f<2>'
        lambda 5:0
          return 5:0
            literal 5:0 '1' (arithmetic)
  declaration 6:0 s
    literal 6:0 '3' (arithmetic)
    list 6:0
      literal 6:0 '1' (arithmetic)
  unknown 7:0
    unknown 7:0 'goto end;'
  range for 8:0 x
    name 8:0 's' (arithmetic[])
    expression 8:0
      assignment 8:0 '*=' (arithmetic)
        name 8:0 'x' (arithmetic)
        name 8:0 'x' (arithmetic)
)");
}

}  // namespace syntax_tree_test
}  // namespace emucc
