import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { findDamage } from "../../src/store/sqlite/backup.ts";
import { schemaVersion } from "../../src/store/sqlite/migrate.ts";
import { closeDatabase, openDatabase } from "../../src/store/sqlite/open.ts";
import { readsOf } from "../../src/store/sqlite/results/reads.ts";
import { atEvery, cannotInject, Fault, type Plan } from "../support/crash/fault.ts";
import { ScriptedWork } from "../support/crash/scripted-work.ts";
import { isLong } from "../support/long.ts";
import { Binary } from "../support/product/binary.ts";
import { Client } from "../support/requests/client.ts";
import { memoryDir } from "../support/temp-dir.ts";

setDefaultTimeout(isLong ? 3_600_000 : 600_000);

/** All points take an hour, so that an ordinary run tests only one point of each kind. */
const sampleOf = (plan: Pick<Plan, "calls">, strides: Record<Plan["calls"], number>) => {
  const stride = strides[plan.calls];
  return isLong ? {} : { stride, first: Math.ceil(stride / 2), most: 1 };
};
const serverSampleOf = (plan: Pick<Plan, "calls">) =>
  sampleOf(plan, { syncs: 40, changes: 90, writes: 1100 });
/** Commands make fewer syncs than a server: a backup, at least five. */
const commandSampleOf = (plan: Pick<Plan, "calls">) => sampleOf(plan, { syncs: 5, changes: 90, writes: 90 });
/** One short command makes some dozen changes and a few syncs. */
const shortSampleOf = (plan: Pick<Plan, "calls">) => sampleOf(plan, { syncs: 2, changes: 6, writes: 6 });

const points = test.skipIf(cannotInject());

/** Ends of a process: a kill at any change of a file, or a power failure at any sync. */
const ENDS = [
  ["kill -9 at any change of a file", { kind: "kill", calls: "changes" }],
  ["a power failure at any sync", { kind: "power", calls: "syncs" }],
] as const;

points("kill -9 at any sync of a server loses nothing acknowledged and no notification", async () => {
  report(await interruptWork({ kind: "kill", calls: "syncs" }));
});

points(
  "behavior 5.6, 7.68: a power failure at any sync of a server loses nothing acknowledged and no notification",
  async () => {
    report(await interruptWork({ kind: "power", calls: "syncs" }));
  },
);

points(
  "behavior 1.51: a power failure after any sync that failed loses nothing that was acknowledged later",
  async () => {
    report(await interruptWork({ kind: "lost", calls: "syncs" }));
  },
);

/** An ordinary run has the faults that last for several calls. */
const DISTURBANCES: [string, Omit<Plan, "at">][] = [
  ["one write that fails on a full disk", { kind: "ENOSPC", calls: "writes" }],
  ["a disk that is full for ten writes", { kind: "ENOSPC", calls: "writes", times: 10 }],
  ["one write that fails with EIO", { kind: "EIO", calls: "writes" }],
  ["ten syncs that fail with EIO", { kind: "EIO", calls: "syncs", times: 10 }],
];
for (const [fault, plan] of DISTURBANCES.filter(([, { times = 1 }]) => isLong || times > 1))
  points(
    `behavior 1.50, 7.11: ${fault}, at any time, loses nothing acknowledged, and the server goes on`,
    async () => {
      report(await disturbWork(plan));
    },
  );

