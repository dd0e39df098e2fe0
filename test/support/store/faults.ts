import type { Backdoor, EndFault } from "./backdoor.ts";

/* Faults of the database that no public function of the store causes. Each function returns the one that ends the fault. */

/** Keeps the database from growing. */
export function fillDisk(db: Backdoor): Promise<EndFault> {
  return db.breakWrites("full");
}

/** Lets every write fail, as on a read-only disk. */
export function forbidWrites(db: Backdoor): Promise<EndFault> {
  return db.breakWrites("read-only");
}

/** Locks the database as another process does. Writes fail after a short wait for the lock. */
export function lockDatabase(db: Backdoor): Promise<EndFault> {
  return db.breakWrites("locked");
}

/** Lets every write of an attempt at a delivery fail, also after the database is opened again. */
export function failAttemptRecords(db: Backdoor): Promise<EndFault> {
  return failUpdates(db, "deliveries");
}

/** Lets every change of the settings of a monitor fail, which is an internal error. */
export function failMonitorUpdates(db: Backdoor): Promise<EndFault> {
  return failUpdates(db, "monitors");
}

async function failUpdates(db: Backdoor, table: string): Promise<EndFault> {
  if (db.engine === "sqlite") {
    await db.run(`CREATE TRIGGER fault BEFORE UPDATE ON ${table} BEGIN SELECT RAISE(ABORT, 'fault'); END`);
    return () => db.run("DROP TRIGGER fault");
  }
  await db.run("CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'fault'; END $$");
  await db.run(`CREATE TRIGGER fault BEFORE UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION fault()`);
  return () => db.run("DROP FUNCTION fault() CASCADE");
}

/** Lets commits return before they are on the disk, for tests that need many of them. */
export async function commitWithoutDisk(db: Backdoor): Promise<void> {
  // The server of the tests on PostgreSQL does so anyway.
  if (db.engine === "sqlite") await db.run("PRAGMA synchronous = OFF");
}
