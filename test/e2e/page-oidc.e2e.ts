import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { createPersonToken } from "../../src/store/ids.ts";
import { isAccessible, schemesOf } from "../support/browser/accessibility.ts";
import type { Look, Reader, TestBrowser } from "../support/browser/browser.ts";
import { PATIENCE, sharedBrowser } from "../support/browser/served-page.ts";
import { freePort } from "../support/free-port.ts";
import { longTest } from "../support/long.ts";
import { joinedPerson, PASSWORD } from "../support/people/person.ts";
import { type Account, RealProvider } from "../support/people/real-provider.ts";
import { Binary } from "../support/product/binary.ts";
import type { Client } from "../support/requests/client.ts";
import { checkIn, createMonitor } from "../support/requests/monitors.ts";

setDefaultTimeout(PATIENCE);

let browser: TestBrowser;
let world: World;
beforeAll(async () => {
  browser = await sharedBrowser();
  world = await World.start();
}, PATIENCE);
afterAll(() => world[Symbol.asyncDispose]());

/** A compiled server with a provider, whose readers it knows as `account`. */
class World implements AsyncDisposable {
  account: Account = { sub: "nobody" };

  private constructor(
    readonly binary: Binary,
    readonly owner: Client,
    readonly stopProvider: () => Promise<void>,
    /** The provider, as the page names it. */
    readonly name: string,
  ) {}

  /** @param isAway whether the provider is stopped first */
  static async start(flags: string[] = [], { isAway = false } = {}): Promise<World> {
    const binary = new Binary();
    const port = String(freePort());
    const url = `http://127.0.0.1:${port}`;
    let world: World | undefined;
    const provider = await RealProvider.start(
      () => `${url}/sign-in/oidc/callback`,
      () => world?.account ?? { sub: "nobody" },
    );
    const stop = () => provider[Symbol.asyncDispose]();
    if (isAway) await stop();
    const secret = join(binary.folder, "secret");
    writeFileSync(secret, "s3cret\n");
    const running = await binary.serve([
      ...["--port", port, "--base-url", url, "--oidc-issuer", provider.issuer],
      ...["--oidc-client-id", "stillup", "--oidc-client-secret-file", secret, ...flags],
    ]);
    world = new World(binary, await running.client(), stop, new URL(provider.issuer).host);
    return world;
  }

  reader(look?: Look): Promise<Reader> {
    return browser.reader(this.owner.url, look);
  }

  /** Invites somebody whom the provider knows too. @returns the path of the invitation */
  async invite(name: string): Promise<string> {
    this.account = knownAs(name);
    const { body } = await this.owner.post("/api/v1/people", {
      email: `${name}@example.com`,
      role: "viewer",
    });
    return new URL(body.data.inviteUrl).pathname;
  }

  /** A job that has failed. @returns the ID of its outage */
  async outage(): Promise<string> {
    const { id } = await createMonitor(this.owner, "SCHEDULED", { name: "nightly" });
    await checkIn(this.owner, id, "fail");
    return (await this.owner.get("/api/v1/outages")).body.data[0].id;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.binary[Symbol.asyncDispose]();
    await this.stopProvider();
  }
}

function knownAs(name: string): Account {
  return { sub: name, email: `${name}@example.com`, email_verified: true, name };
}

function menu(page: Page): Promise<void> {
  return page.getByRole("navigation", { name: "Main" }).waitFor();
}

async function signInByPassword(page: Page, name: string): Promise<void> {
  await page.goto("/");
  await page.getByLabel("E-mail").fill(`${name}@example.com`);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await menu(page);
}

async function signInByKey(page: Page, key: string | undefined): Promise<void> {
  await page.getByRole("button", { name: "Use an API key instead" }).click();
  await page.getByLabel("API key").fill(key ?? "");
  await page.keyboard.press("Enter");
  await menu(page);
}

test("behavior 19.95: an invitation is accepted with the provider, which then signs the person in", async () => {
  const invitation = await world.invite("ana");
  await using one = await world.reader();
  const { page } = one;
  await page.goto(invitation);
  await page.getByRole("link", { name: `Accept with ${world.name}` }).click();
  await menu(page);
  await page.getByRole("link", { name: "Profile" }).click();
  await page.getByText(`${world.name} is linked. You can sign in with it.`).waitFor();
  expect(await page.getByRole("link", { name: /^Link / }).count()).toBe(0);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("link", { name: `Sign in with ${world.name}` }).click();
  await menu(page);
});

