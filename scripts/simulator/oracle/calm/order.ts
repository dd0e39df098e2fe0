import type { Ledger, SimChannel, Violation } from "../../ledger.ts";
import type { Told } from "./told.ts";

/** One attempt of a channel at a time, and what it gets of one monitor in the order of the changes. */
export function judgeOrder(one: SimChannel, ledger: Ledger, told: readonly Told[]): Violation[] {
  const { name: channel } = one;
  const attempts = ledger.attempts
    .filter((one) => one.channel === channel)
    .toSorted((a, b) => a.startedAt - b.startedAt);
  const overlaps = attempts.slice(1).flatMap((attempt, before): Violation[] => {
    const previous = attempts[before];
    if (previous?.digest !== undefined && previous.digest === attempt.digest) return [];
    if (!previous || attempt.startedAt >= previous.endedAt || previous.outcome === "lost") return [];
    const text = `an attempt starts ${previous.endedAt - attempt.startedAt} ms before the end of the one before`;
    return [
      {
        rule: "one attempt of a channel at a time",
        at: attempt.startedAt,
        channel,
        monitor: attempt.monitor,
        text,
      },
    ];
  });
  const swapped = [...Map.groupBy(told, ({ delivery }) => delivery.monitor)].flatMap(([monitor, own]) =>
    own.slice(1).flatMap((one, before): Violation[] => {
      const previous = own[before];
      if (!previous || previous.delivery.createdAtWall <= one.delivery.createdAtWall) return [];
      const text = `${one.status} follows ${previous.status}, which is later`;
      return [
        { rule: "notifications of a monitor arrive in order", at: one.startedAt, channel, monitor, text },
      ];
    }),
  );
  return [...overlaps, ...swapped, ...judgeDigests(one, ledger)];
}

/** The most notifications that a chat channel gets as one message each, if more wait. */
const MAX_SINGLE = 3;

/** Only more than three notifications are one message, only in a chat, and a retry has the same ones. */
function judgeDigests({ name: channel, type }: SimChannel, { attempts, scenario }: Ledger): Violation[] {
  const parts = attempts.filter((one) => one.channel === channel && one.digest !== undefined);
  return [...Map.groupBy(parts, ({ digest }) => digest).values()].flatMap((digest): Violation[] => {
    const tries = [...Map.groupBy(digest, ({ startedAt }) => startedAt).values()];
    const [first = []] = tries;
    const at = { at: first[0]?.startedAt ?? scenario.from, channel };
    const violations: Violation[] = [];
    if (type === "WEBHOOK")
      violations.push({ ...at, rule: "a webhook gets each event", text: `one message for ${first.length}` });
    if (first.length <= MAX_SINGLE)
      violations.push({
        ...at,
        rule: "few notifications have a message each",
        text: `one for ${first.length}`,
      });
    const ids = (some: typeof first) => some.map(({ id }) => id).join(" ");
    if (tries.some((again) => ids(again) !== ids(first)))
      violations.push({
        ...at,
        rule: "a retry has the same notifications",
        text: tries.map(ids).join(" / "),
      });
    return violations;
  });
}
