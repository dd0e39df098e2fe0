import type { Contestant } from "../run/course.ts";
import type { Product } from "../run/product.ts";
import type { Witness } from "../run/witness.ts";
import type { Monitor } from "../scenario.ts";
import type { World } from "../world/world.ts";
import { BLACKBOX, startBlackbox } from "./blackbox.ts";
import { moduleOf } from "./blackbox-module.ts";
import { expressible } from "./expressible.ts";
import { MONIT, startMonit } from "./monit.ts";
import { ruleOf } from "./monit-rule.ts";
import { unpack } from "./unpack.ts";

interface Peer {
  name: string;
  /** The Debian package and its program. */
  program: string;
  start(program: string, world: World, witness: Witness): Promise<Product>;
  canHave(monitor: Monitor): boolean;
}

const PEERS: Peer[] = [
  {
    name: "blackbox_exporter",
    program: BLACKBOX,
    start: startBlackbox,
    canHave: (monitor) => moduleOf(monitor, { authority: "", dns: "" }) !== undefined,
  },
  {
    name: "monit",
    program: MONIT,
    start: startMonit,
    canHave: (monitor) => ruleOf(monitor, "") !== undefined,
  },
];

/** The other monitors that can be started here. Says which can't. */
export async function findPeers(): Promise<Contestant[]> {
  const found: Contestant[] = [];
  for (const { name, program, start, canHave } of PEERS) {
    const path = await unpack(program);
    if (!path) console.log(`${program} is not available (it needs root, apt-get and dpkg-deb)`);
    else {
      found.push({
        name,
        start: (world, witness) => start(path, world, witness),
        adapt: (scenario, spot) => expressible(scenario, spot, canHave),
      });
    }
  }
  return found;
}
