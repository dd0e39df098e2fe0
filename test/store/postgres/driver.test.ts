import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../../src/errors.ts";
import type { StoreSettings } from "../../../src/store/engine.ts";
import { postgres as driver } from "../../../src/store/postgres/driver.ts";
import { reach } from "../../../src/store/postgres/reach.ts";
import { eventually } from "../../support/eventually.ts";
import { freePort } from "../../support/free-port.ts";
import { runSql, sharedCluster } from "../../support/store/postgres/cluster.ts";
import { dropDatabase } from "../../support/store/postgres/databases.ts";
import { findPrograms } from "../../support/store/postgres/programs.ts";
import { DatabaseProxy } from "../../support/store/postgres/proxy.ts";
import { createTlsCluster, type TlsCluster } from "../../support/store/postgres/tls-cluster.ts";
import { tempDir } from "../../support/temp-dir.ts";

setDefaultTimeout(300_000);

const PATIENCE = 1500;

const settingsOf = (databaseUrl: string, more: Partial<StoreSettings> = {}): StoreSettings => ({
  dataDir: "unused",
  databaseUrl,
  ...more,
});

/** @returns the message of the refusal, or `reached` */
async function outcomeOf(
  databaseUrl: string,
  more: Partial<StoreSettings> = {},
  { patience = PATIENCE, forOwner = false } = {},
): Promise<string> {
  try {
    await reach(settingsOf(databaseUrl, more), { patience, forOwner });
    return "reached";
  } catch (error) {
    if (error instanceof AppError) return `${error.kind}: ${error.message}`;
    throw error;
  }
}

