import type { Logger } from "../log.ts";
import type { NetworkView } from "../probes/probe-thread.ts";

/** Logs when the network of this machine goes and comes back (behavior 13.55). @param network undefined without the setting */
export function logNetwork(network: NetworkView | undefined, log: Logger): void {
  network?.onChange((state) => {
    if (state === "online") log.info("the network of this machine is online again");
    else
      log.error(
        "the network of this machine is offline: none of the servers of --network-check can be connected to; checks without any answer are not recorded",
      );
  });
}
