import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { parseAddressRanges } from "../../src/domain/network/client-address.ts";
import { createLogger } from "../../src/log.ts";
import { eventually } from "../support/eventually.ts";
import { oidcSettings } from "../support/people/oidc-settings.ts";
import { joinedPerson, PASSWORD } from "../support/people/person.ts";
import { TestServer } from "../support/product/server.ts";
import type { Client } from "../support/requests/client.ts";
import { MailServer } from "../support/servers/mail-server.ts";

const BASE_URL = "https://up.example.com";
const OWN_PAGE = { "sec-fetch-site": "same-origin" };
const NEW_PASSWORD = "the password after that";
const REQUESTED = { status: 200, body: { data: { requested: true } } };
const NOT_FOUND = { status: 404, body: { error: "Not found" } };

let mails: MailServer;
let server: TestServer;
let owner: Client;
let anyone: Client;
const logged: string[] = [];
let people = 0;

beforeAll(async () => {
  mails = await MailServer.start({ startTls: false });
  const { smtp } = mails.settings({ host: "localhost" });
  if (!smtp) throw new Error("the mail server has no settings");
  const log = createLogger({ level: "info" }, (line: string) => logged.push(line));
  const trustedProxies = parseAddressRanges("127.0.0.1") ?? [];
  server = await TestServer.start({ baseUrl: BASE_URL, smtp, trustedProxies }, log);
  owner = server.client;
  anyone = owner.as(undefined);
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await mails[Symbol.asyncDispose]();
});

const newEmail = () => `forgetful${++people}@example.com`;

/** Each from another address, unless one is given. */
const forget = (email: string, headers: Record<string, string> = {}) =>
  anyone.send(
    "POST",
    "/api/v1/session/link",
    { email },
    {
      ...OWN_PAGE,
      "x-forwarded-for": `2001:db8:${(++people).toString(16)}::1`,
      ...headers,
    },
  );

/** The text of each mail about a password to an address. */
const textsTo = (email: string) =>
  mails.received
    .filter(({ to, source }) => to.includes(email) && source.includes("Subject: A new password"))
    .map(({ source }) => source.replaceAll("=\r\n", ""));

const tokenIn = (text: string | undefined) => /\/invite\/(person_\w{43})/.exec(text ?? "")?.[1] ?? "";
const redeem = (token: string, password = NEW_PASSWORD) =>
  anyone.send("POST", `/api/v1/invites/${token}`, { password }, OWN_PAGE);
const signIn = (email: string, password: string) =>
  anyone.send("POST", "/api/v1/session", { email, password }, OWN_PAGE);

async function member() {
  const email = newEmail();
  const person = await joinedPerson(owner, { email, role: "viewer" });
  return { email, person, id: person.id };
}

async function mailedLink(email: string): Promise<string> {
  const before = textsTo(email).length;
  expect(await forget(email)).toMatchObject(REQUESTED);
  await eventually(() => textsTo(email).length > before);
  return textsTo(email).at(-1) ?? "";
}

