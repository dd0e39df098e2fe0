import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { isAccessible, schemesOf } from "../support/browser/accessibility.ts";
import { becomes } from "../support/browser/becomes.ts";
import type { Look, Reader } from "../support/browser/browser.ts";
import { MAX_SHIFT, observeShifts, shiftOf } from "../support/browser/layout-shift.ts";
import { PATIENCE, PageServer, sharedBrowser } from "../support/browser/served-page.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { longTest } from "../support/long.ts";
import { joinedPerson, PASSWORD } from "../support/people/person.ts";
import { Binary } from "../support/product/binary.ts";
import { mailParts } from "../support/servers/mail-parts.ts";
import { MailServer } from "../support/servers/mail-server.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const OTHER_PASSWORD = "an even longer passphrase";

/** A server of its own: once it has people, its sign-in begins with the e-mail address. */
const people = await untilEndOfFile(PageServer.start());
const { server: running, binary } = people;
const browser = await sharedBrowser();
const organization = (name: string) => people.organization(name);

function reader(look?: Look & { isNew?: boolean }): Promise<Reader> {
  return browser.reader(running.url, look);
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Signs in with a key, also if people exist. */
async function signInWithKey(page: Page, key: string | undefined): Promise<void> {
  await page.goto("/");
  const other = page.getByRole("button", { name: "Use an API key instead" });
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  if (await other.isVisible()) await other.click();
  await page.getByLabel("API key").fill(key ?? "");
  await page.keyboard.press("Enter");
  await menu(page);
}

function menu(page: Page): Promise<void> {
  return page.getByRole("navigation", { name: "Main" }).waitFor();
}

function fits(page: Page): Promise<boolean> {
  return page.evaluate<boolean>("document.documentElement.scrollWidth <= innerWidth");
}

longTest(
  "behavior 19.82 to 19.90: the first person, an invitation, a sign-in, another password, and the end",
  async () => {
    const { key } = await running.client();
    await using first = await reader({ isNew: true });
    const { page: owner } = first;
    await signInWithKey(owner, key);
    await owner.getByRole("link", { name: "Create your own account" }).click();
    await owner.getByLabel("E-mail").fill("Olga@example.com");
    await owner.getByRole("button", { name: "Continue" }).click();
    await owner.getByRole("heading", { name: /^Join / }).waitFor();
    await owner.getByLabel("Your name").fill("Olga");
    await owner.getByLabel("New password").fill("short");
    await owner.getByRole("button", { name: "Accept the invitation" }).click();
    await owner.getByRole("alert").filter({ hasText: "Must have at least 12 characters." }).waitFor();
    await owner.getByLabel("New password").fill(PASSWORD);
    await owner.getByRole("button", { name: "Accept the invitation" }).click();
    await menu(owner);
    expect(await owner.getByRole("link", { name: "Create your own account" }).count()).toBe(0);

    await owner.getByRole("link", { name: "People" }).click();
    const own = owner.getByRole("listitem").filter({ hasText: "Olga@example.com" });
    await own.filter({ hasText: ", you" }).waitFor();
    await owner.getByRole("button", { name: "Invite", exact: true }).click();
    const dialog = owner.getByRole("dialog");
    await dialog.getByLabel("E-mail").fill("vic@example.com");
    await dialog.getByRole("button", { name: "Create the invitation" }).click();
    const replaced = await linkIn(owner);
    await owner.getByRole("button", { name: "Invite again: vic@example.com" }).click();
    await dialog.getByRole("button", { name: "Make a new link" }).click();
    const link = await linkIn(owner);

    await using second = await reader();
    const { page } = second;
    await page.goto(replaced);
    await page.getByRole("heading", { name: "This link is not valid" }).waitFor();
    await page.goto(link);
    await page.getByText("You will have the role viewer.").waitFor();
    await page.getByLabel("Your name").fill("Vic");
    await page.getByLabel("New password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await menu(page);
    await page.goto(link);
    await page.getByRole("heading", { name: "This link is not valid" }).waitFor();

    await page.goto("/settings/people");
    await page.getByRole("listitem").filter({ hasText: "Olga" }).waitFor();
    expect(await page.getByRole("button", { name: /Invite|Change|Disable|Remove/ }).count()).toBe(0);
    await page.getByRole("button", { name: "Sign out" }).click();
    await signIn(page, "vic@example.com", "the wrong password");
    await page.getByRole("alert").filter({ hasText: "Wrong e-mail address or password." }).waitFor();
    await signIn(page, " VIC@example.com ", PASSWORD);
    await menu(page);

    await using third = await reader();
    await third.page.goto("/");
    await signIn(third.page, "vic@example.com", PASSWORD);
    await menu(third.page);
    await page.getByRole("link", { name: "Profile" }).click();
    await page.getByText("vic@example.com").waitFor();
    const sessions = page.getByRole("list", { name: "Sessions" }).getByRole("listitem");
    await becomes(() => sessions.count(), 2);
    await page.getByLabel("Present password").fill("the wrong password");
    await page.getByLabel("New password").fill(OTHER_PASSWORD);
    await page.getByRole("button", { name: "Change the password" }).click();
    await page.getByRole("alert").filter({ hasText: "Must be the present password." }).waitFor();
    await page.getByLabel("Present password").fill(PASSWORD);
    await page.getByRole("button", { name: "Change the password" }).click();
    await page.getByText("Your other sessions have ended.").waitFor();
    await becomes(() => sessions.count(), 1);
    await third.page.getByRole("heading", { name: "Sign in" }).waitFor();
    await signIn(third.page, "vic@example.com", OTHER_PASSWORD);
    await menu(third.page);
    await page.reload();
    await page.getByRole("button", { name: /^End the session of Chrome on Linux/ }).click();
    await third.page.getByRole("heading", { name: "Sign in" }).waitFor();

    await owner.getByRole("button", { name: "Disable Vic" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await signIn(page, "vic@example.com", OTHER_PASSWORD);
    await page.getByRole("alert").filter({ hasText: "Wrong e-mail address or password." }).waitFor();
    await owner.getByRole("button", { name: "Enable Vic" }).click();
    await owner.getByRole("button", { name: "Disable Vic" }).waitFor();
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await menu(page);

    await owner.getByRole("button", { name: "Remove Vic" }).click();
    await owner.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await owner.getByRole("button", { name: "Remove Vic" }).waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await owner.goto("/settings/audit");
    const signedIn = owner.getByRole("row").filter({ hasText: "Vic (deleted)" });
    await signedIn.filter({ hasText: "Signed in" }).first().waitFor();
    await owner.getByRole("row").filter({ hasText: "Removed the person Vic" }).getByText("Olga").waitFor();
  },
  3 * PATIENCE,
);

/** The link in an open dialog, which is then closed. */
async function linkIn(page: Page): Promise<string> {
  const dialog = page.getByRole("dialog");
  const link = (await dialog.locator("code").textContent()) ?? "";
  await dialog.getByRole("button", { name: "Done" }).click();
  await dialog.waitFor({ state: "detached" });
  return new URL(link).pathname;
}

test("behavior 19.80, 19.83, 19.84, 19.88: somebody in several organizations joins with the password, chooses one, and switches", async () => {
  const [shop, blog] = [await organization("Shop"), await organization("Blog")];
  const email = "several@example.com";
  await joinedPerson(shop, { email, role: "owner", name: "Sam" });
  const { inviteUrl } = (await blog.post("/api/v1/people", { email, role: "viewer" })).body.data;
  await using one = await reader();
  const { page } = one;
  await page.goto(new URL(inviteUrl).pathname);
  await page.getByLabel("Your name").fill("Another name");
  await page.getByLabel("New password").fill(OTHER_PASSWORD);
  await page.getByRole("button", { name: "Accept the invitation" }).click();
  await page
    .getByRole("alert")
    .filter({ hasText: `Must be the one that ${email} has here already.` })
    .waitFor();
  expect(await page.getByLabel("Your name").count()).toBe(0);
  await page.getByLabel("Your password").fill(PASSWORD);
  await page.getByRole("button", { name: "Accept the invitation" }).click();
  await menu(page);
  await page.getByRole("link", { name: "Profile" }).click();
  await page.getByRole("main").getByText("Sam", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();

  await signIn(page, email, PASSWORD);
  await page.getByLabel("Organization").selectOption({ label: "Shop" });
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await menu(page);
  await page.getByRole("link", { name: "Profile" }).click();
  await page.getByLabel("Show").selectOption({ label: "Blog (viewer)" });
  await page.getByRole("button", { name: "Switch" }).click();
  await page.getByText("An admin or owner of this organization can add the first monitor.").waitFor();
});

longTest("behavior 19.87: an owner changes people, and reads why the last owner stays one", async () => {
  const club = await organization("Club");
  await joinedPerson(club, { email: "only@example.com", role: "owner", name: "Ona" });
  await joinedPerson(club, { email: "second@example.com", role: "viewer", name: "Sia" });
  const { keyId } = (await club.get("/api/v1/session")).body.data;
  await club.delete(`/api/v1/api-keys/${keyId}`);
  await using one = await reader();
  const { page } = one;
  await page.goto("/settings/people");
  await signIn(page, "only@example.com", PASSWORD);
  const dialog = page.getByRole("dialog");
  const change = async (name: string, role: string) => {
    await page.getByRole("button", { name: `Change ${name}` }).click();
    await dialog.getByLabel("Role").selectOption(role);
    await dialog.getByRole("button", { name: "Save" }).click();
  };
  const refused = dialog.getByRole("alert").filter({ hasText: "the organization must keep an owner" });
  await change("Ona", "viewer");
  await refused.waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Remove Ona" }).click();
  await dialog.getByText("This is you: you will be signed out.").waitFor();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await refused.waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();

  await change("Sia", "owner");
  await dialog.waitFor({ state: "detached" });
  const roleOf = (name: string, role: string) =>
    page.getByRole("listitem").filter({ hasText: name }).getByText(role, { exact: true });
  await roleOf("Sia", "owner").waitFor();
  await change("Ona", "viewer");
  await page.getByRole("button", { name: "Remove Sia" }).waitFor({ state: "detached" });
  await roleOf("Ona", "viewer").waitFor();
});

longTest(
  "behavior 19.81, 19.91: a viewer acknowledges an outage in the page, under a name that stays, and a key of a viewer is not offered to",
  async () => {
    const shop = await organization("Outages");
    await joinedPerson(shop, { email: "night@example.com", role: "viewer", name: "Noor" });
    const values = { name: "a job", type: "SCHEDULED", config: {} };
    const { id, checkinUrl } = (await shop.post("/api/v1/monitors", values)).body.data;
    await fetch(`${checkinUrl}?status=fail`);
    const [outage] = (await shop.get(`/api/v1/outages?monitorId=${id}`)).body.data;
    const { key } = (await shop.post("/api/v1/api-keys", { name: "screen", role: "viewer" })).body.data;
    await using viewer = await reader();
    await signInWithKey(viewer.page, key);
    await viewer.open(`/outages/${outage.id}`);
    expect(await viewer.page.getByRole("button", { name: "Acknowledge" }).count()).toBe(0);

    await using person = await reader();
    await person.page.goto(`/outages/${outage.id}`);
    await signIn(person.page, "night@example.com", PASSWORD);
    await person.page.getByRole("button", { name: "Acknowledge" }).click();
    await person.page.getByText("Acknowledged by Noor at").waitFor();

    const { data: members } = (await shop.get("/api/v1/people")).body;
    await shop.delete(`/api/v1/people/${members[0].id}`);
    await using owner = await reader();
    await signInWithKey(owner.page, shop.key);
    await owner.open(`/outages/${outage.id}`);
    await owner.page.getByText("Acknowledged by Noor (deleted) at").waitFor();
    await owner.open("/outages");
    await owner.page.getByText("Acknowledged by Noor (deleted)").waitFor();
  },
);

longTest("behavior 19.83: somebody who is signed in accepts an invitation with the session", async () => {
  const email = "both@example.com";
  await joinedPerson(await organization("First"), { email, role: "viewer" });
  await using one = await reader();
  const { page } = one;
  await page.goto("/");
  await signIn(page, email, PASSWORD);
  await menu(page);
  const { body } = await (await organization("Second")).post("/api/v1/people", { email, role: "admin" });
  await page.goto(new URL(body.data.inviteUrl).pathname);
  await page.getByRole("heading", { name: "Join Second" }).waitFor();
  await page.getByText(`You are signed in as ${email}.`).waitFor();
  await isAccessible(page);
  await page.getByRole("button", { name: "Accept the invitation" }).click();
  await menu(page);
  await page.goto("/profile");
  await page.getByLabel("Show").waitFor();
});

longTest("behavior 19.85: a link of the command line sets a new password", async () => {
  const { id } = await joinedPerson(await organization("Forgetful"), {
    email: "lost@example.com",
    role: "viewer",
  });
  const { stdout } = await binary.run(["people", "link", id]);
  await using one = await reader();
  const { page } = one;
  await page.goto("/?sign-in=failed");
  await page.getByRole("alert").filter({ hasText: "The sign-in with your provider failed." }).waitFor();
  await page.getByText("Forgot your password?").click();
  await page.getByText("stillup people link ID").waitFor();
  await page.goto(new URL(/https?:\/\/\S+?\/invite\/\w+/.exec(stdout)?.[0] ?? "").pathname);
  await page.getByRole("heading", { name: "Set a new password" }).waitFor();
  await page.getByText("your passkeys and linked identities are removed").waitFor();
  await page.getByLabel("New password").fill(OTHER_PASSWORD);
  await page.getByRole("button", { name: "Set the password" }).click();
  await menu(page);
  await page.getByRole("button", { name: "Sign out" }).click();
  await signIn(page, "lost@example.com", OTHER_PASSWORD);
  await menu(page);
});

longTest(
  "behavior 19.17, 19.85: somebody who forgot the password gets a link by e-mail, and sets a new one with it",
  async () => {
    await using own = new Binary();
    await using mail = await MailServer.start();
    const { smtp, ca = "" } = mail.settings({ host: "localhost" });
    const authority = join(own.folder, "authority.pem");
    await Bun.write(authority, ca);
    const port = String(freePort());
    const url = `http://127.0.0.1:${port}`;
    const server = await own.serve(["--port", port, "--base-url", url, "--smtp-from", "up@example.com"], {
      STILLUP_SMTP_URL: smtp?.url.href ?? "",
      NODE_EXTRA_CA_CERTS: authority,
    });
    await joinedPerson(await server.client(), { email: "fay@example.com", role: "viewer" });
    const isToFay = ({ source }: { source: string }) => source.includes("Subject: A new password");

    await using one = await browser.reader(url, { viewport: { width: 390, height: 780 } });
    const { page } = one;
    await page.goto("/");
    await page.getByRole("button", { name: "Forgot your password?" }).click();
    await becomes(() => page.evaluate("document.activeElement?.id"), "email");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").filter({ hasText: "Enter your e-mail address." }).waitFor();
    await page.keyboard.type("fay@example.com");
    await page.keyboard.press("Enter");
    await page.getByText("If somebody signs in here as fay@example.com, the link is on its way.").waitFor();
    await isAccessible(page);
    expect(await fits(page)).toBe(true);
    const { source } = await eventually(() => mail.received.find(isToFay));
    const [, path = ""] = /(\/invite\/\w+)/.exec(mailParts(source).text) ?? [];
    await page.goto(path);
    await page.getByLabel("New password").fill(OTHER_PASSWORD);
    await page.keyboard.press("Enter");
    await menu(page);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Sign out/ })
      .click();
    await page.getByRole("button", { name: "Forgot your password?" }).click();
    await page.getByText("No e-mail?").click();
    await page.getByText("stillup people link ID").waitFor();
    await page.getByRole("button", { name: "Back to the sign-in" }).click();
    await signIn(page, "fay@example.com", OTHER_PASSWORD);
    await menu(page);
  },
);

longTest("behavior 19.59: where browsers have no passkeys, the profile says why", async () => {
  await joinedPerson(await organization("Plain"), { email: "plain@example.com", role: "viewer" });
  await using one = await reader();
  const { page } = one;
  await page.goto("/profile");
  await signIn(page, "plain@example.com", PASSWORD);
  const { origin } = new URL(running.url);
  await page.getByText(`only over HTTPS at a host name. This page is at ${origin}.`).waitFor();
  expect(await page.getByRole("button", { name: "Add a passkey" }).count()).toBe(0);
});

longTest("behavior 19.84: the keyboard alone is enough to sign in and to change the password", async () => {
  await joinedPerson(await organization("Keyboard"), { email: "keys@example.com", role: "viewer" });
  await using one = await reader();
  const { page } = one;
  await page.goto("/");
  await page.getByLabel("E-mail").waitFor();
  const type = async (...texts: string[]) => {
    for (const text of texts) {
      await page.keyboard.press("Tab");
      await page.keyboard.type(text);
    }
  };
  await type("keys@example.com", PASSWORD);
  await page.keyboard.press("Enter");
  await menu(page);
  await page.getByRole("link", { name: "Profile" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Profile", level: 1 }).waitFor();
  await page.getByLabel("Present password").waitFor();
  await page.keyboard.press("Tab");
  await becomes(() => page.evaluate("document.activeElement?.textContent"), "Guide");
  // The choice of a language, and its button.
  for (const _ of [1, 2]) await page.keyboard.press("Tab");
  await type(PASSWORD, OTHER_PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByText("Your other sessions have ended.").waitFor();
});

describe.each(schemesOf("light"))("in %s", (colorScheme) => {
  longTest(
    "behavior 16.376: the views of people have no violation, fit a phone, and do not move while they load",
    async () => {
      const shop = await organization(`in ${colorScheme}`);
      const email = `long.address.of.somebody.who.is.in.${colorScheme}@mail.example.com`;
      await joinedPerson(shop, {
        email,
        role: "owner",
        name: "Wolfeschlegelsteinhausenbergerdorff ".repeat(3),
      });
      const invited = await shop.post("/api/v1/people", { email: `i.${email}`, role: "admin" });
      const look = { colorScheme, viewport: { width: 390, height: 780 } } as const;
      await using one = await browser.reader(running.url, look);
      const { page } = one;
      await observeShifts(page);
      const isWell = async () => {
        await isAccessible(page);
        expect([page.url(), await fits(page)]).toEqual([page.url(), true]);
        expect(await shiftOf(page), page.url()).toBeLessThanOrEqual(MAX_SHIFT);
      };
      await page.goto("/invite/used");
      await page.getByRole("heading", { name: "This link is not valid" }).waitFor();
      await isWell();
      await page.goto(new URL(invited.body.data.inviteUrl).pathname);
      await page.getByRole("heading", { name: /^Join/ }).waitFor();
      await isWell();
      await page.getByRole("button", { name: "I have an account on this server already" }).click();
      await isWell();
      await one.open("/?sign-in=failed");
      await page.getByLabel("E-mail").waitFor();
      await page.getByText("Forgot your password?").click();
      await isWell();
      await page.getByRole("button", { name: "Use an API key instead" }).click();
      await page.getByLabel("API key").waitFor();
      await isWell();
      await page.getByRole("button", { name: "Use e-mail and password instead" }).click();
      await signIn(page, email, PASSWORD);
      await menu(page);
      for (const path of ["/settings/people", "/profile", "/settings"]) {
        await one.open(path);
        await isWell();
      }
      await page.goto("/settings/people");
      await page.getByRole("button", { name: "Invite", exact: true }).click();
      await isWell();
      await page.getByLabel("E-mail").fill(`new.${email}`);
      await page.getByRole("button", { name: "Create the invitation" }).click();
      await page.getByText("Copy it now").waitFor();
      await isWell();
      await page.getByRole("button", { name: "Done" }).click();
      await page.getByRole("button", { name: "More", exact: true }).click();
      await page.getByRole("dialog").getByRole("link", { name: "Profile" }).click();
      await page.getByRole("heading", { name: "Profile", level: 1 }).waitFor();
    },
    2 * PATIENCE,
  );
});
