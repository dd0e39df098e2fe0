"""Runs a program, and kills it or lets calls fail at one of its calls that change files (Linux on x86-64).

    fault-injector.py FAULT CALLS FIRST LAST FOLDER LOG -- PROGRAM [ARGUMENT...]

FAULT   `kill`: the process is killed instead of the call
        `power`: the same, and FOLDER loses all that was not synced, as in a power failure
        `ENOSPC`, `EIO`: the call is not made and returns this error
        `lost`: a sync returns EIO and the kernel forgets what it should have written, as Linux does: later syncs succeed
        without it. SIGUSR1 then causes the power failure
CALLS   which calls are counted, on files of FOLDER: `syncs`, `writes` or `changes` (both, and those that change names)
FIRST   the number of the first counted call that fails, from 1
LAST    the number of the last one
LOG     gets a line for each counted call, which begins with `fault` if this program interfered

strace can do the first and the last, but it counts the calls of each thread on its own: its third call is not the third
of the process.
"""
import ctypes
import errno
import os
import signal
import struct
import sys

SYNCS = {74: "fsync", 75: "fdatasync"}
WRITES = {1: "write", 18: "pwrite64", 20: "writev", 77: "ftruncate", 285: "fallocate", 296: "pwritev"}
NAMES = {82: "rename", 264: "renameat", 316: "renameat2", 86: "link", 265: "linkat", 87: "unlink", 263: "unlinkat"}
COUNTED = {"syncs": SYNCS, "writes": WRITES, "changes": {**SYNCS, **WRITES, **NAMES}}
ALL = COUNTED["changes"]

CONT, GETREGS, SETREGS, SYSCALL, SETOPTIONS = 7, 12, 13, 24, 0x4200
# TRACESYSGOOD, TRACEFORK, TRACEVFORK, TRACECLONE, TRACEEXEC, TRACESECCOMP, EXITKILL
OPTIONS = 0x1 | 0x2 | 0x4 | 0x8 | 0x10 | 0x80 | 0x100000
EVENT_SECCOMP = 7
END_OF_CALL = signal.SIGTRAP | 0x80
WALL = 0x40000000
PAGE = 4096
# The places in the array of registers (user_regs_struct).
R10, RAX, RDX, RSI, RDI, ORIG_RAX = 7, 10, 12, 13, 14, 15

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]


class Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]


def stop_at(numbers):
    """Lets the kernel stop this process, and what it starts, at calls of these numbers. It runs all others at full speed."""
    code = [struct.pack("HBBI", 0x20, 0, 0, 0)]
    for place, number in enumerate(numbers):
        code.append(struct.pack("HBBI", 0x15, len(numbers) - place, 0, number))
    code.append(struct.pack("HBBI", 0x06, 0, 0, 0x7FFF0000))
    code.append(struct.pack("HBBI", 0x06, 0, 0, 0x7FF00000))
    packed = ctypes.create_string_buffer(b"".join(code))
    program = Filter(len(code), ctypes.addressof(packed))
    if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.byref(program), 0, 0):
        os._exit(126)


def start(command, numbers):
    """Returns the process ID of a traced program, which has not begun yet."""
    pid = os.fork()
    if pid == 0:
        libc.ptrace(0, 0, None, None)
        os.kill(os.getpid(), signal.SIGSTOP)
        stop_at(numbers)
        os.execvp(command[0], command)
    os.waitpid(pid, WALL)
    libc.ptrace(SETOPTIONS, pid, None, OPTIONS)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda received, _: os.kill(pid, received))
    libc.ptrace(CONT, pid, None, None)
    return pid


def path_of(pid, number, registers):
    """The file of a call. For a call with two names it is the first."""
    if number not in NAMES:
        try:
            return os.readlink(f"/proc/{pid}/fd/{registers[RDI]}")
        except OSError:
            return ""
    with open(f"/proc/{pid}/mem", "rb", 0) as memory:
        memory.seek(registers[RSI if NAMES[number].endswith(("at", "at2")) else RDI])
        text = memory.read(4096).split(b"\0")[0].decode()
    return os.path.join(os.readlink(f"/proc/{pid}/cwd"), text)


