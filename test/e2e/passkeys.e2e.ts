import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { isAccessible } from "../support/browser/accessibility.ts";
import { becomes } from "../support/browser/becomes.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { freePort } from "../support/free-port.ts";
import { longTest } from "../support/long.ts";
import type { Answer } from "../support/requests/client.ts";

setDefaultTimeout(PATIENCE);

let served: ServedPage;
let origin: string;

beforeAll(async () => {
  const port = String(freePort());
  origin = `http://localhost:${port}`;
  served = await ServedPage.start(["--port", port, "--base-url", origin]);
}, PATIENCE);
afterAll(() => served[Symbol.asyncDispose]());

/** The authenticator of a phone or laptop, of the browser itself (https://chromedevtools.github.io/devtools-protocol/tot/WebAuthn/). */
const PLATFORM = {
  protocol: "ctap2",
  transport: "internal",
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
  defaultBackupEligibility: true,
  defaultBackupState: true,
} as const;

/** A page of the server, which asks for no passkey, in a browser with an authenticator. */
async function openPage(context: BrowserContext): Promise<Page> {
  return (await openDevice(context)).page;
}

/** The same. @property confirm whether the authenticator answers at once, as if somebody always touched it */
async function openDevice(context: BrowserContext) {
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  await devTools.send("WebAuthn.enable");
  const device = await devTools.send("WebAuthn.addVirtualAuthenticator", { options: PLATFORM });
  await page.goto(`${origin}/invite/none`);
  const confirm = (enabled: boolean) =>
    devTools.send("WebAuthn.setAutomaticPresenceSimulation", { ...device, enabled });
  return { page, confirm };
}

/** Notes that the page lets the browser offer passkeys where the reader enters the e-mail address. */
const NOTE_OFFERS = `{
  const credentials = navigator.credentials;
  const get = credentials.get.bind(credentials);
  credentials.get = (options) => {
    const answer = get(options);
    globalThis.isOffered = options.mediation === "conditional";
    return answer;
  };
}`;

/** Sends a request from the page. */
const send = (page: Page, method: string, path: string, body?: object) =>
  page.evaluate(
    async ({ method, path, body }) => {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      return { status: answer.status, body: (await answer.json()) as Answer["body"] };
    },
    { method, path: `/api/v1${path}`, ...(body && { body }) },
  );

/** Asks the browser for a new passkey. @returns it as JSON, or the name of its error */
const create = (page: Page, options: object) =>
  page.evaluate(async (given) => {
    // biome-ignore lint/suspicious/noExplicitAny: the test has no types of a browser
    const { PublicKeyCredential, navigator } = globalThis as any;
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(given);
    try {
      return (await navigator.credentials.create({ publicKey })).toJSON();
    } catch (error) {
      return (error as Error).name;
    }
  }, options);

const get = (page: Page, options: object) =>
  page.evaluate(async (given) => {
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const { PublicKeyCredential, navigator } = globalThis as any;
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(given);
    return (await navigator.credentials.get({ publicKey })).toJSON();
  }, options);

async function invite(): Promise<string> {
  const email = `ana-${crypto.randomUUID()}@example.com`;
  const { body } = await served.api.post("/api/v1/people", { email, role: "admin" });
  return body.data.inviteUrl.split("/invite/")[1];
}

test("behavior 19.51, 19.54: Chromium adds a passkey on localhost, once for each device, and signs in with it", async () => {
  const context = await served.browser.chromium.newContext();
  const page = await openPage(context);
  const joined = { name: "Ana", password: "a password of Ana" };
  expect((await send(page, "POST", `/invites/${await invite()}`, joined)).status).toBe(200);
  const options = async () => (await send(page, "POST", "/me/passkeys/options")).body.data;
  const credential = await create(page, await options());
  const added = await send(page, "POST", "/me/passkeys", { credential, name: "Laptop" });
  expect(added).toMatchObject({ status: 201, body: { data: { name: "Laptop", lastUsedAt: null } } });
  expect(await create(page, await options())).toBe("InvalidStateError");

  await send(page, "DELETE", "/session");
  expect((await send(page, "GET", "/me")).status).toBe(401);
  for (let times = 0; times < 2; times++) {
    const passkey = await get(page, (await send(page, "POST", "/session/passkey-options")).body.data);
    expect((await send(page, "POST", "/session", { passkey })).status).toBe(200);
    expect((await send(page, "POST", "/session", { passkey })).status).toBe(401);
  }
  const { data } = (await send(page, "GET", "/me")).body;
  expect(data).toMatchObject({ name: "Ana", methods: ["password", "passkey"] });
  const [listed] = (await send(page, "GET", "/me/passkeys")).body.data;
  expect(listed).toMatchObject({ name: "Laptop", lastUsedAt: expect.any(String) });
  await context.close();
});

