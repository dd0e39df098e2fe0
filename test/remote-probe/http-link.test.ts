import { expect, test } from "bun:test";
import { PROTOCOL } from "../../src/domain/locations/protocol.ts";
import { createHttpLink, LinkError } from "../../src/remote-probe/http-link.ts";
import { LocationServer, refused } from "../support/servers/location-server.ts";

const counts = { waiting: 0, dropped: 0, ping: "open", can: "reach" } as const;
const never = new AbortController().signal;

/** The errors of a request for work, and of one with results, if the server answers so. */
async function failures(answer: () => Response) {
  await using server = new LocationServer();
  server.fail(answer);
  const link = createHttpLink({ server: server.url, key: server.key, version: "1.2.3" });
  const observation = { sequence: 1, monitorId: "a", revision: 1, at: 1, startAt: 1, evidence: {} };
  const batch = { stream: "s".repeat(22), observations: [observation] };
  const caught = (error: unknown) => error as LinkError;
  return [await link.poll(counts, never).catch(caught), await link.send(batch).catch(caught)];
}

test.each([
  ["a server that is overloaded", () => refused(503), "away"],
  ["a proxy without a server", () => new Response("<h1>Bad gateway</h1>", { status: 502 }), "away"],
  ["too many requests", () => refused(429), "away"],
  ["a key that belongs to no location", () => refused(401), "key_refused"],
  ["a batch that is not valid", () => refused(422), "batch_refused"],
  ["a batch that is too large", () => refused(413), "batch_refused"],
  ["a server without locations", () => new Response("{}", { status: 404 }), "incompatible"],
  ["another program", () => new Response("hello"), "incompatible"],
  ["a server whose answers have another form", () => Response.json({ now: "soon" }), "incompatible"],
  ["a redirect", () => Response.redirect("http://127.0.0.1:1/", 307), "away"],
  [
    "an answer without an end",
    () => new Response("x".repeat(17 * 1024 * 1024), { headers: { "stillup-protocol": "1" } }),
    "incompatible",
  ],
] as const)("%s is recognized", async (_, answer, problem) => {
  for (const failure of await failures(answer)) {
    expect(failure).toBeInstanceOf(LinkError);
    expect(failure).toMatchObject({ problem });
  }
});

test("behavior 13.40: the message says which side to update", async () => {
  const messageFor = async (protocol: number) => {
    const [failure] = await failures(() => refused(422, { protocol }));
    return failure instanceof LinkError && failure.message;
  };
  expect(await messageFor(PROTOCOL - 1)).toContain("update the server");
  expect(await messageFor(PROTOCOL + 2)).toContain("update this probe");
});

test("a server that does not listen is away", async () => {
  const server = new LocationServer();
  await server.close();
  const link = createHttpLink({ server: server.url, key: server.key, version: "1" });
  expect(link.poll(counts, never)).rejects.toMatchObject({ problem: "away" });
});

test("behavior 13.45: the time of Retry-After is known, up to five minutes", async () => {
  const after = async (seconds: string) => {
    const [failure] = await failures(() => refused(429, { headers: { "retry-after": seconds } }));
    return failure instanceof LinkError && failure.retryAfter;
  };
  expect(await after("7")).toBe(7000);
  expect(await after("99999")).toBe(300_000);
  expect(await after("Wed, 21 Oct 2027 07:28:00 GMT")).toBe(0);
});