longTest(
  "behavior 19.97: a sign-in by the provider leads to what the reader has opened, once, also after a failure",
  async () => {
    await world.invite("eve");
    const outage = await world.outage();
    await using one = await world.reader();
    const { page } = one;
    const link = page.getByRole("link", { name: `Sign in with ${world.name}` });
    world.account = { ...knownAs("eve"), email_verified: false };
    await page.goto(`/outages/${outage}?from=push`);
    await link.click();
    await page.getByRole("alert").waitFor();
    world.account = knownAs("eve");
    await link.click();
    await page.getByRole("heading", { name: "Outage of nightly" }).waitFor();
    expect(page.url()).toEndWith(`/outages/${outage}?from=push`);
    await page.goto("/");
    await menu(page);
    expect(new URL(page.url()).pathname).toBe("/");
  },
);

longTest(
  "behavior 19.96: somebody with a password links the provider in the profile, and nobody else can link the same account",
  async () => {
    await joinedPerson(world.owner, { email: "bea@example.com", role: "viewer", name: "Bea" });
    world.account = { ...knownAs("bea"), email: "another@example.com" };
    await using one = await world.reader();
    const { page } = one;
    await signInByPassword(page, "bea");
    await page.goto("/profile");
    await page.getByRole("link", { name: `Link ${world.name}` }).click();
    await page.getByText(`${world.name} is linked. You can sign in with it.`).waitFor();
    await page.getByText("password, provider").waitFor();
    expect(new URL(page.url()).href).toBe(`${world.owner.url}/profile`);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("link", { name: `Sign in with ${world.name}` }).click();
    await menu(page);
    await page.getByRole("button", { name: "Sign out" }).click();

    await joinedPerson(world.owner, { email: "cy@example.com", role: "viewer", name: "Cy" });
    await signInByPassword(page, "cy");
    await page.goto("/profile");
    await page.getByRole("link", { name: `Link ${world.name}` }).click();
    await page
      .getByRole("alert")
      .filter({ hasText: `${world.name} was not linked: it did not sign you in, or somebody else` })
      .waitFor();
    await page.reload();
    await page.getByRole("link", { name: `Link ${world.name}` }).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  },
);