class Disk:
    """What a folder keeps after a power failure: synced contents under synced names, and nothing else."""

    def __init__(self, folder):
        self.folder = folder
        self.contents = {}
        # Page numbers by file, as Linux counts them: since the last sync, and never written by a sync that failed.
        self.dirty = {}
        self.lost = {}
        self.names = {}
        self.old = set()
        for directory in self.directories():
            self.names[directory] = self.names_in(directory)
            self.old.update(self.names[directory].values())

    def directories(self):
        return [directory for directory, _, _ in os.walk(self.folder)]

    def names_in(self, directory):
        return {entry.name: entry.inode() for entry in os.scandir(directory) if entry.is_file(follow_symlinks=False)}

    def before(self, path, written):
        """Notes a change that begins now. `written`: offset and length, or None for anything else than a positioned write."""
        if not os.path.isfile(path):
            return
        inode = os.stat(path).st_ino
        if inode not in self.contents:
            with open(path, "rb") as file:
                self.contents[inode] = file.read() if inode in self.old else b""
        offset, length = written or (0, os.stat(path).st_size)
        pages = range(offset // PAGE, (offset + length + PAGE - 1) // PAGE)
        self.dirty.setdefault(inode, set()).update(pages)
        # A page that is written again is written as a whole by the next sync.
        self.lost.get(inode, set()).difference_update(pages)

    def forget(self, path):
        """A sync fails: Linux takes the pages for written."""
        if os.path.isfile(path):
            inode = os.stat(path).st_ino
            self.lost.setdefault(inode, set()).update(self.dirty.pop(inode, set()))

    def state(self, path):
        """What a sync of a file or directory that begins now will make safe."""
        if os.path.isdir(path):
            return path, None, self.names_in(path)
        with open(path, "rb") as file:
            inode = os.fstat(file.fileno()).st_ino
            content = bytearray(file.read())
        self.dirty.pop(inode, None)
        for page in self.lost.get(inode, ()):
            here = slice(page * PAGE, min((page + 1) * PAGE, len(content)))
            length = max(0, here.stop - here.start)
            content[here] = self.contents.get(inode, b"")[here].ljust(length, b"\0")
        return path, inode, bytes(content)

    def synced(self, path, inode, content):
        if inode is None:
            self.names[path] = content
            return
        self.contents[inode] = content
        # File systems write the name of a new file with its content.
        if os.path.exists(path):
            self.names.setdefault(os.path.dirname(path), {})[os.path.basename(path)] = inode

    def lose(self):
        for directory in self.directories():
            safe = self.names.get(directory, {})
            now = self.names_in(directory)
            for name in now.keys() | safe.keys():
                path = os.path.join(directory, name)
                inode = safe.get(name)
                if inode is not None and now.get(name) == inode and inode in self.old and inode not in self.contents:
                    continue
                if name in now:
                    os.unlink(path)
                if inode is not None:
                    with open(path, "wb") as file:
                        file.write(self.contents.get(inode, b""))


def main():
    split = sys.argv.index("--")
    fault, calls, first, last, folder, log = sys.argv[1:split]
    counted = COUNTED[calls]
    folder = os.path.realpath(folder)
    disk = Disk(folder) if fault in ("power", "lost") else None
    main_pid = start(sys.argv[split + 1:], list(ALL if disk else counted))
    signal.signal(signal.SIGUSR1, lambda *_: os.kill(main_pid, signal.SIGKILL))

    known = {main_pid}
    syncing = {}
    count = 0
    lines = open(log, "w", 1)

    while True:
        pid, status = os.waitpid(-1, WALL)
        if os.WIFSIGNALED(status) or os.WIFEXITED(status):
            if pid != main_pid:
                continue
            break
        known_before = pid in known
        known.add(pid)
        passed_on = 0 if status >> 16 else os.WSTOPSIG(status)
        resume = CONT
        registers = (ctypes.c_ulong * 27)()
        if passed_on == signal.SIGSTOP and not known_before:
            passed_on = 0
        elif passed_on == END_OF_CALL:
            passed_on = 0
            state = syncing.pop(pid, None)
            if state and libc.ptrace(GETREGS, pid, None, registers) == 0 and registers[RAX] == 0:
                disk.synced(*state)
        elif status >> 16 == EVENT_SECCOMP and libc.ptrace(GETREGS, pid, None, registers) == 0:
            number = registers[ORIG_RAX]
            path = path_of(pid, number, registers)
            inside = path == folder or path.startswith(folder + "/")
            # SQLite never reads an old `-shm`: it is memory that processes share.
            if inside and not path.endswith("-shm"):
                if number in counted:
                    count += 1
                    if int(first) <= count <= int(last):
                        lines.write("fault ")
                        if fault in ("kill", "power"):
                            os.kill(main_pid, signal.SIGKILL)
                        if fault == "lost":
                            disk.forget(path)
                        registers[ORIG_RAX] = 2**64 - 1
                        registers[RAX] = 2**64 - getattr(errno, fault, errno.EIO)
                        libc.ptrace(SETREGS, pid, None, registers)
                    lines.write(f"{ALL[number]} {os.path.relpath(path, folder)}\n")
                if disk and number in SYNCS and registers[ORIG_RAX] == number:
                    try:
                        syncing[pid] = disk.state(path)
                        resume = SYSCALL
                    except FileNotFoundError:
                        pass
                elif disk and number not in SYNCS:
                    disk.before(path, (registers[R10], registers[RDX]) if ALL[number] == "pwrite64" else None)
        libc.ptrace(resume, pid, None, passed_on)

    if disk and os.WIFSIGNALED(status):
        disk.lose()
    os._exit(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))


main()
