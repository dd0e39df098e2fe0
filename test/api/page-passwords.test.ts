import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { textsOf } from "../../src/status-page/languages/load.ts";
import { shiftClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { ApiServer, type Members } from "../support/product/api-server.ts";
import { createMonitor } from "../support/requests/monitors.ts";
import { auditLog, createIncident, createPage, PAGES, uniqueSlug } from "../support/requests/pages.ts";
import { dueMails, subscribe } from "../support/store/subscribers.ts";

setDefaultTimeout(300_000);

const HOST = "status.example";
const HOSTED = "hosted";
const PASSWORD = "open sesame: ü";
const SECRET = "Component that nobody may know";
const DAY = 86_400_000;

let server: ApiServer;
let members: Members;
let clients = 0;

beforeAll(async () => {
  server = await ApiServer.start({ pageHosts: new Map([[HOST, HOSTED]]) });
  members = await server.organization("Locked", "enterprise");
});

afterAll(() => server[Symbol.asyncDispose]());

/** The headers of a reader with an address of their own, so that each test has its own limit. */
function reader(): Record<string, string> {
  return { "x-forwarded-for": `192.0.2.${++clients}` };
}

const basic = (password: string) => ({
  authorization: `Basic ${Buffer.from(`anybody:${password}`).toString("base64")}`,
});

const send = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  fetch(server.url + path, { redirect: "manual", headers, ...init });

async function lock(changes: object = {}) {
  const { id: monitorId } = await createMonitor(members.owner, "SCHEDULED");
  const components = [{ monitorId, name: SECRET }];
  const given = { title: "Inside", visibility: "password", password: PASSWORD, components, ...changes };
  return createPage(members.owner, given);
}

function unlock(path: string, password: string, headers: Record<string, string> = reader()) {
  const body = new URLSearchParams({ password });
  return send(`${path}/unlock`, { accept: "text/html", ...headers }, { method: "POST", body });
}

const passOf = (answer: Response) => answer.headers.getSetCookie()[0] ?? "";
const cookieOf = (answer: Response) => ({ cookie: passOf(answer).split(";")[0] ?? "" });

describe("the password of a page", () => {
  test("behavior 21.30: is shown as three dots, and is stored as a hash alone", async () => {
    const page = await lock();
    expect(page).toMatchObject({ visibility: "password", password: "•••" });
    const { body } = await members.viewer.get(`${PAGES}/${page.id}`);
    expect(body.data.password).toBe("•••");
    const [row] = await server.db.rows<{ hash: string | null }>(
      "SELECT password_hash AS hash FROM pages WHERE id = $1",
      page.id,
    );
    expect(String(row?.hash)).toStartWith("$argon2id$");
  });

  test.each([
    [
      { visibility: "password" },
      "password is required if visibility is password: 8 to 200 printable characters",
    ],
    [{ visibility: "password", password: null }, "password is required"],
    [{ visibility: "password", password: "•••" }, "password is •••, but none is stored: send the password"],
    [{ visibility: "public", password: "•••" }, "password is •••, but none is stored: send the password"],
    [
      { visibility: "password", password: 12345678 },
      "password must be a text of 8 to 200 printable characters",
    ],
    [
      { visibility: "password", password: "7 chars" },
      "password must be a text of 8 to 200 printable characters",
    ],
    [
      { visibility: "password", password: "x".repeat(201) },
      "password must be a text of 8 to 200 printable characters",
    ],
    [
      { visibility: "password", password: `${PASSWORD}\n` },
      "password must be a text of 8 to 200 printable characters",
    ],
    [{ visibility: "public", password: PASSWORD }, "password must be left out unless visibility is password"],
    [{ password: PASSWORD }, "password must be left out unless visibility is password"],
  ])("behavior 21.31: %p is a 422", async (values, sentence) => {
    const ref = uniqueSlug();
    const request = { slug: ref, title: "Inside", ...values };
    const created = await members.owner.post(PAGES, request);
    const { id } = await createPage(members.owner);
    const changed = await members.owner.patch(`${PAGES}/${id}`, values);
    const put = await members.owner.put(`${PAGES}/by-ref/${ref}`, request);
    const applied = await members.owner.post("/api/v1/apply", {
      pages: { [ref]: { slug: ref, ...values } },
    });
    for (const { status, body } of [created, changed, put])
      expect([status, body.error]).toEqual([422, expect.stringContaining(sentence)]);
    // In a document, null is the default.
    expect([applied.status, applied.body.faults?.[0]?.path]).toEqual([422, `pages.${ref}.password`]);
    expect(JSON.stringify([created, changed, put, applied])).not.toContain(PASSWORD);
  });

  test("behavior 21.31: stays with three dots and without the field, and is forgotten by another visibility", async () => {
    const { id, slug } = await lock();
    const change = (values: object) => members.owner.patch(`${PAGES}/${id}`, values);
    expect((await change({ title: "Inside 2" })).body.data.password).toBe("•••");
    expect((await change({ visibility: "password", password: "•••" })).status).toBe(200);
    expect((await send(`/status/${slug}`, { ...reader(), ...basic(PASSWORD) })).status).toBe(200);
    expect((await change({ visibility: "public", password: "•••" })).body.data.password).toBeNull();
    expect((await change({ visibility: "password" })).status).toBe(422);
    const [row] = await server.db.rows<{ hash: string | null }>(
      "SELECT password_hash AS hash FROM pages WHERE id = $1",
      id,
    );
    expect(row?.hash).toBeNull();
  });

  test("behavior 21.32: is named in the audit log if it changes, and is a placeholder in an export", async () => {
    const other = await server.organization("Audited", "enterprise");
    const { id } = await createPage(other.owner, {
      visibility: "password",
      password: PASSWORD,
      slug: "inner",
    });
    await other.owner.patch(`${PAGES}/${id}`, { password: PASSWORD });
    await other.owner.patch(`${PAGES}/${id}`, { password: "another one" });
    const log = (await auditLog(other.owner)).filter(([action]) => action.startsWith("page."));
    expect(log.map(([action, , changed]) => [action, changed])).toEqual([
      ["page.updated", ["password"]],
      ["page.created", expect.arrayContaining(["visibility", "password"])],
    ]);
    const text = JSON.stringify((await other.owner.get("/api/v1/export")).body);
    expect(text).toContain('"password":"${PAGE_A_PAGE_PASSWORD}"');
    expect(text).not.toContain("argon2");
  });

  test("behavior 21.32: in a document that is applied again it changes nothing, and its cookies stay valid", async () => {
    const ref = uniqueSlug();
    const document = { pages: { [ref]: { slug: ref, visibility: "password", password: PASSWORD } } };
    const apply = async (given: object) =>
      (await members.owner.post("/api/v1/apply", given)).body.data?.changes.map(
        ({ fields }: { fields: string[] }) => fields,
      );
    expect(await apply(document)).toEqual([["slug", "visibility", "password"]]);
    const opened = cookieOf(await unlock(`/status/${ref}`, PASSWORD));
    expect(await apply(document)).toEqual([]);
    expect(await apply({ pages: { [ref]: { slug: ref, visibility: "password" } } })).toEqual([]);
    expect((await send(`/status/${ref}`, opened)).status).toBe(200);
    const changed = { pages: { [ref]: { ...document.pages[ref], password: "another one" } } };
    expect(await apply(changed)).toEqual([["password"]]);
    await eventually(async () => (await send(`/status/${ref}`, opened)).status === 401);
  });
});

/** Routes with a token of their own, and what shows nothing of a page. */
const OPEN = ["/icon", "/subscriptions/confirm", "/subscriptions/unsubscribe"];

/** All routes of a page, below its slug, from the code. @param ids of a component and an incident */
function routesOf(slug: string, { component, incident }: { component: string; incident: string }) {
  const below = "/status/:slug";
  return server.routes
    .filter(({ path }) => path === below || path.startsWith(`${below}/`))
    .map(({ method, path }) => {
      const rest = path.slice(below.length);
      const month = new Date(server.now()).toISOString().slice(0, 7);
      return {
        method,
        rest: rest
          .replace(":month", month)
          .replace(":id", rest.startsWith("/incidents") ? incident : component),
      };
    })
    .map(({ method, rest }) => ({ method, rest, path: `/status/${slug}${rest}` }));
}

describe("a page with a password", () => {
  async function filled(slug = uniqueSlug()) {
    const logo = `data:image/gif;base64,${btoa("GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000;")}`;
    const page = await lock({ slug, logo });
    const incident = await createIncident(members.owner, page.id, { title: "A secret incident" });
    return { ...page, ids: { component: page.components[0].id, incident: incident.id } };
  }

  let hosted: Awaited<ReturnType<typeof filled>>;
  beforeAll(async () => {
    hosted = await filled(HOSTED);
  });

  test("behavior 21.34, 21.35: every route except its icon and links with a token answers 401 without it, at both places", async () => {
    const { slug, ids } = hosted;
    // A POST of the form without a password is a wrong one, which counts.
    const routes = routesOf(slug, ids).filter(
      ({ method, rest }) => !OPEN.includes(rest) && !(method === "POST" && rest === "/unlock"),
    );
    expect(routes.length).toBeGreaterThan(15);
    for (const { method, rest, path } of routes)
      for (const [place, host] of [
        [path, {}],
        [rest || "/", { host: HOST }],
      ] as const)
        for (const sent of method === "GET" ? ["GET", "HEAD"] : [method])
          for (const accept of ["*/*", "text/html,*/*"]) {
            const name = `${sent} ${place} ${accept}`;
            const headers = {
              ...host,
              accept,
              "if-none-match": "*",
              authorization: `Bearer ${members.owner.key}`,
            };
            const answer = await send(place, headers, { method: sent });
            const text = await answer.text();
            expect([name, answer.status]).toEqual([name, 401]);
            expect([name, answer.headers.get("cache-control"), answer.headers.get("etag")]).toEqual([
              name,
              "no-store",
              null,
            ]);
            expect(answer.headers.get("vary")).toContain("authorization, cookie");
            const asks = answer.headers.get("www-authenticate")?.startsWith("Basic ") ?? false;
            expect([name, asks]).toEqual([name, accept === "*/*"]);
            for (const secret of [SECRET, "secret incident", "Operational", "argon2"])
              expect([name, text.includes(secret)]).toEqual([name, false]);
          }
    expect((await send(`/status/${slug}/icon`)).status).toBe(200);
  });

  test("behavior 21.34, 21.38: all of them open with the password, and nobody may keep what they answer", async () => {
    const { slug, ids } = await filled();
    const headers = { ...reader(), ...basic(PASSWORD) };
    for (const { rest, path } of routesOf(slug, ids).filter(({ method }) => method === "GET")) {
      // The server has no SMTP, and the last one needs a token.
      if ([...OPEN, "/unlock", "/subscriptions", "/subscriptions/manage"].includes(rest)) continue;
      const answer = await send(path, headers);
      expect([path, answer.status, answer.headers.get("cache-control")]).toEqual([
        path,
        200,
        "private, no-store",
      ]);
      expect(answer.headers.get("vary")).toContain("authorization, cookie");
      const again = await send(path, { ...headers, "if-none-match": answer.headers.get("etag") ?? "" });
      expect([path, again.status, again.headers.get("cache-control"), again.headers.get("vary")]).toEqual([
        ...[path, 304, "private, no-store", answer.headers.get("vary")],
      ]);
    }
    const body = new URLSearchParams({ email: "a@example.com" });
    const subscribed = await send(`/status/${slug}/subscriptions`, headers, { method: "POST", body });
    expect(subscribed.status).toBe(202);
  });

  test("behavior 21.37: its form shows the title and nothing else, in the language of the reader", async () => {
    const { slug } = await lock({ description: "For partners" });
    const answer = await send(`/status/${slug}`, { accept: "text/html", "accept-language": "ar" });
    const text = await answer.text();
    expect(text).toContain('<html lang="ar" dir="rtl">');
    expect(text).toContain("<title>\u2068Inside\u2069</title>");
    expect(text).toContain('autocomplete="current-password"');
    expect(text).toContain("كلمة المرور");
    for (const absent of ["For partners", SECRET, "<script", "/logo", "feed.atom"])
      expect(text).not.toContain(absent);
  });

  test("behavior 21.35: a client that asks for no form reads why it gets nothing", async () => {
    const { slug } = await lock();
    const address = reader();
    const errorFor = async (headers: object) => {
      const answer = await send(`/status/${slug}/badge.json`, { ...address, ...headers });
      return ((await answer.json()) as { error: string }).error;
    };
    expect(await errorFor({})).toBe("Unauthorized: the page needs its password");
    for (let sent = 0; sent < 10; sent++)
      expect(await errorFor(basic("wrong one"))).toBe("Unauthorized: the password is wrong");
    expect(await errorFor(basic(PASSWORD))).toBe("Too many wrong passwords: try again later");
  });

  test("behavior 21.36: the form gives a cookie for this page alone, which leads to it", async () => {
    const { slug } = await lock();
    const other = await lock();
    const path = `/status/${slug}`;
    const wrong = await unlock(path, "not this one");
    expect([wrong.status, passOf(wrong)]).toEqual([401, ""]);
    expect(await wrong.text()).toContain("The password is wrong.");
    const opened = await unlock(path, PASSWORD);
    expect([opened.status, opened.headers.get("location"), opened.headers.get("cache-control")]).toEqual([
      303,
      path,
      "no-store",
    ]);
    const attributes = passOf(opened)
      .split("; ")
      .slice(1)
      .map((one) => one.toLowerCase());
    expect(attributes.sort()).toEqual(["httponly", "max-age=2592000", `path=${path}`, "samesite=lax"]);
    expect((await send(path, cookieOf(opened))).status).toBe(200);
    // At a host of its own, a browser may send the cookies of both paths.
    const both = { cookie: `a=b; stillup_page=1.x; ${cookieOf(opened).cookie}` };
    expect((await send(path, both)).status).toBe(200);
    expect((await send(`/status/${other.slug}`, cookieOf(opened))).status).toBe(401);
    for (const cookie of [`${cookieOf(opened).cookie}x`, "stillup_page=9999999999999.", "stillup_page="])
      expect((await send(path, { cookie })).status).toBe(401);
    using _ = shiftClock(30 * DAY + 1000);
    expect((await send(path, cookieOf(opened))).status).toBe(401);
  });

  test("behavior 21.36: a form that another site sends does not open the page, and uses up no attempt of its visitor", async () => {
    const path = `/status/${(await lock()).slug}`;
    const visitor = reader();
    for (let sent = 0; sent < 11; sent++) {
      const answer = await unlock(path, PASSWORD.slice(sent), { ...visitor, "sec-fetch-site": "cross-site" });
      expect([answer.status, passOf(answer)]).toEqual([401, ""]);
    }
    const own = await unlock(path, PASSWORD, { ...visitor, "sec-fetch-site": "same-origin" });
    expect(own.status).toBe(303);
  });

  test("behavior 21.36: at the host of a page, the cookie is for all of it", async () => {
    const opened = await unlock("", PASSWORD, { host: HOST, ...reader() });
    expect([opened.status, opened.headers.get("location")]).toEqual([303, "/"]);
    expect(passOf(opened).toLowerCase()).toContain("path=/;");
    expect((await send("/", { host: HOST, ...cookieOf(opened) })).status).toBe(200);
  });

  test("behavior 21.2, 21.35, 21.37: the address of its form, loaded again, is the form in the language of the reader, or leads to the page", async () => {
    const german = { accept: "text/html", "accept-language": "de-AT", host: HOST };
    const again = (headers: Record<string, string>, path = "/unlock") => send(path, headers);
    const form = await again(german);
    expect([form.status, await form.text()]).toEqual([401, expect.stringContaining('action="/unlock"')]);
    const wrong = await again({ ...german, ...reader(), ...basic("not this one") });
    const text = await wrong.text();
    expect([wrong.status, wrong.headers.get("www-authenticate")]).toEqual([401, null]);
    expect(text).toContain('<html lang="de">');
    expect(text).toContain(textsOf("de").unlock.wrong);
    const right = { ...reader(), ...basic(PASSWORD) };
    const opened = await again({ ...german, ...right });
    expect([opened.status, opened.headers.get("location"), passOf(opened)]).toEqual([303, "/", ""]);
    const below = await again({ host: HOST, ...right }, `/status/${HOSTED}/unlock`);
    expect(below.headers.get("location")).toBe(`/status/${HOSTED}`);
    const shown = await send("/", { ...german, ...right });
    expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining('<html lang="de-AT">')]);
  });

  test("behavior 21.36: the form of a page that is public by now leads to it, and that of no page is a 404", async () => {
    const { slug } = await createPage(members.owner, { visibility: "public" });
    const opened = await unlock(`/status/${slug}`, PASSWORD);
    expect([opened.status, passOf(opened)]).toEqual([303, ""]);
    expect((await send(`/status/${slug}/unlock`)).headers.get("location")).toBe(`/status/${slug}`);
    const off = await createPage(members.owner);
    for (const missing of ["/status/absent", `/status/${off.slug}`]) {
      const answer = await unlock(missing, PASSWORD);
      expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining("<!doctype html>")]);
      const forPrograms = await unlock(missing, PASSWORD, { accept: "*/*" });
      expect([forPrograms.status, await forPrograms.json()]).toEqual([404, { error: "Not found" }]);
    }
  });

  test("behavior 21.39: a changed password ends the cookies, and a new page under an old slug does not take them", async () => {
    const { id, slug } = await lock();
    const opened = cookieOf(await unlock(`/status/${slug}`, PASSWORD));
    await members.owner.patch(`${PAGES}/${id}`, { password: "another one" });
    await eventually(async () => (await send(`/status/${slug}`, opened)).status === 401);
    await members.owner.patch(`${PAGES}/${id}`, { password: PASSWORD });
    await eventually(
      async () => (await send(`/status/${slug}`, { ...reader(), ...basic(PASSWORD) })).status === 200,
    );
    expect((await send(`/status/${slug}`, opened)).status).toBe(401);
    const again = cookieOf(await unlock(`/status/${slug}`, PASSWORD));
    await members.owner.delete(`${PAGES}/${id}`);
    await lock({ slug });
    await eventually(async () => (await send(`/status/${slug}`, again)).status === 401);
  });

  test("behavior 21.40: after ten wrong passwords from one address, for any pages, the right one is a 429, and a cookie works", async () => {
    const [one, other] = [await lock(), await lock()];
    const address = reader();
    const opened = cookieOf(await unlock(`/status/${one.slug}`, PASSWORD, address));
    const wrong = Array.from({ length: 10 }, (_, at) =>
      at % 2 === 0
        ? unlock(`/status/${one.slug}`, `wrong number ${at}`, address)
        : send(`/status/${other.slug}/badge.json`, { ...address, ...basic(at === 1 ? "" : "wrong one") }),
    );
    expect((await Promise.all(wrong)).map(({ status }) => status)).toEqual(Array(10).fill(401));
    for (const answer of [
      await unlock(`/status/${other.slug}`, PASSWORD, address),
      await send(`/status/${one.slug}`, { ...address, ...basic(PASSWORD) }),
    ]) {
      expect(answer.status).toBe(429);
      expect(Number(answer.headers.get("retry-after"))).toBeWithin(1, 901);
      expect([answer.headers.get("cache-control"), answer.headers.get("etag")]).toEqual(["no-store", null]);
    }
    expect((await send(`/status/${one.slug}`, { ...address, ...opened })).status).toBe(200);
    expect((await unlock(`/status/${other.slug}`, PASSWORD)).status).toBe(303);
  });

  test("behavior 21.40: many requests at once with the right password are no wrong ones", async () => {
    const { slug } = await lock();
    const headers = { ...reader(), ...basic(PASSWORD) };
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => send(`/status/${slug}/badge.svg`, headers)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test("behavior 21.40: the right passwords of many pages at once are no wrong ones", async () => {
    const address = reader();
    const pages = await Promise.all(
      Array.from({ length: 15 }, async (_, at) => {
        const password = `password of page ${at}`;
        return { path: `/status/${(await lock({ password })).slug}`, password };
      }),
    );
    const answers = await Promise.all(
      pages.map(({ path, password }) => send(path, { ...address, ...basic(password) })),
    );
    expect(answers.map(({ status }) => status)).toEqual(pages.map(() => 200));
    const wrong = await Promise.all(
      pages.map(({ path }, at) => send(path, { ...address, ...basic(`wrong ${at}`) })),
    );
    const statuses = wrong.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(5).fill(429)]);
  });

  test("behavior 21.41: its subscribers get e-mails, and confirm and leave without the password", async () => {
    const { id, slug } = await lock();
    const email = "reader@example.com";
    await server.store.subscriptions.request({ slug, email, locale: "en" }, server.now());
    const [optIn] = (await dueMails(server.store, server.now())).filter(({ page }) => page.slug === slug);
    const link = (form: string, token = optIn?.subscriber.token) =>
      `/status/${slug}/subscriptions/${form}?token=${token}`;
    for (const init of [{}, { method: "POST" }])
      expect((await send(link("confirm"), {}, init)).status).toBe(200);
    const token = await subscribe(server.store, slug, "other@example.com", server.now());
    await createIncident(members.owner, id, { updates: [{ status: "investigating", body: "We look." }] });
    const mails = (await dueMails(server.store, server.now())).filter(({ page }) => page.slug === slug);
    expect(mails.map(({ page }) => page.isPublic)).toContain(true);
    expect((await send(link("unsubscribe", token), {}, { method: "POST" })).status).toBe(200);
  });
});
