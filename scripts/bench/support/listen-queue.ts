import { readFileSync } from "node:fs";

/**
 * Attempts to connect that this machine has dropped because of a full queue. A check that fails because of one is no false
 * result: the target did not answer it.
 */
export function turnedAway(): number {
  const [names = [], values = []] = readFileSync("/proc/net/netstat", "utf8")
    .split("\n")
    .filter((line) => line.startsWith("TcpExt:"))
    .map((line) => line.split(" "));
  return Number(values[names.indexOf("ListenOverflows")]);
}
