import { userInfo } from "node:os";

/** The port of DNS, if this user may listen on it: programs that read `/etc/resolv.conf` ask no other one. */
export const DNS_PORT = userInfo().uid === 0 ? 53 : 5353;
