import { isShortage } from "../probe-error.ts";
import { AF_INET } from "./libc.ts";
import { PingSocket } from "./ping-socket.ts";

const NOBODY = { find: () => undefined, onReply() {}, onUnreachable() {} };

/** Whether this process may ping. A lack of descriptors or memory says nothing about it. */
export function mayPing(): boolean {
  try {
    new PingSocket(AF_INET, NOBODY).close();
    return true;
  } catch (error) {
    return isShortage(error);
  }
}

/** The setting of the system with which this process may ping, in words. */
export function pingSetting(): string {
  const group = process.getgid?.() ?? 0;
  const example = `sysctl -w net.ipv4.ping_group_range="${group} ${group}"`;
  return `this machine does not let stillup ping: set net.ipv4.ping_group_range so that it has the group ${group}, for example with ${example}`;
}
