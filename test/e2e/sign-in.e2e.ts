import { expect, test } from "bun:test";
import { unpackEvidence } from "../../src/store/recording/evidence-rows.ts";
import { eventually } from "../support/eventually.ts";
import { longTest } from "../support/long.ts";
import { Binary } from "../support/product/binary.ts";
import type { Client } from "../support/requests/client.ts";
import { createMonitor } from "../support/requests/monitors.ts";
import { startDigestServer } from "../support/servers/digest-server.ts";
import { answer } from "../support/servers/http-answers.ts";
import { issued, startGuardedServer, startTokenServer } from "../support/servers/token-server.ts";
import { dumpWithoutMonitors } from "../support/store/states.ts";

const CANARY = "canary.7d1f0c92ab";

/** A monitor whose token is requested for each check, as long as the endpoint issues any. */
async function startMonitor(
  client: Client,
  target: { port: number },
  tokens: { url: string },
): Promise<string> {
  const { id } = await createMonitor(client, "HTTP", {
    config: {
      url: `http://127.0.0.1:${target.port}/`,
      interval: 1,
      oauth2: { tokenUrl: tokens.url, clientId: "stillup", clientSecret: "s3cret" },
      expect: { status: [200] },
    },
  });
  return id;
}

const shortToken = (count: number) => issued({ access_token: `${CANARY}-${count}`, expires_in: 30 });

test("behavior 26.54: no token is no outage, even if the target would fail too, and checks go on when there is one again", async () => {
  await using binary = new Binary();
  let fails = false;
  using tokens = await startTokenServer((count) =>
    fails ? answer("500 Oops", [], CANARY) : shortToken(count),
  );
  using target = await startGuardedServer(() => !fails);
  const server = await binary.serve();
  const client = await server.client();
  const id = await startMonitor(client, target, tokens);
  const monitor = async () => (await client.get(`/api/v1/monitors/${id}`)).body.data;
  await eventually(async () => (await monitor()).status === "up");
  fails = true;
  const requested = tokens.requests.length;
  // A failure would be confirmed after three checks.
  await eventually(() => tokens.requests.length > requested + 4);
  const sent = target.tokens.length;
  expect((await monitor()).status).toBe("up");
  expect((await client.get("/api/v1/outages")).body.data).toEqual([]);
  fails = false;
  await eventually(() => target.tokens.length > sent + 1);
  expect((await monitor()).status).toBe("up");
  await server.end("SIGTERM");
  expect(await server.log).not.toContain(CANARY);
}, 120_000);

test("behavior 26.47, 26.59: neither a token nor a proof of Digest is in the database, in an answer of the API or in the log", async () => {
  await using binary = new Binary();
  using tokens = await startTokenServer((count) => issued({ access_token: `${CANARY}-${count}` }));
  const echo = (request: string) =>
    answer(
      "503 Sorry",
      [`Server: ${CANARY}-1`],
      `${request.replaceAll(/[\r\n]+/g, " ")} ${btoa(`${CANARY}-1`)} ${encodeURIComponent(request)}`,
    );
  using target = await startGuardedServer(() => true, echo);
  using digest = await startDigestServer({ password: CANARY, reply: (_, request) => echo(request) });
  const server = await binary.serve();
  const client = await server.client();
  await startMonitor(client, target, tokens);
  const digestAuth = { user: "ada", password: CANARY };
  const config = {
    url: `http://127.0.0.1:${digest.port}/`,
    interval: 1,
    digestAuth,
    expect: { status: [200] },
  };
  await createMonitor(client, "HTTP", { config });
  const outages = async () => (await client.get("/api/v1/outages")).body.data as { id: string }[];
  const evidence = await eventually(async () => {
    const all = await Promise.all(
      (await outages()).map(({ id }) => client.get(`/api/v1/outages/${id}/evidence`)),
    );
    return all.length === 2 && all.every(({ body }) => body.data.length > 0) && all.map(({ body }) => body);
  });
  expect(JSON.stringify(evidence)).toContain("Bearer •••");
  expect(JSON.stringify(evidence)).toContain('response=\\"•••\\"');
  const responses = digest.authorizations.flatMap((one) => /response="([^"]*)"/.exec(one ?? "")?.[1] ?? []);
  expect(responses.length).toBeGreaterThan(0);
  const withoutSecrets = (text: string) => {
    for (const secret of [CANARY, btoa(`${CANARY}-1`).replace(/=+$/, ""), ...responses])
      expect(text).not.toContain(secret);
  };
  {
    await using opened = await binary.attach();
    const rows = await opened.db.rows<{ data: Uint8Array }>(
      "SELECT data FROM evidence WHERE data IS NOT NULL",
    );
    expect(rows.length).toBeGreaterThanOrEqual(2);
    const kept = [
      await dumpWithoutMonitors(opened.db),
      ...rows.map(({ data }) => JSON.stringify(unpackEvidence(data))),
    ];
    for (const text of kept) withoutSecrets(text);
  }
  withoutSecrets(JSON.stringify(evidence));
  await server.end("SIGTERM");
  withoutSecrets(await server.log);
}, 120_000);

longTest(
  "behavior 1.58, 26.54: a monitor without a token turns blind, and resumes when there is one",
  async () => {
    await using binary = new Binary();
    let fails = false;
    using tokens = await startTokenServer((count) => (fails ? answer("500 Oops") : shortToken(count)));
    using target = await startGuardedServer(() => true);
    const server = await binary.serve();
    const client = await server.client();
    const id = await startMonitor(client, target, tokens);
    const monitor = async () => (await client.get(`/api/v1/monitors/${id}`)).body.data;
    await eventually(async () => (await monitor()).status === "up");
    fails = true;
    await eventually(async () => (await monitor()).blindSince !== null);
    expect((await monitor()).status).toBe("up");
    fails = false;
    await eventually(async () => (await monitor()).blindSince === null);
    expect((await client.get("/api/v1/outages")).body.data).toEqual([]);
  },
  300_000,
);
