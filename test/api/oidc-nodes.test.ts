import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { createLogger } from "../../src/log.ts";
import { LyingProvider } from "../support/people/lying-provider.ts";
import { OidcBrowser } from "../support/people/oidc-browser.ts";
import { oidcSettings } from "../support/people/oidc-settings.ts";
import { outcomeOf, SIGNED_IN } from "../support/people/oidc-world.ts";
import { Client } from "../support/requests/client.ts";
import { sharedCluster } from "../support/store/postgres/cluster.ts";
import { createTestDatabase, dropDatabase } from "../support/store/postgres/databases.ts";
import { findPrograms } from "../support/store/postgres/programs.ts";
import { tempDir } from "../support/temp-dir.ts";

setDefaultTimeout(300_000);

describe.skipIf(findPrograms() === undefined)("two nodes with a provider", () => {
  const ends = new AsyncDisposableStack();
  let provider: LyingProvider;
  let first: Client;
  let second: Client;

  beforeAll(async () => {
    provider = ends.use(await LyingProvider.start());
    const database = await createTestDatabase();
    ends.defer(() => dropDatabase(database));
    const databaseUrl = (await sharedCluster()).url(database);
    first = await startNode(databaseUrl);
    second = (await startNode(databaseUrl)).as(first.key);
  });

  afterAll(() => ends[Symbol.asyncDispose]());

  async function startNode(databaseUrl: string): Promise<Client> {
    const dir = ends.use(tempDir());
    const flags = { port: "0", dataDir: dir.path, databaseUrl };
    const config = {
      ...readConfig(flags, { env: {}, isTerminal: false }),
      oidc: oidcSettings(provider.issuer),
    };
    const app = await createApp(config, createLogger({ level: "silent" }));
    const { url, initialKey } = await app.start();
    ends.defer(() => app.stop());
    return new Client(url, initialKey);
  }

  test("behavior 19.62: a sign-in that one node began ends on another, once, and counts on both", async () => {
    provider.claims = { sub: "ana", email: "ana@example.com", email_verified: true };
    await first.post("/api/v1/people", { email: "ana@example.com", role: "admin" });
    const browser = new OidcBrowser(first.url);
    const returned = new URL(await browser.returnUrl());
    const elsewhere = new OidcBrowser(second.url);
    for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
    const path = returned.pathname + returned.search;
    // The provider has returned the browser to the first node: a proxy sends it to the second one.
    const outcomes = [outcomeOf(await elsewhere.open(path)), outcomeOf(await browser.open(path))];
    expect(outcomes.filter(({ location }) => location === SIGNED_IN.location)).toHaveLength(1);
    browser.cookies.set("stillup_session", elsewhere.cookies.get("stillup_session") ?? "");
    for (const { email, role } of [await browser.me(), await elsewhere.me()])
      expect({ email, role }).toEqual({ email: "ana@example.com", role: "admin" });
    const { id } = await browser.me();
    await second.patch(`/api/v1/people/${id}`, { role: "viewer" });
    expect((await browser.me()).role).toBe("viewer");
    await second.patch(`/api/v1/people/${id}`, { state: "disabled" });
    expect(await browser.me()).toBeUndefined();
  });
});
