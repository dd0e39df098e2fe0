import { afterEach, beforeEach, expect, test } from "bun:test";
import { createNetwork } from "../../../src/probes/connections/network.ts";
import type { PrivateTargets } from "../../../src/probes/probe-thread.ts";
import { askRegistry } from "../../../src/runner/registrations/look-ups.ts";
import { type Answer, Registry, rdap } from "../../support/servers/registry.ts";

const NOW = Date.UTC(2026, 10, 27);

let registry: Registry;

beforeEach(() => {
  registry = new Registry();
});

afterEach(() => registry[Symbol.dispose]());

function ask(answer: Answer, { timeout = 5000, privateTargets = "allow" as PrivateTargets } = {}) {
  registry.answers.set("example.com", answer);
  const { addressesOf: resolve } = createNetwork({ privateTargets });
  const { signal } = new AbortController();
  return askRegistry(registry.url, "example.com", { resolve, timeout, signal, now: () => NOW });
}

/** Redirects a number of times before it answers. */
function redirecting(times: number): Answer {
  return ({ url }) => {
    const done = Number(new URL(url).searchParams.get("hop") ?? 0);
    return done === times
      ? rdap("example.com")
      : Response.redirect(`${registry.url}domain/example.com?hop=${done + 1}`, 302);
  };
}

test("behavior 20.74: a request to a registry accepts JSON of RDAP, and nothing compressed", async () => {
  let seen = new Headers();
  const answer = await ask(({ headers }) => {
    seen = headers;
    return rdap("example.com");
  });
  expect(answer).toMatchObject({ outcome: "answered", facts: { registrar: "Example Registrar Inc." } });
  expect([seen.get("accept"), seen.get("accept-encoding"), seen.get("user-agent")]).toEqual([
    "application/rdap+json, application/json;q=0.9, */*;q=0.1",
    "identity",
    "stillup",
  ]);
});

test("behavior 20.74: five redirects are followed, and no more", async () => {
  expect(await ask(redirecting(5))).toMatchObject({ outcome: "answered" });
  expect(await ask(redirecting(6))).toEqual({
    outcome: "refused",
    message: "there are more than 5 redirects",
  });
  const loop = () => Response.redirect(`${registry.url}domain/example.com`, 301);
  expect((await ask(loop)).outcome).toBe("refused");
});

test.each(["http://rdap.example/", "ftp://127.0.0.1/", "//["])(
  "behavior 20.74: a redirect to %s is not followed",
  async (location) => {
    const answer = await ask(() => new Response(null, { status: 302, headers: { location } }));
    expect(answer).toEqual({ outcome: "refused", message: "a redirect leads to no URL that is allowed" });
  },
);

test("behavior 20.74: with --private-targets deny, no private address is asked", async () => {
  const answer = await ask(() => rdap("example.com"), { privateTargets: "deny" });
  expect(answer).toMatchObject({
    outcome: "unanswered",
    message: expect.stringContaining("private address"),
  });
  expect(registry.asked).toEqual([]);
});

test("behavior 20.74: of an answer, at most a megabyte is read", async () => {
  const answer = await ask(() => new Response(`{"ldhName": "${"x".repeat(2 ** 21)}"}`));
  expect(answer).toEqual({ outcome: "refused", message: "the answer is longer than 1048576 bytes" });
});

test.each<[string, Answer]>([
  ["answers nothing", () => new Promise(() => {})],
  [
    "does not end its answer",
    () => new Response(new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode("{")) })),
  ],
])("behavior 20.74: a registry that %s is given up", async (_, answer) => {
  expect(await ask(answer, { timeout: 200 })).toMatchObject({ outcome: "unanswered" });
});

test("behavior 20.73: a refusal may say how long to wait", async () => {
  const refusal = (retryAfter: string) => () =>
    new Response("slow down", { status: 429, headers: { "retry-after": retryAfter } });
  expect(await ask(refusal("120"))).toEqual({
    outcome: "refused",
    message: "it answered 429",
    retryAfter: 120_000,
  });
  const date = new Date(NOW + 60_000).toUTCString();
  expect(await ask(refusal(date))).toMatchObject({ retryAfter: 60_000 });
  expect(await ask(() => new Response("no", { status: 503 }))).toEqual({
    outcome: "refused",
    message: "it answered 503",
  });
});

test("behavior 20.79: only a 404 means that there is no such domain", async () => {
  expect(await ask(() => new Response("{}", { status: 404 }))).toEqual({ outcome: "not_found" });
  expect((await ask(() => new Response("{}", { status: 410 }))).outcome).toBe("refused");
  expect((await ask(() => rdap("example.org"))).outcome).toBe("refused");
});

test("behavior 20.78: a port on which nothing listens is no answer", async () => {
  const { url } = registry;
  registry[Symbol.dispose]();
  const { addressesOf: resolve } = createNetwork({ privateTargets: "allow" });
  const { signal } = new AbortController();
  const answer = await askRegistry(url, "example.com", { resolve, timeout: 5000, signal, now: () => NOW });
  expect(answer.outcome).toBe("unanswered");
});