describe.skipIf(findPrograms() === undefined)("a database of PostgreSQL", () => {
  let cluster: TlsCluster;
  beforeAll(async () => {
    cluster = await createTlsCluster();
  });
  afterAll(() => cluster.end());

  const urlOf = ({ password = cluster.password, host = "localhost", query = "" } = {}) =>
    `postgresql://${cluster.user}:${password}@${host}:${cluster.port}/postgres${query}`;

  describe("behavior 12.2: with TLS", () => {
    test.each(["disable", "allow", "prefer", "require", "verify-ca", "verify-full"])(
      "takes sslmode=%s",
      async (mode) => {
        const query = `?sslmode=${mode}&sslrootcert=${cluster.authority}`;
        expect(await outcomeOf(urlOf({ query }))).toBe("reached");
      },
    );

    test("binds the password to the connection, and takes what URLs of providers contain", async () => {
      const query =
        "?sslmode=require&channel_binding=require&connect_timeout=10&target_session_attrs=read-write";
      expect(await outcomeOf(urlOf({ query }))).toBe("reached");
    });

    test("is refused with the certificate of another authority, if that is verified", async () => {
      for (const [mode, outcome] of [
        ["prefer", /^reached/],
        ["require", /^refused: .*certificate/],
        ["verify-ca", /^refused: .*certificate/],
        ["verify-full", /^refused: .*certificate/],
      ] as const) {
        const query = `?sslmode=${mode}&sslrootcert=${cluster.otherAuthority}`;
        expect(await outcomeOf(urlOf({ query }))).toMatch(outcome);
      }
    });

    test("is refused under another name only by verify-full", async () => {
      const query = (mode: string) => `?sslmode=${mode}&sslrootcert=${cluster.authority}`;
      expect(await outcomeOf(urlOf({ host: "127.0.0.1", query: query("verify-ca") }))).toBe("reached");
      expect(await outcomeOf(urlOf({ host: "127.0.0.1", query: query("verify-full") }))).toMatch(/altnames/);
    });

    test("names a certificate that can't be read", async () => {
      const query = "?sslmode=verify-ca&sslrootcert=/no/such/file";
      expect(await outcomeOf(urlOf({ query }))).toMatch(/^invalid: sslrootcert of the database URL/);
    });
  });

  test("behavior 12.2: without TLS on the server, prefer and allow work and require does not", async () => {
    await cluster.setTls(false);
    try {
      for (const mode of ["disable", "allow", "prefer"])
        expect(await outcomeOf(urlOf({ query: `?sslmode=${mode}` }))).toBe("reached");
      expect(await outcomeOf(urlOf({ query: "?sslmode=require" }))).toMatch(/does not support SSL/);
    } finally {
      await cluster.setTls(true);
    }
  });

  test("behavior 12.2: takes the password of the environment, then of the password file", async () => {
    using dir = tempDir();
    const file = join(dir.path, "pgpass");
    writeFileSync(file, `localhost:*:*:${cluster.user}:${cluster.password}\n`, { mode: 0o600 });
    const url = urlOf({ password: "" });
    expect(await outcomeOf(url, { databasePassword: { password: cluster.password, file: "" } })).toBe(
      "reached",
    );
    expect(await outcomeOf(url, { databasePassword: { file } })).toBe("reached");
    expect(await outcomeOf(url, { databasePassword: { password: "wrong", file } })).toMatch(/^refused/);
    expect(await outcomeOf(url)).toMatch(/a password is required/);
  });

  test("behavior 9.152: takes the password of a file before those, and reads the file for each connection", async () => {
    using dir = tempDir();
    const secretFile = join(dir.path, "password");
    const url = urlOf({ password: "" });
    const given = { databasePassword: { secretFile, password: "wrong", file: "" } };
    writeFileSync(secretFile, "an old one\n", { mode: 0o400 });
    expect(await outcomeOf(url, given)).toMatch(/^refused/);
    rmSync(secretFile);
    writeFileSync(secretFile, `${cluster.password}\n`, { mode: 0o400 });
    expect(await outcomeOf(url, given)).toBe("reached");
  });

  test("behavior 12.3: that refuses is not tried again, and the message has no password", async () => {
    // Otherwise the test would not end.
    const forever = 24 * 3_600_000;
    const wrong = await outcomeOf(urlOf({ password: "wr0ng" }), {}, { patience: forever });
    expect(wrong).toBe(
      `refused: the database "postgres" at localhost:${cluster.port} can't be used: password authentication failed for user "someone"`,
    );
    await cluster.setTls(false);
    try {
      expect(
        await outcomeOf(urlOf({ password: "wr0ng", query: "?sslmode=prefer" }), {}, { patience: forever }),
      ).toBe(wrong);
    } finally {
      await cluster.setTls(true);
    }
    expect(await outcomeOf(urlOf().replace("/postgres", "/other"), {}, { patience: forever })).toMatch(
      /database "other" does not exist/,
    );
  });

  test("behavior 12.3: that can't be reached is tried again for a while before it is refused", async () => {
    const start = performance.now();
    const port = freePort();
    expect(await outcomeOf(`postgresql://u@127.0.0.1:${port}/d`)).toMatch(/^refused: .*ECONNREFUSED/);
    expect(performance.now() - start).toBeGreaterThanOrEqual(PATIENCE);
  });

  test("is refused if it can't store every character", async () => {
    const admin = (await sharedCluster()).config("postgres");
    const encoding = "TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'";
    await runSql(admin, `CREATE DATABASE latin ${encoding}`);
    expect(await outcomeOf((await sharedCluster()).url("latin"))).toMatch(
      /^refused: .* has the encoding LATIN1: create it with the encoding UTF8$/,
    );
    await runSql(admin, "DROP DATABASE latin WITH (FORCE)");
  });

  test("that is silent at first is used when it answers", async () => {
    using proxy = await DatabaseProxy.start(await sharedCluster());
    proxy.silence();
    const reached = reach(settingsOf(proxy.url("postgres")));
    await eventually(() => proxy.connections > 0);
    proxy.cut();
    expect(await reached).toMatchObject({ exists: false });
  });

  test("exists for stillup once a server has opened it, and other programs do not create it", async () => {
    const { config, url } = await sharedCluster();
    await runSql(config("postgres"), "CREATE DATABASE driver_test");
    const settings = settingsOf(url("driver_test"));
    try {
      expect(await driver.exists(settings)).toBe(false);
      await expect(driver.openExisting(settings)).rejects.toThrow("has no tables of stillup");
      await (await driver.open(settings)).close();
      expect(await driver.exists(settings)).toBe(true);
      await (await driver.openExisting(settings)).close();
    } finally {
      dropDatabase("driver_test");
    }
  });
});

test("behavior 12.4: backup, restore and check name the programs of PostgreSQL, without a connection", async () => {
  const settings = settingsOf("postgresql://h/d");
  await expect(driver.backUp(settings, "file", { now: Date.now() })).rejects.toThrow(
    new AppError("invalid", "backup is for the embedded database: for PostgreSQL, use pg_dump"),
  );
  await expect(driver.restore(settings, "file", { now: 0 })).rejects.toThrow(
    new AppError(
      "invalid",
      "restore is for the embedded database: for PostgreSQL, use pg_dump and pg_restore",
    ),
  );
  await expect(driver.check(settings)).rejects.toThrow("use pg_dump");
});
