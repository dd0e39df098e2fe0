import type { Database as Sqlite } from "bun:sqlite";

interface Planned {
  pk: number;
  reviewAt: number;
  /** JSON. */
  hold: string | null;
}

/** How much later a held notification is decided if nothing happens meanwhile; milliseconds. */
const NET_LATER = 9 * 60_000;

/**
 * When the next held notification or reminder is decided.
 *
 * A notification that a cause or a window holds is decided when that ends, and as a safety net once a minute. Most decisions are of this net, and
 * change nothing: they come some minutes later here. So one that only the net makes comes late, and the oracle finds it.
 *
 * @param now the wall time
 */
export function createReviewTimes(db: Sqlite, now: () => number): () => number {
  const reviews = db.query<Planned, []>(
    "SELECT pk, review_at AS reviewAt, hold FROM deliveries WHERE review_at IS NOT NULL",
  );
  const reminder = db.query<{ at: number | null }, []>(
    "SELECT min(remind_at) AS at FROM alert_bindings WHERE remind_at IS NOT NULL",
  );
  /** Decisions of the net, by their delivery. A decision that was planned for the time of its write is not counted. */
  let nets = new Map<number, number>();

  return () => {
    const time = now();
    const all = reviews.all();
    const isNet = ({ pk, reviewAt, hold }: Planned) =>
      (reviewAt > time || nets.get(pk) === reviewAt) && hold !== null && /"(muted|maintenance)"/.test(hold);
    nets = new Map(all.filter(isNet).map(({ pk, reviewAt }) => [pk, reviewAt]));
    return Math.min(
      reminder.get()?.at ?? Number.POSITIVE_INFINITY,
      ...all.map(({ pk, reviewAt }) => (nets.has(pk) ? reviewAt + NET_LATER : reviewAt)),
    );
  };
}