longTest("behavior 19.58: Chromium accepts an invitation with a new passkey, and is signed in", async () => {
  const context = await served.browser.chromium.newContext();
  const page = await openPage(context);
  const path = `/invites/${await invite()}`;
  const { data: options } = (await send(page, "POST", `${path}/passkey-options`, { name: "Bob" })).body;
  const passkey = await create(page, options);
  expect((await send(page, "POST", path, { name: "Bob", passkey })).status).toBe(200);
  expect((await send(page, "GET", "/me")).body.data).toMatchObject({ name: "Bob", methods: ["passkey"] });
  await context.close();
});

longTest(
  "behavior 19.59: the page accepts an invitation with a passkey, signs in with it, and keeps the last way to sign in",
  async () => {
    const context = await served.browser.chromium.newContext();
    const { page, confirm } = await openDevice(context);
    await page.goto(`${origin}/invite/${await invite()}`);
    await page.getByRole("button", { name: "Use a passkey instead" }).click();
    await page.getByLabel("Your name").fill("Cleo");
    await page.getByRole("button", { name: "Accept the invitation" }).click();
    await page.getByRole("navigation", { name: "Main" }).waitFor();

    await page.goto(`${origin}/profile`);
    const passkeys = page.getByRole("list", { name: "Passkeys" });
    await passkeys.getByText("not used yet").waitFor();
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByText("This device has a passkey of yours already.").waitFor();

    await send(page, "DELETE", "/session");
    await confirm(false);
    await page.addInitScript(NOTE_OFFERS);
    await page.goto(origin);
    await becomes(() => page.evaluate("globalThis.isOffered"), true);
    await isAccessible(page);
    await confirm(true);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByRole("navigation", { name: "Main" }).waitFor();

    // The browser offers it in the field of the e-mail address; the authenticator accepts at once.
    await send(page, "DELETE", "/session");
    await page.goto(origin);
    await page.getByRole("navigation", { name: "Main" }).waitFor();

    await page.goto(`${origin}/profile`);
    await passkeys.getByText("used").waitFor();
    await page.getByRole("button", { name: "Remove the passkey Passkey" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Remove" }).click();
    await dialog.getByText("your last way to sign in can't be removed").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();

    await page.getByLabel("New password").fill("a password of Cleo");
    await page.getByRole("button", { name: "Set a password" }).click();
    await page.getByText("Changed.").waitFor();
    await page.getByRole("button", { name: "Remove the passkey Passkey" }).click();
    await dialog.getByRole("button", { name: "Remove" }).click();
    await passkeys.getByRole("listitem").waitFor({ state: "detached" });
    await context.close();
  },
);

longTest(
  "behavior 19.59: at the IP address of the same server, the sign-in says why it offers no passkeys",
  async () => {
    const context = await served.browser.chromium.newContext();
    const page = await openPage(context);
    const path = `/invites/${await invite()}`;
    const { data: options } = (await send(page, "POST", `${path}/passkey-options`, { name: "Fay" })).body;
    const passkey = await create(page, options);
    expect((await send(page, "POST", path, { name: "Fay", passkey })).status).toBe(200);
    const address = origin.replace("localhost", "127.0.0.1");
    await page.goto(address);
    await page.getByText(`only over HTTPS at a host name. This page is at ${address}.`).waitFor();
    expect(await page.getByRole("button", { name: "Sign in with a passkey" }).count()).toBe(0);
    await context.close();
  },
);
