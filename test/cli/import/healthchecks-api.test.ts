import { expect, test } from "bun:test";
import { fetchHealthchecks } from "../../../src/cli/import/healthchecks.ts";
import { exampleCheck, startHealthchecks } from "../../support/servers/healthchecks.ts";

const CHANNELS = [{ id: "4ec5a071-2d08-4baa-898a-eb4eb3cd6941", name: "My Work Email", kind: "email" }];

test("behavior 16.118: the checks and integrations of a project are those of the API", async () => {
  await using server = startHealthchecks({ checks: [exampleCheck()], channels: CHANNELS });
  const wanted = { checks: [exampleCheck()], channels: CHANNELS };
  expect(await fetchHealthchecks(server.url, server.key)).toEqual(wanted);
  expect(server.paths).toEqual(["/api/v3/checks/", "/api/v3/channels/"]);
});

test.each(["/", "/api/v3/", "/api/v3/checks/", "/api/v3/checks?tag=a"])(
  "behavior 16.118: the address may end with %p",
  async (end) => {
    await using server = startHealthchecks({ checks: [] });
    expect(await fetchHealthchecks(server.url + end, server.key)).toEqual({ checks: [], channels: [] });
  },
);

test("behavior 16.120: a read-only key gets the checks without their integrations", async () => {
  await using server = startHealthchecks({ checks: [exampleCheck()], channels: CHANNELS });
  const { checks, channels } = await fetchHealthchecks(server.url, server.readOnlyKey);
  expect(checks).toMatchObject([{ name: "Filesystem Backup", unique_key: expect.any(String) }]);
  expect(channels).toBeUndefined();
});

test.each<[string, () => Response]>([
  ["refuses the API key", () => Response.json({ error: "wrong api key" }, { status: 401 })],
  ["does not exist", () => new Response("<h1>Not Found</h1>", { status: 404 })],
  ["is asked too often", () => new Response("", { status: 429 })],
  ["is a redirect", () => Response.redirect("http://127.0.0.1:1/", 302)],
  ["answers with the status 500", () => new Response("Server Error (500)", { status: 500 })],
  ["does not answer as Healthchecks does", () => new Response("<html></html>")],
  ["does not answer as Healthchecks does", () => Response.json({ checks: "none" })],
])("behavior 16.118: the error names the address and not the key: it %s", async (why, fails) => {
  await using server = startHealthchecks({ checks: [] });
  server.fails = fails;
  const error = await fetchHealthchecks(server.url, server.key).catch((reason: Error) => reason);
  expect((error as Error).message).toStartWith(`${server.url}/api/v3/checks/ ${why}`);
  expect((error as Error).message).not.toContain(server.key);
});

test("behavior 16.118: a server that does not listen is an error that names it", async () => {
  const server = startHealthchecks({ checks: [] });
  await server[Symbol.asyncDispose]();
  await expect(fetchHealthchecks(server.url, server.key)).rejects.toThrow(
    `${server.url}/api/v3/checks/ does not answer`,
  );
});
