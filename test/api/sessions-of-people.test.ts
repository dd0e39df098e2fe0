import { expect, test } from "bun:test";
import { shiftClock } from "../support/clock.ts";
import { joinedPerson } from "../support/people/person.ts";
import { ApiServer } from "../support/product/api-server.ts";
import { newMonitor } from "../support/requests/monitors.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(ApiServer.start());
const shop = await server.organization("Shop", "enterprise");
const NOT_FOUND = { status: 404, body: { error: "Not found" } };

test("behavior 19.82: the help with the sign-in says in which ways people can sign in", async () => {
  await using own = await ApiServer.start();
  const { owner } = await own.organization("Shop", "enterprise");
  const methods = async () => (await owner.as(undefined).get("/api/v1/session/help")).body.data.methods;
  expect(await methods()).toEqual([]);
  await owner.post("/api/v1/people", { email: "invited@example.com", role: "viewer" });
  expect(await methods()).toEqual([]);
  await joinedPerson(owner, { email: "ana@example.com", role: "viewer" });
  expect(await methods()).toEqual(["password"]);
});

test("behavior 19.30: a session lasts 30 days from its last use, in the browser too", async () => {
  const person = await joinedPerson(shop.owner, { email: "often@example.com", role: "viewer" });
  const days = (ends: string) => Math.round((Date.parse(ends) - server.now()) / 86_400_000);
  using clock = new DisposableStack();
  // Each visit is 29 days after the previous one.
  for (const visit of [29, 58, 87]) {
    clock.use(shiftClock(29 * 86_400_000));
    for (const path of ["/api/v1/session", "/api/v1/session/current"]) {
      const { status, body, headers } = await person.send("GET", path);
      expect([visit, status, days(body.data?.expiresAt)]).toEqual([visit, 200, 30]);
      expect(headers.get("set-cookie")).toMatch(/^stillup_session=person_\w+; .*Max-Age=2592000/i);
    }
    // Writes the visits.
    await person.send("GET", "/api/v1/me/sessions");
  }
  clock.use(shiftClock(31 * 86_400_000));
  expect((await person.send("GET", "/api/v1/session/current")).body.data).toBeNull();
});

test("behavior 19.80: a person switches between the organizations in which they are active", async () => {
  const other = await server.organization("Blog", "enterprise");
  const foreign = await server.organization("Foreign", "enterprise");
  const email = "several@example.com";
  const person = await joinedPerson(shop.owner, { email, role: "admin" });
  await joinedPerson(other.owner, { email, role: "viewer" });
  const [blog, alien] = await Promise.all(
    [other, foreign].map(async ({ owner }) => (await owner.get("/api/v1/organization")).body.data.id),
  );
  const switchTo = (organizationId: string) => person.send("PATCH", "/api/v1/session", { organizationId });
  expect((await person.send("GET", "/api/v1/organization")).body.data.name).toBe("Shop");
  expect(await switchTo(blog)).toMatchObject({
    status: 200,
    body: { data: { personId: person.id, role: "viewer" } },
  });
  expect((await person.send("GET", "/api/v1/organization")).body.data.name).toBe("Blog");
  expect((await person.send("GET", "/api/v1/me")).body.data.organization.name).toBe("Blog");
  expect(await switchTo(alien)).toMatchObject(NOT_FOUND);
  expect(await switchTo("nothing")).toMatchObject(NOT_FOUND);
  expect((await person.send("GET", "/api/v1/organization")).body.data.name).toBe("Blog");
  expect(await shop.owner.patch("/api/v1/session", { organizationId: blog })).toMatchObject(NOT_FOUND);
});

test("behavior 19.81: a person of any role acknowledges outages and takes that back, a key needs `admin`", async () => {
  const { id, checkinUrl } = (await shop.owner.post("/api/v1/monitors", newMonitor("SCHEDULED"))).body.data;
  await fetch(`${checkinUrl}?status=fail`);
  const [outage] = (await shop.owner.get(`/api/v1/outages?monitorId=${id}`)).body.data;
  const path = `/api/v1/outages/${outage.id}/acknowledge`;
  const viewer = await joinedPerson(shop.owner, { email: "night@example.com", role: "viewer", name: "Noor" });
  expect(await viewer.send("POST", path, { note: "on it" })).toMatchObject({
    status: 200,
    body: { data: { acknowledgedBy: "Noor", note: "on it" } },
  });
  const [entry] = (await shop.owner.get("/api/v1/audit")).body.data;
  expect(entry).toMatchObject({
    actor: { type: "person", id: viewer.id, name: "Noor" },
    action: "outage.acknowledged",
  });
  expect((await viewer.send("DELETE", path)).body.data.acknowledgedBy).toBeNull();
  expect((await shop.viewer.post(path)).status).toBe(403);
  expect((await shop.viewer.delete(path)).status).toBe(403);
  expect((await viewer.send("PATCH", `/api/v1/monitors/${id}`, { name: "x" })).status).toBe(403);
});

test("behavior 19.83: an invitation has a page, which needs no session and changes nothing", async () => {
  const { inviteUrl } = (
    await shop.owner.post("/api/v1/people", { email: "preview@example.com", role: "viewer" })
  ).body.data;
  for (let times = 0; times < 2; times++) {
    const page = await fetch(inviteUrl, { headers: { accept: "text/html" } });
    expect([page.status, page.headers.get("x-robots-tag")]).toEqual([200, "noindex"]);
    expect(page.headers.get("referrer-policy")).toBe("no-referrer");
    expect(page.headers.get("link")).not.toContain("/api/");
    expect(await page.text()).toContain('<div id="root">');
  }
  const token = new URL(inviteUrl).pathname.split("/").at(-1);
  expect((await fetch(`${server.url}/api/v1/invites/${token}`)).status).toBe(200);
});

test.each([
  ["is disabled", "PATCH", { state: "disabled" }],
  ["has another role", "PATCH", { role: "viewer" }],
  ["is removed", "DELETE", undefined],
])("behavior 19.7: the stream of a person who %s ends before the next pulse", async (what, method, body) => {
  const email = `${what.replaceAll(" ", "-")}@example.com`;
  const person = await joinedPerson(shop.owner, { email, role: "admin" });
  const ofOwner = await fetch(`${server.url}/api/v1/stream`, {
    headers: { authorization: `Bearer ${shop.owner.key}` },
  });
  const ofPerson = await person.stream();
  const first = Promise.race([
    secondPulse(ofOwner).then(() => "a pulse"),
    ofPerson.text().then(() => "the end"),
  ]);
  await shop.owner.send(method, `/api/v1/people/${person.id}`, body);
  expect(await first).toBe("the end");
});

async function secondPulse({ body }: Response): Promise<void> {
  let pulses = 0;
  for await (const chunk of body ?? []) {
    pulses += new TextDecoder().decode(chunk).split("event: pulse").length - 1;
    if (pulses === 2) return;
  }
}
