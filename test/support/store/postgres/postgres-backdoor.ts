import pg from "pg";
import { asParameters } from "../../../../src/store/postgres/values.ts";
import type { Backdoor, WriteFault } from "../backdoor.ts";
import { sharedCluster } from "./cluster.ts";

/** @param database the name of the current one */
export function postgresBackdoor(database: () => string): Backdoor & { close(): Promise<void> } {
  let client: Promise<pg.Client> | undefined;
  const rows = async <Row extends object>(sql: string, ...values: (string | number)[]) => {
    client ??= connect(database());
    return (await (await client).query(sql, asParameters(values))).rows as Row[];
  };
  return {
    async close() {
      await (await client)?.end();
      client = undefined;
    },
    engine: "postgres",
    rows,
    async run(sql, ...values) {
      await rows(sql, ...values);
    },
    async breakWrites(fault) {
      for (const sql of await failWrites(rows, fault)) await rows(sql);
      return async () => void (await rows("DROP FUNCTION broken_write() CASCADE"));
    },
    failSyncs: () => Promise.reject(new Error("a commit of PostgreSQL includes its sync")),
  };
}

async function connect(database: string): Promise<pg.Client> {
  const client = new pg.Client((await sharedCluster()).config(database));
  await client.connect();
  return client;
}

/** What PostgreSQL reports then. A statement that waits for a lock ends with the same state after some seconds. */
const STATES: Record<WriteFault, string> = { "read-only": "25006", full: "53100", locked: "57014" };

/** @returns statements that let every statement that writes fail, also one that would change no row */
async function failWrites(rows: Backdoor["rows"], fault: WriteFault): Promise<string[]> {
  const tables = await rows<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class
     WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`,
  );
  return [
    `CREATE FUNCTION broken_write() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE 'the test breaks writes' USING ERRCODE = '${STATES[fault]}'; END $$`,
    ...tables.map(
      ({ name }) =>
        `CREATE TRIGGER broken_write BEFORE INSERT OR UPDATE OR DELETE ON ${name} EXECUTE FUNCTION broken_write()`,
    ),
  ];
}