describe("behavior 19.17: somebody who forgot the password", () => {
  test("gets a link by e-mail, which sets a new one; until then everything stays", async () => {
    const { email, person, id } = await member();
    const text = await mailedLink(email);
    expect((await person.send("GET", "/api/v1/me")).status).toBe(200);
    expect((await signIn(email, PASSWORD)).status).toBe(200);
    expect(await redeem(tokenIn(text))).toMatchObject({ status: 200, body: { data: { personId: id } } });
    expect((await person.send("GET", "/api/v1/me")).status).toBe(401);
    expect((await signIn(email, PASSWORD)).status).toBe(401);
    expect((await signIn(email, NEW_PASSWORD)).status).toBe(200);
    expect(await redeem(tokenIn(text))).toMatchObject(NOT_FOUND);
  });

  test("gets a link of the base URL, whatever the request names as the host (poisoned link)", async () => {
    const { email } = await member();
    const before = textsTo(email).length;
    await forget(email, {
      host: "evil.example.org",
      "x-forwarded-host": "evil.example.org",
      origin: BASE_URL,
    });
    await eventually(() => textsTo(email).length > before);
    expect(textsTo(email).at(-1)).toContain(`${BASE_URL}/invite/person_`);
    expect(textsTo(email).at(-1)).not.toContain("evil");
  });

  test("ends no other link by asking, and all of them by using one", async () => {
    const { email, id } = await member();
    const printed = `person_${"c".repeat(43)}`;
    await server.store.people.createLink({ personId: id, token: printed }, server.now());
    const [first, second] = [tokenIn(await mailedLink(email)), tokenIn(await mailedLink(email))];
    for (const token of [printed, first, second])
      expect((await anyone.get(`/api/v1/invites/${token}`)).status).toBe(200);
    expect((await redeem(first)).status).toBe(200);
    for (const token of [printed, second]) expect(await redeem(token)).toMatchObject(NOT_FOUND);
  });

  test("gets the same answer as nobody, and as people who get no link (enumeration by answer)", async () => {
    const [disabled, invited, provided] = [await member(), newEmail(), await member()];
    await owner.patch(`/api/v1/people/${disabled.id}`, { state: "disabled" });
    await owner.post("/api/v1/people", { email: invited, role: "viewer" });
    await server.db.run("UPDATE people SET password_hash = NULL, name = 'Ana' WHERE id = $1", provided.id);
    const others = [newEmail(), disabled.email, invited, provided.email];
    for (const email of others) {
      const answer = await forget(email);
      expect(answer).toMatchObject(REQUESTED);
      expect(answer.headers.get("set-cookie")).toBeNull();
    }
    // This mail is sent after the mails to the others would have been.
    await mailedLink((await member()).email);
    expect(others.flatMap(textsTo)).toEqual([]);
  });

  test("asks 3 times for one address, known or not, and then has to wait", async () => {
    for (const email of [(await member()).email, newEmail()]) {
      const statuses = [];
      for (let at = 0; at < 4; at++) statuses.push((await forget(email)).status);
      expect(statuses).toEqual([200, 200, 200, 429]);
      const limited = await forget(email.toUpperCase());
      expect(limited.status).toBe(429);
      expect(Number(limited.headers.get("retry-after"))).toBeWithin(1, 3601);
    }
  });

  test("asks 20 times from one client, and then has to wait", async () => {
    const statuses = [];
    for (let at = 0; at < 21; at++)
      statuses.push((await forget(newEmail(), { "x-forwarded-for": "198.51.100.9" })).status);
    expect(statuses).toEqual([...Array(20).fill(200), 429]);
  });

  test("is not asked for by a page of another site, or with anything but an address", async () => {
    expect((await forget(newEmail(), { "sec-fetch-site": "cross-site" })).status).toBe(403);
    for (const body of [{}, { email: "nobody" }, { email: "a@example.com", more: 1 }])
      expect((await anyone.send("POST", "/api/v1/session/link", body, OWN_PAGE)).status).toBe(422);
    const large = { email: `${"a".repeat(5000)}@example.com` };
    expect((await anyone.send("POST", "/api/v1/session/link", large, OWN_PAGE)).status).toBe(413);
  });

  test("leaves no address and no link in the log", async () => {
    const { email, id } = await member();
    const text = await mailedLink(email);
    await eventually(() => logged.some((line) => line.includes(id)));
    expect(logged.join("\n")).not.toContain(email);
    expect(logged.join("\n")).not.toContain(tokenIn(text));
  });

  test("learns from the help with the sign-in whether it is offered", async () => {
    expect((await anyone.get("/api/v1/session/help")).body.data.sendsLinks).toBe(true);
  });
});

test("behavior 19.17: without a mail server there are no links", async () => {
  await using plain = await TestServer.start();
  const stranger = plain.client.as(undefined);
  const body = { email: "ana@example.com" };
  expect(await stranger.send("POST", "/api/v1/session/link", body, OWN_PAGE)).toMatchObject(NOT_FOUND);
  expect((await stranger.get("/api/v1/session/help")).body.data).not.toHaveProperty("sendsLinks");
});

test("behavior 19.17, 19.75: with --oidc-only there are no links", async () => {
  const { smtp } = mails.settings({ host: "localhost" });
  const oidc = oidcSettings("http://127.0.0.1:1", { isOnly: true });
  const quiet = createLogger({ level: "silent" });
  await using only = await TestServer.start({ oidc, ...(smtp && { smtp }) }, quiet);
  const stranger = only.client.as(undefined);
  const body = { email: "ana@example.com" };
  expect((await stranger.send("POST", "/api/v1/session/link", body, OWN_PAGE)).status).toBe(403);
  expect((await stranger.get("/api/v1/session/help")).body.data).not.toHaveProperty("sendsLinks");
});
