import { dlopen, read } from "bun:ffi";

/* Numbers of Linux on x86-64 and ARM64, see socket(2), ip(7), ipv6(7), icmp(7), recvmsg(2), errno(3). */

export const AF_INET = 2;
export const AF_INET6 = 10;
export const SOCK_DGRAM = 2;
export const SOCK_NONBLOCK = 0o4000;
export const SOCK_CLOEXEC = 0o2000000;
export const IPPROTO_ICMP = 1;
export const IPPROTO_ICMPV6 = 58;

export const SOL_IP = 0;
export const IP_TTL = 2;
export const IP_MTU_DISCOVER = 10;
export const IP_RECVERR = 11;
export const SOL_SOCKET = 1;
export const SO_ERROR = 4;
export const SO_RCVBUF = 8;
export const SO_TIMESTAMPNS = 35;
export const SO_MEMINFO = 55;
export const SOL_IPV6 = 41;
export const IPV6_UNICAST_HOPS = 16;
export const IPV6_MTU_DISCOVER = 23;
export const IPV6_RECVERR = 25;
export const PMTUDISC_DONT = 0;

export const MSG_ERRQUEUE = 0x2000;
export const CLOCK_REALTIME = 0;

export const EPERM = 1;
export const EINTR = 4;
export const EAGAIN = 11;
export const EACCES = 13;

/** The names of the errors that have a meaning here. */
const ERRORS: Record<number, string> = {
  1: "EPERM",
  4: "EINTR",
  11: "EAGAIN",
  12: "ENOMEM",
  13: "EACCES",
  22: "EINVAL",
  23: "ENFILE",
  24: "EMFILE",
  93: "EPROTONOSUPPORT",
  97: "EAFNOSUPPORT",
  99: "EADDRNOTAVAIL",
  100: "ENETDOWN",
  101: "ENETUNREACH",
  105: "ENOBUFS",
  110: "ETIMEDOUT",
  111: "ECONNREFUSED",
  112: "EHOSTDOWN",
  113: "EHOSTUNREACH",
};

function openLibc() {
  // musl, too, resolves this name to itself.
  return dlopen("libc.so.6", {
    socket: { args: ["i32", "i32", "i32"], returns: "i32" },
    setsockopt: { args: ["i32", "i32", "i32", "ptr", "u32"], returns: "i32" },
    getsockopt: { args: ["i32", "i32", "i32", "ptr", "ptr"], returns: "i32" },
    // Both return 64 bits, of which the lower half is enough for one packet.
    sendto: { args: ["i32", "ptr", "u64", "i32", "ptr", "u32"], returns: "i32" },
    recvmsg: { args: ["i32", "ptr", "i32"], returns: "i32" },
    clock_gettime: { args: ["i32", "ptr"], returns: "i32" },
    if_nametoindex: { args: ["ptr"], returns: "u32" },
    close: { args: ["i32"], returns: "i32" },
    __errno_location: { args: [], returns: "ptr" },
  }).symbols;
}

let opened: ReturnType<typeof openLibc> | undefined;

/** The functions of the C library. @throws if the system is not Linux */
export function libc(): ReturnType<typeof openLibc> {
  if (process.platform !== "linux") throw new Error("pings need Linux");
  opened ??= openLibc();
  return opened;
}

/** The number of the error of the last call. To be called directly after it. */
export function errno(): number {
  const location = libc().__errno_location();
  return location === null ? 0 : read.i32(location, 0);
}

/** An error with its name as `code`, as `node:net` has it. */
export function systemError(call: string, number: number): NodeJS.ErrnoException {
  const code = ERRORS[number] ?? `errno ${number}`;
  return Object.assign(new Error(`${call}: ${code}`), { code });
}
