import { CannotRun, type Fault, last, must } from "./fault.ts";

const WHY = "without --network-check, a check can't know whose network failed";
/** Nothing listens there: a refused connection shows that the network works. */
const CLOSED_PORT = 1;

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
  networkFault({
    name: "network",
    method: "the link of the server is set down for 12 s",
    sides: ["10.213.77.1", "10.213.77.2"],
    isChecked: true,
    down: ({ inside }) => inside("ip", "link", "set", "inside", "down"),
    up: ({ inside }) => inside("ip", "link", "set", "inside", "up"),
  }),
  networkFault({
    name: "cable",
    method: "the other end of the link of the server is set down for 12 s",
    sides: ["10.213.77.5", "10.213.77.6"],
    isChecked: true,
    down: ({ link }) => must("ip", "link", "set", link, "down"),
    up: ({ link }) => must("ip", "link", "set", link, "up"),
  }),
  networkFault({
    name: "network-unset",
    method: "as network, but without --network-check",
    sides: ["10.213.77.9", "10.213.77.10"],
    isChecked: false,
    down: ({ inside }) => inside("ip", "link", "set", "inside", "down"),
    up: ({ inside }) => inside("ip", "link", "set", "inside", "up"),
  }),
];

/** The network namespace of a server. @property link the end of its link that is outside */
interface Namespace {
  name: string;
  link: string;
  inside(...command: string[]): Promise<void>;
}

/** @property sides the addresses of both ends of the link, outside and inside: a /30 network of its own */
function networkFault({
  name,
  method,
  sides: [outside, inside],
  isChecked,
  down,
  up,
}: {
  name: string;
  method: string;
  sides: readonly [string, string];
  isChecked: boolean;
  down: (namespace: Namespace) => Promise<void>;
  up: (namespace: Namespace) => Promise<void>;
}): Fault {
  const namespace = namespaceOf(Number(outside.split(".").at(-1)));
  const env = isChecked ? { env: { STILLUP_NETWORK_CHECK: `${outside}:${CLOSED_PORT}` } } : {};
  return {
    name,
    method: `the server is in a network namespace of its own; ${method}`,
    ...(!isChecked && { allowed: WHY }),
    async prepare(_, undo) {
      await openNamespace(namespace, { outside, inside }, undo);
      return { outside, inside, through: ["ip", "netns", "exec", namespace.name], ...env };
    },
    async cause(_, middle) {
      await down(namespace);
      await last(12, middle);
      await up(namespace);
    },
  };
}

/** @param number of the network, different for each namespace */
function namespaceOf(number: number): Namespace {
  const name = `stillup-faults-${number}-${process.pid}`;
  const link = `faults${number}-${process.pid % 100_000}`;
  return { name, link, inside: (...command) => must("ip", "netns", "exec", name, ...command) };
}

async function openNamespace(
  { name, link, inside }: Namespace,
  sides: { outside: string; inside: string },
  undo: AsyncDisposableStack,
): Promise<void> {
  if (!Bun.which("ip")) throw new CannotRun("ip is not installed (Debian: iproute2)");
  await must("ip", "netns", "add", name);
  // The link is deleted with the namespace.
  undo.defer(() => must("ip", "netns", "delete", name));
  await must("ip", "link", "add", link, "type", "veth", "peer", "name", "inside", "netns", name);
  await must("ip", "address", "add", `${sides.outside}/30`, "dev", link);
  await must("ip", "link", "set", link, "up");
  await inside("ip", "address", "add", `${sides.inside}/30`, "dev", "inside");
  await inside("ip", "link", "set", "lo", "up");
  await inside("ip", "link", "set", "inside", "up");
}