for (const [end, plan] of ENDS) {
  points(
    `behavior 9.6: ${end} of a backup leaves a complete copy or none, and the next backup succeeds`,
    async () => {
      await using binary = new Binary({ parent: memoryDir() });
      const server = await binary.serve();
      const client = await server.client();
      const job = { name: "job", type: "SCHEDULED", config: {} };
      const { checkinUrl } = (await client.post("/api/v1/monitors", job)).body.data;
      let sent = 0;
      const interrupt = async (at: number) => {
        await fetch(checkinUrl);
        sent++;
        const copies = join(binary.folder, "copies");
        rmSync(copies, { recursive: true, force: true });
        mkdirSync(copies);
        using fault = new Fault(copies, { ...plan, at });
        const { code, stderr } = await binary.run(["backup", "copies/copy.db"], {}, fault);
        const isComplete = existsSync(join(copies, "copy.db"));
        if (code === 0)
          expect({ isComplete, stderr }).toEqual({
            isComplete: true,
            stderr: "Backed up to copies/copy.db\n",
          });
        if (isComplete) expect(results(join(copies, "copy.db"))).toBe(sent);
        else expect((await binary.run(["backup", "copies/copy.db"])).code).toBe(0);
        expect(readdirSync(copies)).toEqual(["copy.db"]);
        return fault.hit;
      };
      report(await atEvery(interrupt, { lanes: 1, ...commandSampleOf(plan) }));
      expect(await checked(binary)).toBe("has no damage");
    },
  );

  points(
    `behavior 9.7: ${end} of a restore leaves the previous or the restored database, and the next restore succeeds`,
    async () => {
      await using templates = new Binary({ parent: memoryDir() });
      await fill(templates, "previous", 3);
      await fill(templates, "other", 5);
      expect((await templates.run(["backup", "copy.db", "--data-dir", "other"])).code).toBe(0);
      await using lanes = new Lanes();
      const interrupt = async (at: number, lane: number) => {
        const binary = lanes.fresh(lane);
        const data = join(binary.folder, "data");
        cpSync(join(templates.folder, "previous"), data, { recursive: true });
        using fault = new Fault(data, { ...plan, at });
        const restore = ["restore", join(templates.folder, "copy.db")];
        const { code } = await binary.run(restore, {}, fault);
        expect(await checked(binary)).toBe("has no damage");
        expect(results(join(data, "stillup.db"))).toBeOneOf(code === 0 ? [5] : [3, 5]);
        expect(await binary.run(restore)).toMatchObject({ code: 0 });
        expect(results(join(data, "stillup.db"))).toBe(5);
        const kept = readdirSync(data).filter((name) =>
          /before-restore-[^-]*-[^-]*-[^-]*-[^-]*-[^-]*Z$/.test(name),
        );
        expect(kept.map((name) => results(join(data, name)))).toContain(3);
        expect((await binary.run(["orgs", "list"])).code).toBe(0);
        return fault.hit;
      };
      report(await atEvery(interrupt, commandSampleOf(plan)));
    },
  );

  points(`${end} of a command that changes the database leaves all of the change or nothing`, async () => {
    await using lanes = new Lanes();
    const interrupt = async (at: number, lane: number) => {
      const binary = lanes.fresh(lane);
      expect((await binary.run(["orgs", "create", "First"])).code).toBe(0);
      using fault = new Fault(binary.folder, { ...plan, at });
      const { code } = await binary.run(["orgs", "create", "Second"], {}, fault);
      expect(await checked(binary)).toBe("has no damage");
      const { stdout } = await binary.run(["orgs", "list"]);
      const names = JSON.parse(stdout).map(({ name }: { name: string }) => name);
      expect(names).toBeOneOf(code === 0 ? [["First", "Second"]] : [["First"], ["First", "Second"]]);
      return fault.hit;
    };
    report(await atEvery(interrupt, shortSampleOf(plan)));
  });

  points(`behavior 9.8: ${end} of a migration loses nothing, and the next start completes it`, async () => {
    await using template = new Binary({ parent: memoryDir() });
    await fill(template, "data", 3);
    await using lanes = new Lanes();
    const interrupt = async (at: number, lane: number) => {
      const { folder } = lanes.fresh(lane);
      const data = join(folder, "data");
      cpSync(join(template.folder, "data"), data, { recursive: true });
      using fault = new Fault(data, { ...plan, at });
      await migrateLater(data, fault.under);
      const file = join(data, "stillup.db");
      expect({ damage: findDamage(file), results: results(file) }).toEqual({ damage: [], results: 3 });
      expect(await migrateLater(data)).toBe(0);
      expect({ damage: findDamage(file), results: results(file), version: version(file) }).toEqual({
        damage: [],
        results: 3,
        version: schemaVersion() + 1,
      });
      const backup = `${file}.before-migration-${schemaVersion()}`;
      expect({ results: results(backup), version: version(backup) }).toEqual({
        results: 3,
        version: schemaVersion(),
      });
      return fault.hit;
    };
    report(await atEvery(interrupt, commandSampleOf(plan)));
  });
}

