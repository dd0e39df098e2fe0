import { checkTimeout } from "../../../src/domain/checks/check-slot.ts";
import type { Ledger, Violation } from "../ledger.ts";
import { intervalOf } from "./due-checks.ts";

const SECOND = 1000;

/** How long the product may take to notice it, or its end; milliseconds. */
const NOTICED = 30 * SECOND;

/**
 * At the end of a run in which the process lived, a monitor without a conclusive check for long enough is blind (E13: two
 * intervals and twice the timeout, at least a minute), and no other one is.
 */
export function judgeBlindness({ scenario, checks, lives, blindSince }: Ledger): Violation[] {
  const at = scenario.to;
  const bornAt = lives.at(-1)?.from ?? scenario.from;
  return scenario.monitors
    .filter(({ type, places }) => type !== "SCHEDULED" && !places)
    .flatMap((monitor): Violation[] => {
      const seen = checks.findLast(
        (check) => check.monitor === monitor.name && check.observation.outcome !== "inconclusive",
      );
      const timeout = checkTimeout({ interval: monitor.config.interval ?? 300 });
      const limit = Math.max(60 * SECOND, 2 * intervalOf(monitor) + 2 * timeout);
      const unseenFor = at - Math.max(seen?.endedAt ?? scenario.from, bornAt);
      const isBlind = (blindSince.get(monitor.name) ?? null) !== null;
      const found = {
        at,
        monitor: monitor.name,
        text: `no check saw it for ${Math.round(unseenFor / SECOND)} s`,
      };
      if (!isBlind && unseenFor > limit + NOTICED)
        return [{ ...found, rule: "a monitor that nothing can check is blind" }];
      if (isBlind && unseenFor < limit - NOTICED)
        return [{ ...found, rule: "only a monitor that nothing checks is blind" }];
      return [];
    });
}
