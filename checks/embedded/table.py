"""Prints the table of scripts/embedded: python3 table.py TARGET SYMBOLS RUN BOUNDS

SYMBOLS is the output of `nm -S`, RUN that of the program, or empty. A line of BOUNDS has a target, a function, and how many bytes and
instructions it may have above C, with the reason. A function without a line may have none. Fails if one has more.
"""
import sys

# The functions with layouts, and the tables that they read.
PROGRAMS = {"blur": "WEIGHTS", "panel": "GAMMA", "halves": None, "touch": None}
KINDS = ["layout", "rust", "c"]


def main():
    target, symbols, run, bounds = sys.argv[1:]
    sizes, addresses, executed = {}, {}, {}
    for line in open(symbols):
        cells = line.split()
        if len(cells) == 4:
            sizes[cells[3]], addresses[cells[3]] = int(cells[1], 16), int(cells[0], 16)
    for line in open(run):
        cells = line.split()
        if cells[:1] == ["instructions"]:
            executed[cells[1]] = int(cells[2])
    allowed = {}
    for line in open(bounds):
        cells = line.split(maxsplit=4)
        if cells and not line.startswith("#"):
            assert len(cells) == 5, f"`{line}` needs a target, a function, bytes, instructions and a reason"
            allowed[cells[0], cells[1]] = int(cells[2]), int(cells[3])
    flash = min(addresses[f"{name}_c"] for name in PROGRAMS)
    failures = []
    print(f"  {'':10}{'bytes: layouts':>16}{'Rust':>8}{'C':>8}{'instructions: layouts':>24}{'Rust':>8}{'C':>8}")
    for name, table in PROGRAMS.items():
        bytes_, steps = [sizes[f"{name}_{kind}"] for kind in KINDS], [executed.get(f"{name}_{kind}", 0) for kind in KINDS]
        print(f"  {name:10}{bytes_[0]:>16}{bytes_[1]:>8}{bytes_[2]:>8}{steps[0]:>24}{steps[1]:>8}{steps[2]:>8}")
        more = max(0, bytes_[0] - bytes_[2]), max(0, steps[0] - steps[2])
        bound = allowed.get((target, name), (0, 0))
        if more[0] > bound[0] or more[1] > bound[1]:
            failures.append(f"{name} has {more[0]} bytes and {more[1]} instructions above C, where {bound[0]} and {bound[1]} are allowed")
        address = next((address for symbol, address in addresses.items() if table and table in symbol), flash)
        if abs(address - flash) >= 1 << 22:
            failures.append(f"the table of {name} is at {address:#x}, not in flash")
    if not executed:
        print("  not run")
    sys.exit("\n".join(failures) or 0)


main()
