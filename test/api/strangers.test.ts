import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import pg from "pg";
import { createApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { createLogger } from "../../src/log.ts";
import { eventually } from "../support/eventually.ts";
import { LyingProvider } from "../support/people/lying-provider.ts";
import { OidcBrowser } from "../support/people/oidc-browser.ts";
import { oidcSettings } from "../support/people/oidc-settings.ts";
import { FAILED, outcomeOf, SIGNED_IN } from "../support/people/oidc-world.ts";
import { Client } from "../support/requests/client.ts";
import { createPage } from "../support/requests/pages.ts";
import { MailServer } from "../support/servers/mail-server.ts";
import { sharedCluster } from "../support/store/postgres/cluster.ts";
import { createTestDatabase, dropDatabase } from "../support/store/postgres/databases.ts";
import { findPrograms } from "../support/store/postgres/programs.ts";
import { tempDir } from "../support/temp-dir.ts";

setDefaultTimeout(300_000);

const OWN_PAGE = { "sec-fetch-site": "same-origin", "content-type": "application/json" };
const ANA = "ana@example.com";

describe.skipIf(findPrograms() === undefined)("behavior 19.78: while an edit of a user lasts", () => {
  const ends = new AsyncDisposableStack();
  let provider: LyingProvider;
  let mails: MailServer;
  let client: Client;
  /** Another node, in an edit. */
  let editor: pg.Client;

  beforeAll(async () => {
    provider = ends.use(await LyingProvider.start());
    mails = ends.use(await MailServer.start({ startTls: false }));
    const database = await createTestDatabase();
    ends.defer(() => dropDatabase(database));
    const cluster = await sharedCluster();
    const flags = { port: "0", dataDir: ends.use(tempDir()).path, databaseUrl: cluster.url(database) };
    const { smtp } = mails.settings({ host: "localhost" });
    const config = {
      ...readConfig(flags, { env: {}, isTerminal: false }),
      ...{ oidc: oidcSettings(provider.issuer), baseUrl: "https://up.example.com" },
      ...(smtp && { smtp }),
    };
    const app = await createApp(config, createLogger({ level: "silent" }));
    const { url, initialKey } = await app.start();
    ends.defer(() => app.stop());
    client = new Client(url, initialKey);
    editor = new pg.Client(cluster.config(database));
    await editor.connect();
    ends.defer(() => editor.end());
  });

  afterAll(() => ends[Symbol.asyncDispose]());

  const send = (path: string, body?: object) => client.as(undefined).send("POST", path, body, OWN_PAGE);

  async function joined(): Promise<void> {
    const { body } = await client.post("/api/v1/people", { email: ANA, role: "viewer" });
    const token = body.data.inviteUrl.split("/").at(-1);
    const accepted = await send(`/api/v1/invites/${token}`, {
      name: "Ana",
      password: "correct horse battery",
    });
    expect(accepted.status).toBe(200);
  }

  test("strangers begin all that they may begin, and nothing of it is stored until they return", async () => {
    await joined();
    const { slug } = await createPage(client, { visibility: "public" });
    await editor.query("BEGIN; LOCK TABLE schema_versions IN SHARE ROW EXCLUSIVE MODE");
    let isEdited = false;
    const edited = client.patch("/api/v1/organization", { name: "New" });
    void edited.then(() => (isEdited = true));

    const browser = new OidcBrowser(client.url);
    const begun = await browser.open("/sign-in/oidc");
    expect(begun.status).toBe(303);
    expect((await send("/api/v1/session/passkey-options")).status).toBe(200);
    expect((await editor.query("SELECT hash FROM used_beginnings")).rows).toEqual([]);

    const state = new URL(begun.headers.get("location") ?? "").searchParams.get("state");
    const query = new URLSearchParams({ state: state ?? "", code: "made up", iss: provider.issuer });
    expect(outcomeOf(await browser.open(`/sign-in/oidc/callback?${query}`))).toEqual(FAILED);
    expect((await editor.query("SELECT hash FROM used_beginnings")).rows).toHaveLength(1);

    expect((await send(`/status/${slug}/subscriptions`, { email: "reader@example.com" })).status).toBe(202);
    expect((await send("/api/v1/session/link", { email: ANA })).status).toBe(200);
    const isSent = (address: string, text: string) =>
      mails.received.some(({ to, source }) => to.includes(address) && source.includes(text));
    await eventually(() => isSent(ANA, "Subject: A new password") && isSent("reader@example.com", "Subject"));

    expect(isEdited).toBe(false);
    await editor.query("COMMIT");
    expect((await edited).status).toBe(200);
  });

  /** Goes to the provider as somebody, and comes back. */
  async function returned(claims: Record<string, unknown>) {
    provider.claims = claims;
    const browser = new OidcBrowser(client.url);
    const { pathname, search } = new URL(await browser.returnUrl());
    return outcomeOf(await browser.open(`${pathname}${search}`));
  }

  test("behavior 19.66: somebody whom only the provider knows is refused at once, and so is who may not enter", async () => {
    const verified = { email_verified: true };
    const bo = { sub: "bo", email: "bo@example.com", ...verified };
    const invited = await client.post("/api/v1/people", { email: bo.email, role: "viewer" });
    expect(await returned(bo)).toEqual(SIGNED_IN);
    const disabled = await client.patch(`/api/v1/people/${invited.body.data.id}`, { state: "disabled" });
    expect(disabled.status).toBe(200);
    await client.post("/api/v1/people", { email: "unverified@example.com", role: "viewer" });

    await editor.query("BEGIN; LOCK TABLE schema_versions IN SHARE ROW EXCLUSIVE MODE");
    const unknown = { sub: "eve", email: "eve@example.com", ...verified };
    for (const claims of [unknown, { ...unknown, email: undefined }, bo, { ...bo, sub: "another" }])
      expect(await returned(claims)).toEqual(FAILED);
    expect(await returned({ sub: "eve", email: "unverified@example.com" })).toEqual(FAILED);
    await editor.query("COMMIT");
  });
});
