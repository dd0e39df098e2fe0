import { oncePerDatabase } from "./once-per-database.ts";
import type { Database } from "./open.ts";
import { organizationPk } from "./organization-pk.ts";

/*
 * What reads the rows of all monitors of an organization does so in slices, of which one runs in each turn of the event
 * loop, whoever asks: checks, check-ins and other requests wait for one slice at most.
 */

const queue = oncePerDatabase(() => {
  const waiting: (() => void)[] = [];
  let taken = false;
  const next = () => {
    const run = waiting.shift();
    taken = run !== undefined;
    if (taken) setImmediate(next);
    run?.();
  };
  return {
    wait(): Promise<void> {
      if (taken) return new Promise((resolve) => waiting.push(resolve));
      taken = true;
      setImmediate(next);
      return Promise.resolve();
    },
  };
});

/** Resolves in a turn of the event loop in which no other slice runs. */
export function turn(db: Database): Promise<void> {
  return queue(db).wait();
}

/** Monitors in a slice: with nothing cached, it takes 1 to 3 ms to read their 90 days. */
const SIZE = 25;

/** Slices, each in a turn of its own. */
export async function* inSlices<Item>(db: Database, items: Item[], size = SIZE): AsyncGenerator<Item[]> {
  for (let at = 0; at < items.length; at += size) {
    await turn(db);
    yield items.slice(at, at + size);
  }
}

/**
 * The inner numbers of the monitors that an organization has at the start, oldest first, in slices. Some may be deleted
 * before their slice comes.
 */
export async function* monitorSlices(
  db: Database,
  organizationId: string,
  size = SIZE,
): AsyncGenerator<number[]> {
  const organization = organizationPk(db, organizationId);
  await turn(db);
  yield* inSlices(db, listPks(db, organization), size);
}

/** As one text: a row each would take five times as long. */
function listPks(db: Database, organization: number): number[] {
  const row = db.$client
    .query<{ pks: string }, [number]>(
      "SELECT json_group_array(pk) AS pks FROM monitors WHERE organization_pk = ?",
    )
    .get(organization);
  return [...Float64Array.from(JSON.parse(row?.pks ?? "[]")).sort()];
}
