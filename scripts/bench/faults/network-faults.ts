import { CannotRun, type Fault, last, must } from "./fault.ts";

const OUTSIDE = "10.213.77.1";
const INSIDE = "10.213.77.2";
const WHY = "without another location, a check can't know whose network failed";

/** Faults of the network around the server. */
export const networkFaults: Fault[] = [
  {
    name: "dns",
    method: "the DNS server ignores every query for 12 s",
    async cause(scene, middle) {
      await scene.dropQueries(true);
      await last(12, middle);
      await scene.dropQueries(false);
    },
  },
  {
    name: "network",
    method: "the server is in a network namespace of its own; its link is set down for 12 s",
    allowed: WHY,
    prepare: separateNetwork,
    async cause(_, middle) {
      await inNamespace("ip", "link", "set", "inside", "down");
      await last(12, middle);
      await inNamespace("ip", "link", "set", "inside", "up");
    },
  },
];

const NAMESPACE = `stillup-faults-${process.pid}`;
const LINK = `faults${process.pid % 100_000}`;

function inNamespace(...command: string[]): Promise<void> {
  return must("ip", "netns", "exec", NAMESPACE, ...command);
}

async function separateNetwork(_: string, undo: AsyncDisposableStack) {
  if (!Bun.which("ip")) throw new CannotRun("ip is not installed (Debian: iproute2)");
  await must("ip", "netns", "add", NAMESPACE);
  // The link is deleted with the namespace.
  undo.defer(() => must("ip", "netns", "delete", NAMESPACE));
  await must("ip", "link", "add", LINK, "type", "veth", "peer", "name", "inside", "netns", NAMESPACE);
  await must("ip", "address", "add", `${OUTSIDE}/30`, "dev", LINK);
  await must("ip", "link", "set", LINK, "up");
  await inNamespace("ip", "address", "add", `${INSIDE}/30`, "dev", "inside");
  await inNamespace("ip", "link", "set", "lo", "up");
  await inNamespace("ip", "link", "set", "inside", "up");
  return { outside: OUTSIDE, inside: INSIDE, through: ["ip", "netns", "exec", NAMESPACE] };
}
