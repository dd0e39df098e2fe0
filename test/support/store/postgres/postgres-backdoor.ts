import pg from "pg";
import { asParameters } from "../../../../src/store/postgres/values.ts";
import { eventually } from "../../eventually.ts";
import type { Backdoor, EndFault } from "../backdoor.ts";
import { MAY_WRITE, runSql, sharedCluster } from "./cluster.ts";

/** @param database the name of the current one */
export function postgresBackdoor(database: () => string): Backdoor & { close(): Promise<void> } {
  let client: Promise<pg.Client> | undefined;
  let isReadOnly = false;
  const rows = async <Row extends object>(sql: string, ...values: (string | number)[]) => {
    client ??= connect(database());
    return (await (await client).query(sql, asParameters(values))).rows as Row[];
  };
  return {
    async close() {
      // A test that failed in between leaves the fault to the other databases of the cluster.
      if (isReadOnly) await setReadOnly("off");
      await (await client)?.end();
      client = undefined;
    },
    engine: "postgres",
    rows,
    async run(sql, ...values) {
      await rows(sql, ...values);
    },
    async breakWrites(fault) {
      if (fault === "locked") throw new Error("a lock of PostgreSQL delays only what needs the same rows");
      if (fault === "read-only") {
        isReadOnly = true;
        return forbidWrites();
      }
      for (const sql of await failWrites(rows)) await rows(sql);
      return async () => void (await rows("DROP FUNCTION broken_write() CASCADE"));
    },
    failSyncs: () => Promise.reject(new Error("a commit of PostgreSQL includes its sync")),
  };
}

async function connect(database: string): Promise<pg.Client> {
  const client = new pg.Client({ ...(await sharedCluster()).config(database), options: MAY_WRITE });
  await client.connect();
  return client;
}

/** Makes every transaction of the cluster read-only, except transactions of tests. */
async function forbidWrites(): Promise<EndFault> {
  await setReadOnly("on");
  return () => setReadOnly("off");
}

async function setReadOnly(value: "on" | "off"): Promise<void> {
  const config = (await sharedCluster()).config("postgres");
  const asTest = { ...config, options: MAY_WRITE };
  await runSql(asTest, `ALTER SYSTEM SET default_transaction_read_only = ${value}`);
  await runSql(asTest, "SELECT pg_reload_conf()");
  // A new connection has it only after all others have received it.
  await eventually(async () => {
    const [row] = await runSql(config, "SHOW default_transaction_read_only");
    return Object.values(row ?? {})[0] === value;
  });
}

/** `disk_full` */
const DISK_FULL = "53100";

/** @returns statements that let every statement that writes fail, also one that would change no row */
async function failWrites(rows: Backdoor["rows"]): Promise<string[]> {
  const tables = await rows<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class
     WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`,
  );
  return [
    `CREATE FUNCTION broken_write() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE 'the test breaks writes' USING ERRCODE = '${DISK_FULL}'; END $$`,
    ...tables.map(
      ({ name }) =>
        `CREATE TRIGGER broken_write BEFORE INSERT OR UPDATE OR DELETE ON ${name} EXECUTE FUNCTION broken_write()`,
    ),
  ];
}
