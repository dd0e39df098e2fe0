import type { Sql } from "../../tx.ts";
import { arraysOf } from "../values.ts";

/** After the clock was set back, a stretch may begin again at the same time. */
const SAVE = `INSERT INTO outage_downs (outage_pk, started_at, ended_at)
  SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[])
  ON CONFLICT (outage_pk, started_at) DO UPDATE SET ended_at = excluded.ended_at`;

const END = `UPDATE outage_downs SET ended_at = ended.at
  FROM unnest($1::bigint[], $2::bigint[]) AS ended (outage_pk, at)
  WHERE outage_downs.outage_pk = ended.outage_pk AND outage_downs.ended_at IS NULL`;

/** A stretch that a plan begins. @property endedAt null if the plan does not end it */
interface NewDown {
  startedAt: number;
  endedAt: number | null;
}

/** The stretches of outages in which their monitors are down, as a plan changes them. `Outage` identifies one of the plan. */
export class DownChanges<Outage> {
  /** The latest last. */
  readonly #begun = new Map<Outage, NewDown[]>();
  /** When the stored stretches end. */
  readonly #ended = new Map<Outage, number>();

  begin(outage: Outage, startedAt: number): void {
    const begun = this.#begun.get(outage) ?? [];
    const others = begun.filter((one) => one.startedAt !== startedAt);
    this.#begun.set(outage, [...others, { startedAt, endedAt: null }]);
  }

  end(outage: Outage, at: number): void {
    const begun = this.#begun.get(outage)?.at(-1);
    if (begun) begun.endedAt = at;
    else this.#ended.set(outage, at);
  }

  /** @param pkOf the number of an outage, after all of them are saved */
  async save(sql: Sql, pkOf: (outage: Outage) => number | null): Promise<void> {
    const ended = [...this.#ended].map(([outage, at]) => ({ outagePk: pkOf(outage), at }));
    if (ended.length > 0) await sql.query(END, arraysOf(ended, ["outagePk", "at"]));
    const begun = [...this.#begun].flatMap(([outage, downs]) =>
      downs.map((down) => ({ outagePk: pkOf(outage), ...down })),
    );
    if (begun.length > 0) await sql.query(SAVE, arraysOf(begun, ["outagePk", "startedAt", "endedAt"]));
  }
}
