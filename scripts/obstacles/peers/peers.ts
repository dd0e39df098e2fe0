import type { Contestant } from "../run/course.ts";
import { BLACKBOX, startBlackbox } from "./blackbox.ts";
import { expressible } from "./expressible.ts";
import { unpack } from "./unpack.ts";

/** The other monitors that can be started here. Says which can't. */
export async function findPeers(): Promise<Contestant[]> {
  const program = await unpack(BLACKBOX);
  if (!program) {
    console.log(`${BLACKBOX} is not available (it needs root, apt-get and dpkg-deb)`);
    return [];
  }
  return [
    {
      name: "blackbox_exporter",
      start: (world, witness) => startBlackbox(program, world, witness),
      adapt: expressible,
    },
  ];
}