longTest(
  "behavior 19.96: the reader unlinks the provider in the profile, but not as the only way in",
  async () => {
    const invitation = await world.invite("fay");
    await using one = await world.reader();
    const { page } = one;
    await page.goto(invitation);
    await page.getByRole("link", { name: `Accept with ${world.name}` }).click();
    await menu(page);
    await page.goto("/profile");
    const unlink = async () => {
      await page.getByRole("button", { name: `Unlink ${world.name}` }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Unlink", exact: true }).click();
    };
    await unlink();
    await page.getByRole("alert").filter({ hasText: "your last way to sign in" }).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByLabel("New password").fill(PASSWORD);
    await page.getByRole("button", { name: "Set a password" }).click();
    await page.getByText("Changed. Your other sessions have ended.").waitFor();
    await unlink();
    await page.getByText(`Link ${world.name}, to sign in with it.`).waitFor();
    await page.getByRole("link", { name: `Link ${world.name}` }).waitFor();
    await one.leave(/^Failed to load resource/);
  },
);

longTest(
  "behavior 19.83: somebody whom the provider knows accepts another invitation, on its page, after the sign-in",
  async () => {
    const first = await world.invite("gus");
    await using one = await world.reader();
    const { page } = one;
    await page.goto(first);
    await page.getByRole("link", { name: `Accept with ${world.name}` }).click();
    await menu(page);
    await page.getByRole("button", { name: "Sign out" }).click();
    const second = await invitationElsewhere("gus@example.com");
    await page.goto(second);
    await page.getByRole("link", { name: `Accept with ${world.name}` }).click();
    await page.getByText("You are signed in as gus@example.com.").waitFor();
    expect(new URL(page.url()).pathname).toBe(second);
    await page.getByRole("button", { name: "Accept the invitation" }).click();
    await menu(page);
    await page.goto("/profile");
    await page.getByRole("heading", { name: "Organization" }).waitFor();
  },
);

/** @returns the path of an invitation to another organization */
async function invitationElsewhere(email: string): Promise<string> {
  await using attached = await world.binary.attach();
  const { organizations, people } = attached.store;
  const now = Date.now();
  const { id } = await organizations.create(
    { name: "Other", plan: "enterprise", subscription: "active" },
    now,
  );
  const token = createPersonToken();
  await people.create({ organizationId: id, email, role: "viewer", token }, now);
  return `/invite/${token}`;
}

longTest(
  "behavior 19.85, 19.96: who is not invited reads that the sign-in failed, and a key goes on",
  async () => {
    world.account = knownAs("stranger");
    await using one = await world.reader();
    const { page } = one;
    await page.goto("/");
    await page.getByRole("link", { name: `Sign in with ${world.name}` }).click();
    const failed = page.getByRole("alert").filter({ hasText: `The sign-in with ${world.name} failed.` });
    await failed.waitFor();
    expect(page.url()).toBe(`${world.owner.url}/`);
    await signInByKey(page, world.owner.key);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("link", { name: `Sign in with ${world.name}` }).waitFor();
    expect(await failed.count()).toBe(0);
  },
);

longTest(
  "behavior 19.96: a provider that is away is said in the page, and keys and passwords go on",
  async () => {
    await using away = await World.start([], { isAway: true });
    await joinedPerson(away.owner, { email: "dan@example.com", role: "viewer", name: "Dan" });
    const { url } = away.owner;
    await using one = await away.reader();
    const { page } = one;
    await page.goto("/");
    await page.getByRole("link", { name: `Sign in with ${away.name}` }).click();
    await page
      .getByRole("alert")
      .filter({ hasText: `You can't sign in with ${away.name} now.` })
      .waitFor();
    expect(page.url()).toBe(`${url}/`);
    await signInByPassword(page, "dan");
    await page.goto("/profile");
    await page.getByRole("link", { name: `Link ${away.name}` }).click();
    await page
      .getByRole("alert")
      .filter({ hasText: `${away.name} can't be used now.` })
      .waitFor();
    expect(page.url()).toBe(`${url}/profile`);
    await one.leave(/^Failed to load resource/);
  },
);

describe.each(schemesOf("dark"))("in %s, with --oidc-only", (colorScheme) => {
  longTest(
    "behavior 19.95: only the provider and keys are offered, by keyboard, on a phone and without violations",
    async () => {
      await using only = await World.start(["--oidc-only"]);
      const invitation = await only.invite("eva");
      await using one = await only.reader({ colorScheme, viewport: { width: 390, height: 780 } });
      const { page } = one;
      const isWell = async () => {
        await isAccessible(page);
        expect(await page.evaluate<boolean>("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      };
      await page.goto(invitation);
      await page.getByText("You will have the role viewer.").waitFor();
      await page.getByText("must know you by the address eva@example.com.").waitFor();
      expect(await page.getByRole("button").count()).toBe(0);
      expect(await page.getByRole("textbox").count()).toBe(0);
      await isWell();
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await menu(page);
      await one.open("/profile");
      await page.getByRole("heading", { name: "Sessions" }).waitFor();
      for (const name of ["Password", "Passkeys"])
        expect(await page.getByRole("heading", { name, exact: true }).count()).toBe(0);
      await isWell();
      await page.goto("/");
      await page.getByRole("button", { name: "More", exact: true }).click();
      await page
        .getByRole("dialog")
        .getByRole("button", { name: /^Sign out/ })
        .click();

      const provider = page.getByRole("link", { name: `Sign in with ${only.name}` });
      await provider.waitFor();
      expect(await page.getByLabel("Password").count()).toBe(0);
      expect(await page.getByRole("button", { name: /passkey/ }).count()).toBe(0);
      await isWell();
      await page.getByRole("button", { name: "Use an API key instead" }).click();
      await page.getByLabel("API key").waitFor();
      await isWell();
      await page.reload();
      await provider.waitFor();
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await menu(page);
    },
    PATIENCE,
  );
});