for (const [end, plan] of ENDS)
  points(
    `${end} while results are packed loses none and doubles none, and the next start goes on`,
    async () => {
      await using template = new Binary({ parent: memoryDir() });
      const stored = storeResults(join(template.folder, "data"));
      await using lanes = new Lanes();
      const interrupt = async (at: number, lane: number) => {
        const { folder } = lanes.fresh(lane);
        const data = join(folder, "data");
        cpSync(join(template.folder, "data"), data, { recursive: true });
        using fault = new Fault(data, { ...plan, at });
        await runScript("seal-results.ts", data, fault.under);
        const file = join(data, "stillup.db");
        expect(findDamage(file)).toEqual([]);
        expect(await listResults(data)).toEqual(stored);
        expect(await runScript("seal-results.ts", data)).toBe(0);
        expect(await listResults(data)).toEqual(stored);
        expect(results(file)).toBe(0);
        return fault.hit;
      };
      report(await atEvery(interrupt, plan.calls === "syncs" ? shortSampleOf(plan) : commandSampleOf(plan)));
    },
  );

points(
  "a first start that can't write the owner key to the disk fails, and the next start creates a key",
  async () => {
    await using lanes = new Lanes();
    const binary = lanes.fresh(0);
    using none = new Fault(binary.folder, { kind: "EIO", calls: "syncs", at: 1_000_000 });
    await (await binary.serve([], {}, none)).end("SIGTERM");
    const at = none.calls.indexOf("fsync data/initial-owner-key") + 1;
    expect(at).toBeGreaterThan(0);

    lanes.fresh(0);
    using fault = new Fault(binary.folder, { kind: "EIO", calls: "syncs", at });
    await expect(binary.serve([], {}, fault)).rejects.toThrow(
      /listened: stillup: \S+\/initial-owner-key can't be written: i\/o error\n$/,
    );
    const server = await binary.serve();
    expect((await (await server.client()).get("/api/v1/api-keys")).status).toBe(200);
  },
);

points("behavior 9.19: a command on a full disk fails with one line", async () => {
  await using binary = new Binary({ parent: memoryDir() });
  expect((await binary.run(["orgs", "create", "First"])).code).toBe(0);
  for (const at of [1, 3]) {
    using fault = new Fault(binary.folder, { kind: "ENOSPC", calls: "writes", at, times: 1_000_000 });
    const { code, stderr } = await binary.run(["orgs", "create", "Second"], {}, fault);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "stillup: database or disk is full\n" });
  }
  expect(JSON.parse((await binary.run(["orgs", "list"])).stdout)).toHaveLength(1);
});

/** Creates a database whose last commits are only in its log. @param checkins how many results it gets */
async function fill(binary: Binary, dataDir: string, checkins: number): Promise<void> {
  const server = await binary.serve(["--data-dir", dataDir]);
  const key = await Bun.file(join(binary.folder, dataDir, "initial-owner-key")).text();
  const client = new Client(server.url, key.trim());
  const job = { name: "job", type: "SCHEDULED", config: {} };
  const { checkinUrl } = (await client.post("/api/v1/monitors", job)).body.data;
  for (let sent = 0; sent < checkins; sent++) await fetch(checkinUrl);
  await server.kill();
}

/** Opens a database as a later version would. @returns the exit code */
function migrateLater(dataDir: string, under: string[] = []): Promise<number> {
  return runScript("migrate-later.ts", dataDir, under);
}

/** @returns the exit code */
async function runScript(name: string, dataDir: string, under: string[] = []): Promise<number> {
  const script = resolve(import.meta.dir, "../support/store", name);
  return Bun.spawn([...under, "bun", script, dataDir], { stderr: "ignore" }).exited;
}

const MINUTE = 60_000;

/** Stores the results of ten hours and some monitors, and closes the database. @returns their numbers, the newest first */
function storeResults(dataDir: string): number[] {
  const db = openDatabase(dataDir);
  const insert = db.$client.query(
    "INSERT INTO check_results (monitor_pk, status, timings, created_at) VALUES (?, ?, ?, ?)",
  );
  const pks = db.$client.transaction(() =>
    Array.from({ length: 1200 }, (_, at) => {
      const row = [
        (at % 4) + 1,
        at % 50 === 7 ? 2 : 1,
        new Uint8Array([16, at % 128]),
        at * (MINUTE / 2),
      ] as const;
      return Number(insert.run(...row).lastInsertRowid);
    }),
  )();
  closeDatabase(db);
  return pks.reverse();
}

