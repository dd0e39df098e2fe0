import { expect, test } from "bun:test";
import { createNetwork } from "../../../src/probes/connections/network.ts";
import { TokenCache } from "../../../src/probes/sign-in/token-cache.ts";
import type { OAuthConfig } from "../../../src/probes/sign-in/token-request.ts";

const network = createNetwork({ privateTargets: "allow" });

function createCache(seconds: number | undefined, length = 0) {
  const time = { now: 1_000_000 };
  let requests = 0;
  const cache = new TokenCache({
    now: () => time.now,
    request: async () => ({ token: `token-${++requests}`.padEnd(length, "x"), seconds }),
  });
  const config = (clientId: string, more: Partial<OAuthConfig> = {}): OAuthConfig => ({
    url: "http://target.test/",
    interval: 60,
    oauth2: { tokenUrl: "http://id.test/token", clientId, clientSecret: "s3cret" },
    ...more,
  });
  return {
    time,
    config,
    requests: () => requests,
    token: async (one: OAuthConfig) => cache.token(one, network),
  };
}

test.each([
  [3600, 3540],
  [61, 1],
  [undefined, 300],
])("behavior 26.51: a token that is valid for %p s is kept for %p s", async (seconds, kept) => {
  const { time, config, token } = createCache(seconds);
  expect(await token(config("a"))).toBe("token-1");
  time.now += kept * 1000 - 1;
  expect(await token(config("a"))).toBe("token-1");
  time.now += 1;
  expect(await token(config("a"))).toBe("token-2");
});

test.each([60, 0, -5])("behavior 26.51: a token that is valid for %p s is not kept", async (seconds) => {
  const { config, token } = createCache(seconds);
  expect([await token(config("a")), await token(config("a"))]).toEqual(["token-1", "token-2"]);
});

test("behavior 26.52: what changes the request has a token of its own, and what does not shares one", async () => {
  const { config, token, requests } = createCache(3600);
  const own = [
    {},
    { verifyTls: false },
    { ipFamily: 4 },
    { proxy: { url: "http://proxy.test:3128" } },
  ] as const;
  for (const more of own) await token(config("a", more));
  expect(requests()).toBe(own.length);
  await token(config("a", { verifyTls: true, url: "http://other.test/", timeout: 5 }));
  expect(requests()).toBe(own.length);
});

test("behavior 26.51: the tokens that were used last are kept, up to 16 MiB", async () => {
  const { config, token, requests } = createCache(3600, 16_384);
  const many = 1200;
  for (let at = 0; at < many; at++) {
    await token(config(`client-${at}`));
    await token(config("client-0"));
  }
  expect(requests()).toBe(many);
  await token(config("client-1"));
  expect(requests()).toBe(many + 1);
  await token(config(`client-${many - 1}`));
  expect(requests()).toBe(many + 1);
});
