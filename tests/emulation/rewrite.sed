# What no header can make of CUDA: a launch, and shared memory whose size the launch says.
# Each launch has its kernel, <<< and >>>( on one line.
s/\b([A-Za-z_0-9]+(<[^<>;]*>)?)<<<(.*)>>>\(/emulated::launch_of(\1, \3)(/
s/extern __shared__ ([A-Za-z_0-9]+) ([A-Za-z_0-9]+)\[\];/\1 *const \2 = (\1 *)emulated::shared_memory();/