/** The numbers of all results as they are read, the newest first. */
async function listResults(dataDir: string): Promise<number[]> {
  const db = openDatabase(dataDir);
  try {
    const selection = { monitorPks: [1, 2, 3, 4], statuses: ["up" as const, "down" as const] };
    return (await readsOf(db).newestResults([selection], { before: undefined, limit: 10_000 })).map(
      ({ pk }) => pk,
    );
  } finally {
    closeDatabase(db);
  }
}

function results(file: string): number {
  return scalar(file, "SELECT count(*) FROM check_results");
}

function version(file: string): number {
  return scalar(file, "PRAGMA user_version");
}

function scalar(file: string, query: string): number {
  const sqlite = new Database(file, { readwrite: true, create: false });
  const [value = -1] = sqlite.query(query).values()[0] as number[];
  sqlite.close();
  return value;
}

function report(hits: string[]): void {
  process.stderr.write(`${hits.length} points: ${hits.join(", ")}\n`);
  expect(hits).not.toEqual([]);
}

/** Runs the scripted work with a fault of the disk at every call of one kind, and verifies it after a restart. */
async function disturbWork(plan: Omit<Plan, "at">): Promise<string[]> {
  await using lanes = new Lanes();
  return await atEvery(async (at, lane) => {
    const binary = lanes.fresh(lane);
    await using work = await ScriptedWork.create();
    using fault = new Fault(binary.folder, { ...plan, at });
    const disturbed = await binary.serve(work.args, {}, fault).catch((error: Error) => error.message);
    if (typeof disturbed === "string") {
      expect(disturbed).toMatch(/^the server ended before it listened: stillup: [^\n]+\n$/);
    } else {
      expect(await work.run(await disturbed.client())).toBe(true);
      expect(await disturbed.end("SIGTERM")).toBe(0);
    }
    // A first start that fails leaves nothing behind (behavior 9.110).
    if (typeof disturbed !== "string" || existsSync(join(binary.folder, "data/stillup.db")))
      expect(await checked(binary)).toBe("has no damage");
    const server = await binary.serve(work.args);
    await work.verify(await server.client());
    await server.kill();
    return fault.hit;
  }, serverSampleOf(plan));
}

/** Ends a server at every call of one kind, in the middle of the scripted work, and verifies the work after a restart. */
async function interruptWork(plan: Omit<Plan, "at">): Promise<string[]> {
  await using lanes = new Lanes();
  return await atEvery(async (at, lane) => {
    const binary = lanes.fresh(lane);
    await using work = await ScriptedWork.create();
    using fault = new Fault(binary.folder, { ...plan, at });
    const interrupted = await binary.serve(work.args, {}, fault).catch(() => undefined);
    if (interrupted && (await work.run(await interrupted.client())))
      await interrupted.end(plan.kind === "lost" ? "SIGUSR1" : "SIGTERM");
    await interrupted?.exited;
    if (existsSync(join(binary.folder, "data/stillup.db")))
      expect(await checked(binary)).toBe("has no damage");
    const server = await binary.serve(work.args);
    await work.verify(await server.client());
    await server.kill();
    return fault.hit;
  }, serverSampleOf(plan));
}

/** A binary for each lane. */
class Lanes implements AsyncDisposable {
  readonly #binaries: Binary[] = [];

  /** The binary of a lane, with an empty folder. */
  fresh(lane: number): Binary {
    const binary = this.#binaries[lane] ?? new Binary({ parent: memoryDir() });
    this.#binaries[lane] = binary;
    rmSync(join(binary.folder, "data"), { recursive: true, force: true });
    return binary;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const binary of this.#binaries) await binary[Symbol.asyncDispose]();
  }
}

async function checked(binary: Binary): Promise<string> {
  const { code, stderr } = await binary.run(["check"]);
  return code === 0 ? "has no damage" : stderr;
}
