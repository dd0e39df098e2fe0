import { UsageError } from "../config.ts";
import { parseDocument } from "../domain/configuration/parse-document.ts";
import type { Change } from "../domain/configuration/plan.ts";
import { MAX_REPLAYED_DAYS } from "../domain/replay/changes.ts";
import { type PlannedReplay, planReplays, type UnknownChange } from "../domain/replay/planned-changes.ts";
import { outcomeInWords } from "../domain/replay/words.ts";
import type { ConfigurationAccess } from "./configuration-access.ts";
import type { ReplayAnswer } from "./replay-client.ts";

/**
 * The changes of one monitor with the outcome of their replay (behavior 25.40 to 25.44). The values of the changes are not in it: a plan has
 * none (behavior 16.65).
 *
 * @property monitorId null for a new monitor @property fields that were replayed @property outcome null without any
 */
export interface ReplayedMonitor {
  ref: string | null;
  monitorId: string | null;
  fields: string[];
  notReplayed: UnknownChange[];
  outcome: ReplayAnswer | null;
  line: string;
}

type Replayer = (
  access: Pick<ConfigurationAccess, "readAlerting" | "replay">,
  plan: { document: unknown; changes: Change[] },
) => AsyncGenerator<ReplayedMonitor>;

/**
 * Replays what a plan changes, one monitor after the other.
 *
 * @param text the number of days @throws UsageError for another text
 */
export function replayerFor(text: string): Replayer {
  const days = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > MAX_REPLAYED_DAYS) {
    const right = `a whole number of days from 1 to ${MAX_REPLAYED_DAYS}`;
    throw new UsageError(`--replay must be ${right}, got ${JSON.stringify(text)}`);
  }
  return async function* (access, { document, changes }) {
    if (changes.length === 0) return;
    const apply = { document: parseDocument(document).document, changes };
    const present = await access.readAlerting(apply);
    for (const planned of planReplays({ ...apply, present })) {
      const fields = Object.keys(planned.changes);
      const isReplayed = planned.id !== null && fields.length > 0;
      const outcome = isReplayed
        ? await access.replay({
            selector: { monitorIds: [planned.id ?? ""] },
            days,
            changes: planned.changes,
          })
        : null;
      const { id: monitorId, ref, unknown: notReplayed } = planned;
      yield { ref, monitorId, fields, notReplayed, outcome, line: lineOf(planned, outcome, days) };
    }
  };
}

/** For example `shop: 3 messages instead of 41 in 30 days; not replayed: config.url` (behavior 25.42, 25.43). */
function lineOf({ id, name, unknown }: PlannedReplay, outcome: ReplayAnswer | null, days: number): string {
  if (id === null) return `${name}: is new, so there is nothing to replay`;
  const left = unknown.map(({ field, reason }) => (reason === null ? field : `${field} (${reason})`));
  const parts = [
    outcome && outcomeInWords(outcome, days),
    left.length > 0 && `not replayed: ${left.join(", ")}`,
  ];
  return `${name}: ${parts.filter(Boolean).join("; ")}`;
}
