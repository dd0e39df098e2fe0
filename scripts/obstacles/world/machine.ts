import type { Spot } from "./spot.ts";

/** Numbers of addresses in the network of a place: its server, and this side of the link. */
const [INSIDE, OUTSIDE] = [254, 253];

/** Runs a program that must succeed. @throws Error if this user or this machine can't run it */
export async function must(...command: string[]): Promise<void> {
  if (!Bun.which(command[0] ?? "")) throw new Error(`${command[0]} is not installed`);
  const child = Bun.spawn(command, { stdout: "ignore", stderr: "pipe" });
  const [message, code] = await Promise.all([child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`${command.join(" ")}: ${message.trim() || `exit code ${code}`}`);
}

/**
 * Creates a network namespace for the server of a place. From now on, the addresses of the place are on this side of its link.
 *
 * @returns the address of the server, what runs it there, and what turns one end of the link
 */
export async function openNamespace(spot: Spot) {
  const number = spot.port % 200;
  const name = `stillup-obstacles-${number}-${process.pid}`;
  const link = `obst${number}-${process.pid % 100_000}`;
  const through = ["ip", "netns", "exec", name];
  const inside = (...command: string[]) => must(...through, ...command);
  spot.network = `10.213.${number}`;
  await must("ip", "netns", "add", name);
  // The link is deleted with the namespace.
  spot.own({ [Symbol.asyncDispose]: () => must("ip", "netns", "delete", name) });
  await must("ip", "link", "add", link, "type", "veth", "peer", "name", "inside", "netns", name);
  await must("ip", "address", "add", `${spot.address(OUTSIDE)}/24`, "dev", link);
  await must("ip", "link", "set", link, "up");
  await must("ip", "route", "add", "local", `${spot.network}.0/25`, "dev", "lo");
  await inside("ip", "address", "add", `${spot.address(INSIDE)}/24`, "dev", "inside");
  await inside("ip", "link", "set", "lo", "up");
  await inside("ip", "link", "set", "inside", "up");
  return {
    host: spot.address(INSIDE),
    through,
    turn: (side: "inside" | "outside", to: "up" | "down") =>
      side === "inside" ? inside("ip", "link", "set", "inside", to) : must("ip", "link", "set", link, to),
  };
}
