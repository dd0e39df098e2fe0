import type { Clock } from "../../clock.ts";
import { DAY } from "../../domain/duration.ts";
import { tooManyFault } from "../../domain/faults/fault.ts";
import { assertHad, DEFAULT_REPLAYED_DAYS, type ReplayRequest } from "../../domain/replay/changes.ts";
import type { ReplayedPast } from "../../domain/replay/history.ts";
import type { ReplayOutcome } from "../../domain/replay/outcome.ts";
import type { Store } from "../../store/store.ts";
import { KnownPasts } from "./known-pasts.ts";

export interface Replays {
  /**
   * Replays the past of the selected monitors of an organization with other settings (behavior 25.1). It writes nothing, and lets other work
   * run meanwhile.
   *
   * @throws AppError `invalid` for an unknown monitor, and for a field that no selected monitor has; `too_many` while another one
   *   runs for the organization
   */
  run(organizationId: string, request: ReplayRequest): Promise<ReplayOutcome>;
  /** Forgets what it has read. */
  stop(): void;
}

/** How long a replay computes before other work has its turn, in milliseconds. */
const SLICE = 4;

/** Loaded by the first replay. */
const rules = () => import("../../domain/replay/replay.ts");

/** Seconds. */
const TRY_AGAIN_IN = 1;

export function createReplays({
  store,
  clock,
}: {
  store: Pick<Store, "replays" | "changes">;
  clock: Pick<Clock, "now" | "monotonic" | "after">;
}): Replays {
  const known = new KnownPasts(clock);
  const running = new Set<string>();

  async function replay(
    organizationId: string,
    { selector, days = DEFAULT_REPLAYED_DAYS, changes }: ReplayRequest,
  ) {
    // With what was recorded in this millisecond.
    const to = clock.now() + 1;
    const range = { from: to - days * DAY, to };
    const { "expect.within": slowerThan, warnDays } = changes;
    const version = await store.replays.version(organizationId);
    const needed = { organizationId, selector, days, version, slowerThan, warnDays };
    const past = await known.find(needed, () =>
      store.replays.load(organizationId, { selector, range, slowerThan, warnDays }),
    );
    assertHad(changes, selectedIn(past));
    const { replaySteps } = await rules();
    const steps = replaySteps(past, changes);
    for (let from = clock.monotonic(); ; ) {
      const step = steps.next();
      if (step.done) return step.value;
      if (clock.monotonic() - from < SLICE) continue;
      await store.changes.turn();
      from = clock.monotonic();
    }
  }

  return {
    async run(organizationId, request) {
      if (running.has(organizationId)) throw tooManyFault("tooManyReplays", TRY_AGAIN_IN);
      running.add(organizationId);
      try {
        return await replay(organizationId, request);
      } finally {
        running.delete(organizationId);
      }
    },
    stop: () => known.clear(),
  };
}

/** The selected monitors with their present configs. */
function selectedIn({ monitors }: ReplayedPast) {
  const selected = [...monitors.values()].filter((monitor) => monitor.isSelected);
  return selected.flatMap(({ type, settings }) => settings.slice(-1).map(({ config }) => ({ type, config })));
}
