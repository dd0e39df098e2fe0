import { expect, test } from "bun:test";
import { withoutSecrets } from "../../../src/domain/evidence/secrets.ts";
import type { MonitorConfig } from "../../../src/domain/monitors/monitor.ts";

const URL_OF_TARGET = "https://shop.example.com/";

const http = (config: Partial<MonitorConfig<"HTTP">>): MonitorConfig =>
  ({ url: URL_OF_TARGET, interval: 60, ...config }) as MonitorConfig;

const base64 = (text: string) => Buffer.from(text).toString("base64");

test.each<[string, Partial<MonitorConfig<"HTTP">>, string, string]>([
  ["a header", { headers: { "X-Key": "canary-1" } }, "key canary-1.", "key •••."],
  ["a part of a header", { headers: { "X-Key": "Bearer canary-1" } }, "got canary-1", "got •••"],
  ["a value of a cookie", { headers: { Cookie: "a=b; sid=canary-1; c=d" } }, "sid: canary-1", "sid: •••"],
  [
    "a sign-in in Base64",
    { basicAuth: { user: "me", password: "canary-1" } },
    `Basic ${base64("me:canary-1")}`,
    "Basic •••",
  ],
  [
    "a password",
    { basicAuth: { user: "me", password: "canary-1" } },
    "no user me, canary-1",
    "no user me, •••",
  ],
  ["a body", { body: "canary-1 of all" }, "<canary-1 of all>", "<•••>"],
  ["a value of JSON", { body: '{ "a": { "b": ["canary-1"] } }' }, '{"b":"canary-1"}', '{"b":"•••"}'],
  ["a value of a form", { body: "user=me&token=canary%2F1" }, "token is canary/1", "token is •••"],
  ["a text in JSON", { headers: { "X-Key": 'can"ary\t1' } }, JSON.stringify('can"ary\t1'), '"•••"'],
  ["a text in ASCII", { headers: { "X-Key": "canäry-1" } }, "can\\u00e4ry-1", "•••"],
  ["a text in HTML", { headers: { "X-Key": "can<ary>&'1" } }, "can&lt;ary&gt;&amp;&#39;1", "•••"],
  ["a text in a URL", { headers: { "X-Key": "canary/1?" } }, "?key=canary%2F1%3F", "?key=•••"],
  ["a text in Base64 for URLs", { headers: { "X-Key": "~~canary?>" } }, "fn5jYW5hcnk_Pg", "•••"],
])("behavior 22.15: of a config, %s is hidden", (_, config, text, shown) => {
  expect(withoutSecrets(text, http(config))).toBe(shown);
});

test.each<[string, string, string]>([
  ["the beginning of a secret", "so it is canary-with-a-lo", "so it is •••"],
  ["a letter of it", "so it is can", "so it is can"],
  ["a text that only begins like it", "canary bird", "canary bird"],
  ["the whole", "canary-with-a-long-end", "•••"],
])("behavior 22.15: at the end of a text that was cut, %s", (_, text, shown) => {
  const config = http({ headers: { "X-Key": "canary-with-a-long-end" } });
  expect(withoutSecrets(text, config, { isCut: true })).toBe(shown);
});

test("behavior 22.15: well-known values and short ones are no secrets, and other kinds of monitors have none", () => {
  const config = http({
    headers: { Accept: "text/plain", "X-On": "1" },
    basicAuth: { user: "me", password: "x" },
  });
  const text = "text/plain 1 x me";
  expect(withoutSecrets(text, config)).toBe(text);
  expect(withoutSecrets(text, { host: "text", port: 1, interval: 60 })).toBe(text);
});

test("behavior 22.15: a secret of half a character hides nothing else", () => {
  expect(withoutSecrets("plain", http({ body: "\ud800abc" }))).toBe("plain");
});
