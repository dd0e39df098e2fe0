import { expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { TestServer } from "../support/product/server.ts";
import { createMonitor } from "../support/requests/monitors.ts";
import { answer } from "../support/servers/http-answers.ts";
import { issued, startGuardedServer, startTokenServer } from "../support/servers/token-server.ts";

test("behavior 26.52: the test of a config and the checks of a monitor share a token", async () => {
  using tokens = await startTokenServer(() => issued({ access_token: "shared", expires_in: 3600 }));
  using target = await startGuardedServer((token) => token === "shared");
  await using server = await TestServer.start();
  const { client } = server;
  const config = {
    url: `http://127.0.0.1:${target.port}/`,
    interval: 60,
    oauth2: { tokenUrl: tokens.url, clientId: "stillup", clientSecret: "s3cret" },
    expect: { status: [200] },
  };
  const tested = await client.post("/api/v1/probe", { type: "HTTP", config });
  expect(tested).toMatchObject({ status: 200, body: { data: { status: "up" } } });
  const { id } = await createMonitor(client, "HTTP", { config });
  await eventually(async () => (await client.get(`/api/v1/monitors/${id}`)).body.data.status === "up");
  expect(tokens.requests).toHaveLength(1);
  expect(target.tokens).toEqual(["shared", "shared"]);
});

test("behavior 26.54, 26.55: the test of a config says why it has no token", async () => {
  using tokens = await startTokenServer(() => answer("401 Unauthorized", [], '{"error":"invalid_client"}'));
  using target = await startGuardedServer(() => true);
  await using server = await TestServer.start();
  const oauth2 = { tokenUrl: tokens.url, clientId: "stillup", clientSecret: "s3cret" };
  const config = { url: `http://127.0.0.1:${target.port}/`, interval: 60, oauth2 };
  const { status, body } = await server.client.post("/api/v1/probe", { type: "HTTP", config });
  expect(status).toBe(409);
  const why = `no token from ${new URL(tokens.url).host}: it answered 401 Unauthorized (invalid_client)`;
  expect(body.error).toBe(`the check could not be made: ${why}`);
});
