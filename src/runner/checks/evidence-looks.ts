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

type Found = Parameters<Store["recording"]["completeEvidence"]>[0];

/** How often it is seen whether transitions are committed, in milliseconds. */
const PAUSE = 50;

/** For how long transitions may delay a completion, in milliseconds. */
const MAX_DELAY = 2000;

/** The pause after each completion, in multiples of its duration, and the longest one in milliseconds. */
const PAUSE_PER_COMPLETION = 4;
const MAX_PAUSE = 250;

/** @param isBusy whether transitions wait for their commit, or their notifications may wait to be claimed */
export function createEvidenceLooks({
  store,
  clock,
  probes,
  log,
  isBusy,
}: {
  store: Pick<Store, "recording">;
  clock: Pick<Clock, "now" | "monotonic" | "sleep">;
  probes: { look(asked: AskedLook): Promise<Looked> };
  log: Pick<Logger, "error" | "debug">;
  isBusy: () => boolean;
}): EvidenceLooks {
  const found: Found[] = [];
  let isCompleting = false;
  let isStopped = false;

  async function lookAt({ evidenceId: id, addresses, port }: EvidenceLook): Promise<void> {
    const looked = await probes.look({ addresses, port }).catch((error) => {
      log.debug({ err: error }, "a look was not made");
      return null;
    });
    if (isStopped || !looked) return;
    const { self, ...look } = looked;
    found.push({ id, location: HERE, look, self, now: clock.now() });
    if (!isCompleting) void completeAll();
  }

  /** One after another, because checks, results and notifications go first. */
  async function completeAll(): Promise<void> {
    isCompleting = true;
    for (;;) {
      await untilQuiet();
      const next = found.shift();
      if (!next || isStopped) break;
      const start = clock.monotonic();
      await complete(next);
      await clock.sleep(Math.min(MAX_PAUSE, PAUSE_PER_COMPLETION * (clock.monotonic() - start)));
    }
    isCompleting = false;
  }

  async function untilQuiet(): Promise<void> {
    const latest = clock.monotonic() + MAX_DELAY;
    while (!isStopped && isBusy() && clock.monotonic() < latest) await clock.sleep(PAUSE);
  }

  async function complete(one: Found): Promise<void> {
    try {
      await store.recording.completeEvidence(one);
    } catch (error) {
      // At a fault of the disk, the evidence stays as it is: other writes report the fault.
      if (!isStopped && !(error instanceof StorageFault))
        log.error({ err: error }, "evidence of a failure could not be completed");
    }
  }

  return {
    begin(looks) {
      if (!isStopped) for (const look of looks) void lookAt(look);
    },
    stop() {
      isStopped = true;
    },
  };
}
