import { organizationPk } from "../accounts/organizations.ts";
import { type Database, oncePerDatabase, sqlOf } from "./database.ts";

/*
 * Lists of all monitors of an organization are read in slices. One slice runs in each turn of the event loop, for all
 * requests together, so checks, check-ins and other requests wait for at most one slice.
 */

const queue = oncePerDatabase(() => {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  const next = () => {
    const run = waiting.shift();
    isTaken = run !== undefined;
    if (isTaken) setImmediate(next);
    run?.();
  };
  return {
    wait(): Promise<void> {
      if (isTaken) return new Promise((resolve) => waiting.push(resolve));
      isTaken = true;
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

/** Yields slices of a list, each in its own turn of the event loop. */
export async function* inSlices<Item>(db: Database, items: Item[]): AsyncGenerator<Item[]> {
  for (let at = 0; at < items.length; at += SIZE) {
    await turn(db);
    yield items.slice(at, at + SIZE);
  }
}

/**
 * The internal numbers of the monitors that an organization has at the start, oldest first, in slices. Monitors may be
 * deleted before their slice is yielded.
 *
 * @throws AppError `not_found` if the organization does not exist
 */
export async function* monitorSlices(db: Database, organizationId: string): AsyncGenerator<number[]> {
  const organization = await organizationPk(sqlOf(db), organizationId);
  await turn(db);
  yield* inSlices(db, listPks(db, organization));
}

/** Reads the numbers as one JSON text, which is five times as fast as one row for each. */
function listPks(db: Database, organization: number): number[] {
  const row = db.$client
    .query<{ pks: string }, [number]>(
      "SELECT json_group_array(pk) AS pks FROM monitors WHERE organization_pk = ?",
    )
    .get(organization);
  return [...Float64Array.from(JSON.parse(row?.pks ?? "[]")).sort()];
}
