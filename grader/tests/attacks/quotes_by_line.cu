// Says that its errors stand in a file of the machine, whose lines the compiler would quote.
// happens: does not compile: the compiler sees no such file
// verdict: compile_error
// says: passwd
// never: root:
#line 1 "/etc/passwd"
undeclared here;
