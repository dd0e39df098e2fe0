import type { ChannelType } from "./channel.ts";
import { declarationOf, formatOf } from "./webhook-format.ts";

/** The types of channels that people read (behavior 14.63). A WEBHOOK channel depends on its format (behavior 16.148). */
const digestible: Record<Exclude<ChannelType, "WEBHOOK">, boolean> = {
  SLACK: true,
  DISCORD: true,
  TEAMS: true,
  EMAIL: true,
};

/** Whether a channel gets many notifications as one message, at the pace of `MESSAGE_PACE` (behavior 14.63, 14.67). */
export function takesDigests({ type, config }: { type: ChannelType; config?: unknown }): boolean {
  return type === "WEBHOOK" ? declarationOf(formatOf(config)).readBy === "people" : digestible[type];
}

/** @property burst messages at once after a pause @property every milliseconds between the messages after these */
export const MESSAGE_PACE = { burst: 2, every: 1000 };

/** The most notifications that are sent as one message each. */
const MAX_SINGLE = 3;

/** The most notifications in one message: on SQLite, reading 5,000 of them blocks other work for about 50 ms. */
export const MAX_IN_DIGEST = 5000;

/** A pending delivery. @property digestPk the first delivery of its message, if it was sent in one with others */
export interface PendingDelivery {
  pk: number;
  attempts: number;
  digestPk: number | null;
}

/** The deliveries of one message. @property isNew whether they were not in one message before */
export interface Digest {
  pks: number[];
  isNew: boolean;
}

/**
 * The deliveries that are sent with the first pending one of a channel (behavior 14.63, 14.64): only deliveries that follow it
 * without a gap, because a channel gets its notifications in order. A retry has the same ones.
 *
 * @param waiting all that are pending, in their order
 */
export function planDigest(waiting: readonly PendingDelivery[]): Digest {
  const [first] = waiting;
  if (!first) return { pks: [], isNew: false };
  if (first.digestPk !== null)
    return { pks: pksOf(waiting, (one) => one.digestPk === first.digestPk), isNew: false };
  const gap = waiting.findIndex(({ attempts, digestPk }) => attempts > 0 || digestPk !== null);
  const untried = gap < 0 ? waiting : waiting.slice(0, gap);
  const isDigest = untried.length > MAX_SINGLE;
  return { pks: pksOf(isDigest ? untried.slice(0, MAX_IN_DIGEST) : [first]), isNew: isDigest };
}

function pksOf(
  waiting: readonly PendingDelivery[],
  isPart: (one: PendingDelivery) => boolean = () => true,
): number[] {
  return waiting.filter(isPart).map(({ pk }) => pk);
}
