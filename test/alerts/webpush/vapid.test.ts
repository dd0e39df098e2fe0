import { expect, test } from "bun:test";
import { createAuthorize, generatePushKeys } from "../../../src/alerts/webpush/vapid.ts";
import { subjectOf } from "../../../src/runner/deliveries/channel-test.ts";

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 21);

function claimsOf(header: string) {
  const [, , content = ""] = /^vapid t=([\w-]+)\.([\w-]+)\.[\w-]+, k=[\w-]{87}$/.exec(header) ?? [];
  return JSON.parse(Buffer.from(content, "base64url").toString());
}

test("behavior 21.53: a token is for one push service, and is kept until shortly before it ends", async () => {
  const authorize = await createAuthorize(await generatePushKeys(), "mailto:ops@example.com");
  const first = await authorize("https://push.example.com/a/1", NOW);
  expect(claimsOf(first)).toEqual({
    aud: "https://push.example.com",
    exp: (NOW + 12 * HOUR) / 1000,
    sub: "mailto:ops@example.com",
  });
  expect(await authorize("https://push.example.com/b/2", NOW + 11 * HOUR)).toBe(first);
  expect(await authorize("https://push.example.com/a/1", NOW + 12 * HOUR)).not.toBe(first);
  expect(claimsOf(await authorize("https://push.example.org/a/1", NOW)).aud).toBe("https://push.example.org");
});

test("behavior 21.53: after the clock was set back, no token is valid for more than 24 hours", async () => {
  const authorize = await createAuthorize(await generatePushKeys(), "mailto:ops@example.com");
  await authorize("https://push.example.com/", NOW);
  const later = NOW - 48 * HOUR;
  expect(claimsOf(await authorize("https://push.example.com/", later)).exp).toBe((later + 12 * HOUR) / 1000);
});

test("behavior 21.53: a token is signed by the key that it names", async () => {
  const keys = await generatePushKeys();
  const authorize = await createAuthorize(keys, "mailto:ops@example.com");
  const [, token = "", key = ""] = /t=(.*), k=(.*)/.exec(await authorize("https://a.example/", NOW)) ?? [];
  const [head, content, signature = ""] = token.split(".");
  expect(Buffer.from(key, "base64url")).toEqual(Buffer.from(keys.publicKey));
  const P256 = { name: "ECDSA", namedCurve: "P-256" };
  const imported = await crypto.subtle.importKey("raw", new Uint8Array(keys.publicKey), P256, false, [
    "verify",
  ]);
  const isSigned = await crypto.subtle.verify(
    { name: "ECDSA", hash: "SHA-256" },
    imported,
    Buffer.from(signature, "base64url"),
    Buffer.from(`${head}.${content}`),
  );
  expect(isSigned).toBe(true);
});

test.each([
  [{ mailFrom: "ops@example.com", publicUrl: "https://up.example.com" }, "mailto:ops@example.com"],
  [{ mailFrom: "ops@exämple.com", publicUrl: undefined }, "mailto:ops@ex%C3%A4mple.com"],
  [{ mailFrom: undefined, publicUrl: "https://up.example.com" }, "https://up.example.com"],
  [{ mailFrom: undefined, publicUrl: "http://10.0.0.1:3000" }, "mailto:stillup@example.com"],
  [{ mailFrom: undefined, publicUrl: undefined }, "mailto:stillup@example.com"],
])("behavior 21.53: the contact of %j is %s", (contact, subject) => {
  expect(subjectOf(contact)).toBe(subject);
});
