cd /tmp/ob/t; E=/work/main/build/bin/emucc; export CUEMU_CACHE=/tmp/ob/cache NO_COLOR=1
$E --watchable -c a.cu -o a.o; $E a.o -o p; $E --watchable a.o -o p -run; $E --check a.o -o c -run > c1 2>&1; $E --check a.cu -o c -run > c2 2>&1; diff c1 c2 && echo same check; head -5 c1
$E --counters a.o -o k -run > k1 2>&1; $E --counters a.cu -o k -run > k2 2>&1; diff k1 k2 && echo same counts; head -3 k1
