import { expect, test } from "bun:test";
import { withoutSecrets } from "../../../src/domain/evidence/secrets.ts";
import { type MonitorConfig, parseConfig } from "../../../src/domain/monitors/monitor.ts";
import { readPage } from "../../support/documentation/page.ts";

const url = "https://api.example.com/";
const parsed = (fields: object) => parseConfig("HTTP", { url, interval: 60, ...fields }, "enterprise");
const oauth2 = { tokenUrl: "https://login.example.com/token", clientId: "us: 1", clientSecret: "a+b c~d" };

test("behavior 26.40, 26.50: the configs of the documentation are accepted", async () => {
  const { blocks } = await readPage("docs/monitors.md");
  const examples = blocks.map(({ text }) => text).filter((text) => /"(digestAuth|oauth2)": \{/.test(text));
  expect(examples).toHaveLength(2);
  for (const example of examples) expect(() => parsed(JSON.parse(example))).not.toThrow();
});

test.each(["a:b", "a\r\nX-Evil: 1", "a\u0000", "a\u0085b"])(
  "behavior 26.46: a user of Digest has no colon and no control characters: %j",
  (user) => {
    expect(() => parsed({ digestAuth: { user, password: "x" } })).toThrow(
      "config.digestAuth.user must be a user name without a colon and control characters",
    );
  },
);

test.each([
  [
    { oauth2: { ...oauth2, tokenUrl: "https://login.example.com:0/" } },
    "config.oauth2.tokenUrl must have a port from 1 to 65535, got 0",
  ],
  [
    { oauth2: { ...oauth2, tokenUrl: "https://[::1]/" }, ipFamily: 4 },
    "config.ipFamily must fit the IP address in config.oauth2.tokenUrl",
  ],
  [
    { oauth2: { ...oauth2, tokenUrl: "https://me:hush@login.example.com/" } },
    "config.oauth2.tokenUrl must be",
  ],
  [{ oauth2: { ...oauth2, tokenUrl: "ftp://login.example.com/" } }, "config.oauth2.tokenUrl must be"],
])("behavior 26.50: the URL of tokens is refused: %j", (fields, message) => {
  expect(() => parsed(fields)).toThrow(message);
});

test("behavior 26.50: the URL of tokens may be http with an expiryWarning for the target", () => {
  const fields = { oauth2: { ...oauth2, tokenUrl: "http://login.example.com/" }, expiryWarning: 14 };
  expect(() => parsed(fields)).not.toThrow();
});

test("behavior 26.47, 26.59: texts have neither a secret nor the credentials as they are sent", () => {
  const config = { url, interval: 60, oauth2 } as MonitorConfig<"HTTP">;
  const sent = btoa("us%3A+1:a%2Bb+c%7Ed");
  expect(withoutSecrets(`Basic ${sent} a+b c~d`, config)).toBe("Basic ••• •••");
});
