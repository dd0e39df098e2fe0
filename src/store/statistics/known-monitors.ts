import { kindOf, type MonitorKind } from "../../domain/monitors/kinds/kinds.ts";
import { type MonitorConfig, type MonitorType, maskSecrets } from "../../domain/monitors/monitor.ts";
import { searchText } from "../../domain/overview/selection.ts";
import { fromJson, type Sql } from "../tx.ts";

/** The fields of a monitor that filters and orders need, besides its status. */
export interface KnownMonitor {
  pk: number;
  id: string;
  name: string;
  type: MonitorType;
  enabled: boolean;
  tags: string[];
  /** The text in which a search looks, in lower case. */
  text: string;
  kind: MonitorKind;
  updatedAt: number;
  /** Whether it was read so long after its change that no other change can have the same time. */
  isSettled: boolean;
  /** Its uptime, and when that was read; for the order by uptime only. */
  uptime?: string | null;
  uptimeAt?: number;
}

/** Milliseconds within which another change of a monitor may have the time of this one, also if clocks differ. */
const UNSETTLED = 2000;

/** How many organizations are kept: those whose page was used last. */
const KEPT = 8;

interface Known {
  /** The count of the monitors and the sum of the times of their changes; empty if a further change may not change it. */
  version: string;
  byPk: Map<number, KnownMonitor>;
}

/** The settings of monitors by organization, of which only those that have changed are read again. */
export class KnownMonitors {
  readonly #byOrganization = new Map<number, Known>();

  /**
   * The monitors of an organization by number.
   *
   * @param turn resolves when a slice may be read
   * @param now milliseconds since 1970
   */
  async find(
    sql: Sql,
    organization: number,
    turn: () => Promise<void>,
    now: number,
  ): Promise<ReadonlyMap<number, KnownMonitor>> {
    const known = this.#of(organization);
    await turn();
    const [row] = await sql.query<{ version: string }>(VERSION, [organization]);
    const version = String(row?.version);
    if (known.version === version) return known.byPk;
    const seen = new Set<number>();
    for (let after = 0; ; ) {
      await turn();
      const present = await sql.query<{ pk: number; updatedAt: number }>(LIST, [organization, after]);
      await refresh(sql, known.byPk, present, now);
      for (const { pk } of present) seen.add(pk);
      if (present.length < SIZE) break;
      after = present.at(-1)?.pk ?? after;
    }
    for (const pk of known.byPk.keys()) if (!seen.has(pk)) known.byPk.delete(pk);
    // A change during this gives another version the next time.
    known.version = [...known.byPk.values()].every(({ isSettled }) => isSettled) ? version : "";
    return known.byPk;
  }

  #of(organization: number): Known {
    const known = this.#byOrganization.get(organization) ?? { version: "", byPk: new Map() };
    this.#byOrganization.delete(organization);
    this.#byOrganization.set(organization, known);
    for (const oldest of this.#byOrganization.keys()) {
      if (this.#byOrganization.size <= KEPT) break;
      this.#byOrganization.delete(oldest);
    }
    return known;
  }
}

/** How many monitors are read in one turn of the event loop. */
const SIZE = 500;

/** The modulus keeps the sum exact. */
const VERSION = `SELECT CAST(count(*) AS text) || ' ' || CAST(sum(updated_at % 1000000007) AS text) AS version
  FROM monitors WHERE organization_pk = $1`;

const LIST = `SELECT pk, updated_at AS "updatedAt" FROM monitors
  WHERE organization_pk = $1 AND pk > $2 ORDER BY pk LIMIT ${SIZE}`;

const READ = `SELECT pk, id, name, type, config, enabled, tags, updated_at AS "updatedAt" FROM monitors
  WHERE pk = ANY($1)`;

interface Row {
  pk: number;
  id: string;
  name: string;
  type: MonitorType;
  config: MonitorConfig | string;
  enabled: boolean | number;
  tags: string[] | string;
  updatedAt: number;
}

/** Reads the monitors that are not known, or not as they are now. @param now milliseconds since 1970 */
async function refresh(
  { query }: Sql,
  known: Map<number, KnownMonitor>,
  present: readonly { pk: number; updatedAt: number }[],
  now: number,
): Promise<void> {
  const isKnown = ({ pk, updatedAt }: { pk: number; updatedAt: number }) => {
    const before = known.get(pk);
    return before?.isSettled === true && before.updatedAt === updatedAt;
  };
  const pks = present.filter((one) => !isKnown(one)).map(({ pk }) => pk);
  if (pks.length === 0) return;
  for (const { config: stored, enabled, tags: list, ...row } of await query<Row>(READ, [pks])) {
    const { type, name, updatedAt } = row;
    const [tags, config] = [fromJson(list), fromJson(stored)];
    known.set(row.pk, {
      ...row,
      enabled: Boolean(enabled),
      tags,
      text: searchText(type, { name, config: maskSecrets(config), tags }),
      kind: kindOf(type, config),
      isSettled: Math.abs(now - updatedAt) > UNSETTLED,
    });
  }
}
