import type { Clock } from "../../clock.ts";
import type { AskedLook, EvidenceLook, Looked } from "../../domain/evidence/asked-look.ts";
import { HERE } from "../../domain/locations/location.ts";
import { StorageFault } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import type { Store } from "../../store/store.ts";

/** Looks once more at the targets of checks that failed here, after their evidence was stored (behavior 22.7). */
export interface EvidenceLooks {
  /** Returns at once. */
  begin(looks: readonly EvidenceLook[]): void;
  /** Looks that are under way complete nothing any more. */
  stop(): void;
}

export function createEvidenceLooks({
  store,
  clock,
  probes,
  log,
}: {
  store: Pick<Store, "recording">;
  clock: Pick<Clock, "now">;
  probes: { look(asked: AskedLook): Promise<Looked> };
  log: Pick<Logger, "error" | "debug">;
}): EvidenceLooks {
  let isStopped = false;

  async function lookAt({ evidenceId: id, addresses, port }: EvidenceLook): Promise<void> {
    const looked = await probes.look({ addresses, port }).catch((error) => {
      log.debug({ err: error }, "a look was not made");
      return null;
    });
    if (isStopped || !looked) return;
    const { self, ...look } = looked;
    await store.recording.completeEvidence({ id, location: HERE, look, self, now: clock.now() });
  }

  return {
    begin(looks) {
      if (isStopped) return;
      for (const look of looks)
        lookAt(look).catch((error) => {
          // At a fault of the disk, the evidence stays as it is: other writes report the fault.
          if (!isStopped && !(error instanceof StorageFault))
            log.error({ err: error }, "evidence of a failure could not be completed");
        });
    },
    stop() {
      isStopped = true;
    },
  };
}
