import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { createLogger } from "../../src/log.ts";
import { joinedPerson, PASSWORD, type SignedInPerson } from "../support/people/person.ts";
import { SoftwareAuthenticator } from "../support/people/software-authenticator.ts";
import { stillup } from "../support/product/command.ts";
import { LITTLE } from "../support/product/server.ts";
import { Client } from "../support/requests/client.ts";
import { enginesByName } from "../support/store/engines.ts";
import { sharedCluster } from "../support/store/postgres/cluster.ts";
import { createTestDatabase, dropDatabase } from "../support/store/postgres/databases.ts";
import { findPrograms } from "../support/store/postgres/programs.ts";
import { tempDir } from "../support/temp-dir.ts";

const ORIGIN = "https://up.example.com";
const OWN_PAGE = { "sec-fetch-site": "same-origin" };
const EMAIL = "ana@example.com";

describe("behavior 19.43: people with their ways to sign in", () => {
  const ends = new AsyncDisposableStack();
  const dir = ends.use(tempDir());
  let key: string | undefined;
  let ana: SignedInPerson;
  let own: SoftwareAuthenticator;
  let secrets: string[];

  /** A database with somebody who has a password, a passkey, an identity and a session. */
  beforeAll(async () => {
    await enginesByName.sqlite.createFor(dir.path);
    await serve({ dataDir: path("data") }, async (client) => {
      key = client.key;
      ana = await joinedPerson(client, { email: EMAIL, role: "admin" });
      own = await SoftwareAuthenticator.create(ORIGIN);
      const options = (await ana.send("POST", "/api/v1/me/passkeys/options")).body.data;
      const credential = await own.register(options);
      expect((await ana.send("POST", "/api/v1/me/passkeys", { credential })).status).toBe(201);
    });
    const data = await (await enginesByName.sqlite.createFor(dir.path)).open();
    const { people, personSessions, identities } = data.store;
    const [session] = await personSessions.list(ana.id, 0);
    const identity = { issuer: "https://idp.example.com", subject: "subject of Ana", address: "" };
    await identities.link({ ...identity, sessionId: session?.id ?? "" }, 0);
    const { passwordHash } = await people.findProfile(ana.id);
    secrets = [passwordHash ?? "", own.id, identity.subject, PASSWORD];
    await data.store.close();
  });

  afterAll(() => ends[Symbol.asyncDispose]());

  const path = (name: string) => join(dir.path, name);

  async function run(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await stillup(args);
    const output = stdout + stderr;
    expect({ code, output }).toEqual({ code: 0, output: expect.any(String) });
    for (const secret of secrets) expect(output).not.toContain(secret);
    return output;
  }

  /** Runs a server while `work` lasts. */
  async function serve(flags: Record<string, string>, work: (client: Client) => Promise<void>) {
    const settings = { port: "0", baseUrl: ORIGIN, dataDir: path("unused"), ...flags };
    const config = readConfig(settings, { env: {}, isTerminal: false });
    const app = await createApp(config, createLogger({ level: "silent" }), LITTLE);
    const { url, initialKey } = await app.start();
    try {
      await work(new Client(url, initialKey ?? key));
    } finally {
      await app.stop();
    }
  }

  /** Whether everything by which Ana signs in works on a copy. */
  async function expectComplete(client: Client): Promise<void> {
    const { body } = await ana.at(client).send("GET", "/api/v1/me");
    expect(body.data).toMatchObject({ id: ana.id, methods: ["password", "passkey", "oidc"] });
    const anonymous = client.as(undefined);
    const signIn = async (given: object) =>
      (await anonymous.send("POST", "/api/v1/session", given, OWN_PAGE)).status;
    expect(await signIn({ email: EMAIL, password: PASSWORD })).toBe(200);
    const options = await anonymous.send("POST", "/api/v1/session/passkey-options", undefined, OWN_PAGE);
    expect(await signIn({ passkey: await own.use(options.body.data) })).toBe(200);
    const answers = await Promise.all(
      ["people", "audit", "export", "api-keys"].map((name) => client.get(`/api/v1/${name}`)),
    );
    for (const secret of secrets) expect(JSON.stringify(answers)).not.toContain(secret);
  }

  test("are in a backup, and in what is restored from it", async () => {
    await run("backup", path("copy.db"), "--data-dir", path("data"));
    await run("restore", path("copy.db"), "--data-dir", path("restored"));
    await serve({ dataDir: path("restored") }, expectComplete);
  });

  test.skipIf(findPrograms() === undefined)(
    "are in a copy in PostgreSQL, and in a copy of that",
    async () => {
      const database = await createTestDatabase();
      const databaseUrl = (await sharedCluster()).url(database);
      try {
        await run("copy", "--from", path("data"), "--to", databaseUrl);
        await serve({ databaseUrl }, expectComplete);
        await run("copy", "--from", databaseUrl, "--to", path("back"));
        await serve({ dataDir: path("back") }, expectComplete);
      } finally {
        dropDatabase(database);
      }
    },
  );

  test("are printed by no command", async () => {
    const listed = await run("people", "list", "--data-dir", path("data"));
    expect(JSON.parse(listed)).toMatchObject([{ email: EMAIL, methods: ["password", "passkey", "oidc"] }]);
    expect(await run("export", "--data-dir", path("data"))).not.toContain("ana");
  });

  test("are in no export, and a configuration file can't have any", async () => {
    await serve({ dataDir: path("data") }, async (client) => {
      const { data } = (await client.get("/api/v1/export")).body;
      expect(JSON.stringify(data)).not.toMatch(/ana|person|people/i);
      const document = { people: { ana: { email: "eve@example.com", role: "owner" } } };
      const { status, body } = await client.post("/api/v1/apply", document);
      expect([status, body.error]).toEqual([422, expect.stringContaining("people")]);
      expect((await client.get("/api/v1/people")).body.data).toHaveLength(1);
    });
    const file = path("stillup.yaml");
    writeFileSync(file, "people:\n  eve: { email: eve@example.com, role: owner }\n");
    const { code, stderr } = await stillup(["apply", file, "--data-dir", path("data")]);
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining("people")]);
  });
});
