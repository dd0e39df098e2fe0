import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { LyingProvider } from "../support/people/lying-provider.ts";
import { OidcBrowser } from "../support/people/oidc-browser.ts";
import { outcomeOf, SIGNED_IN } from "../support/people/oidc-world.ts";
import { Binary } from "../support/product/binary.ts";

test("behavior 19.61: the compiled binary signs people in by a provider", async () => {
  await using binary = new Binary();
  await using provider = await LyingProvider.start();
  const secret = join(binary.folder, "secret");
  writeFileSync(secret, "s3cret\n");
  const server = await binary.serve([
    ...["--oidc-issuer", provider.issuer, "--oidc-client-id", "stillup", "--oidc-only"],
    ...["--oidc-client-secret-file", secret, "--oidc-role-claim", "groups", "--oidc-roles", "ops=admin"],
  ]);
  const { url } = await server.client();
  provider.claims = { sub: "ana", email: "ana@example.com", groups: ["ops"] };
  const browser = new OidcBrowser(url);
  expect(outcomeOf(await browser.signIn())).toEqual(SIGNED_IN);
  expect(await browser.me()).toMatchObject({ email: "ana@example.com", role: "admin" });
  const password = { email: "ana@example.com", password: "correct horse battery" };
  expect((await (await server.client()).as(undefined).post("/api/v1/session", password)).status).toBe(403);
});

test.each([
  [["--oidc-only"], "--oidc-issuer is missing"],
  [["--oidc-issuer", "http://idp.example.com"], "--oidc-issuer must be"],
  [["--oidc-issuer", "https://idp.example.com"], "--oidc-client-id is missing"],
  [
    ["--oidc-issuer", "https://127.0.0.1:1", "--oidc-client-id", "a", "--oidc-org", "none"],
    "--oidc-org is wrong",
  ],
])("behavior 19.60: a start with %j alone ends with code 2 and one line", async (flags, message) => {
  await using binary = new Binary();
  const { code, stderr } = await binary.run(["serve", "--port", "0", "--log-level", "error", ...flags]);
  const lines = stderr.trim().split("\n");
  expect({ code, lines }).toEqual({ code: 2, lines: [expect.stringContaining(message)] });
});
