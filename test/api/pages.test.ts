import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { SMALL_GIF } from "../support/pages/small-gif.ts";
import { TestServer } from "../support/product/server.ts";
import type { Client } from "../support/requests/client.ts";
import { createMonitor } from "../support/requests/monitors.ts";
import { auditLog, createPage, PAGES, uniqueSlug } from "../support/requests/pages.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const UNKNOWN = "Zc2pGqYt8KXbW4m1rVnD5s";

setDefaultTimeout(300_000);

const server = await untilEndOfFile(TestServer.start());
const owner = server.client;
const monitorId = (await createMonitor(owner, "SCHEDULED")).id;

const ID = expect.stringMatching(/^[0-9A-Za-z]{22}$/);

describe("behavior 15.1: a page", () => {
  test("has the defaults of the fields that are not sent", async () => {
    const slug = uniqueSlug();
    const created = await createPage(owner, { slug, title: " Shop " });
    expect(created).toEqual({
      id: ID,
      slug,
      title: "Shop",
      description: null,
      visibility: "off",
      password: null,
      days: 90,
      minOutage: 120,
      showLatency: false,
      accent: null,
      logo: null,
      embedOrigins: [],
      language: "auto",
      timezone: "UTC",
      components: [],
      ref: null,
    });
    const { status, body } = await owner.get(`${PAGES}/${created.id}`);
    expect([status, body.data]).toEqual([200, created]);
  });

  test("has the values that are sent", async () => {
    const values = {
      slug: uniqueSlug(),
      title: "متجر",
      description: "Orders.\nPayments.",
      visibility: "public",
      password: null,
      days: 7,
      minOutage: 0,
      showLatency: true,
      accent: "#aa0000",
      embedOrigins: ["https://www.example.com"],
      language: "de",
      timezone: "Europe/Berlin",
      components: [{ monitorId, name: "Front", group: "Web" }],
    };
    expect(await createPage(owner, values)).toEqual({
      ...values,
      logo: null,
      id: ID,
      components: [{ ...values.components[0], id: ID }],
      ref: null,
    });
  });

  test("is listed, the oldest first", async () => {
    const other = await server.organization();
    const created = [await createPage(other), await createPage(other)];
    const { status, body } = await other.get(PAGES);
    expect([status, body]).toEqual([200, { data: created }]);
  });

  test("loses its description by an empty one", async () => {
    const { id } = await createPage(owner, { description: "Orders" });
    const { body } = await owner.patch(`${PAGES}/${id}`, { description: "" });
    expect(body.data.description).toBeNull();
    expect((await createPage(owner, { description: "" })).description).toBeNull();
  });
});

describe("behavior 15.2: components", () => {
  test("keep the order of the request, and may show one monitor twice", async () => {
    const second = (await createMonitor(owner, "TCP")).id;
    const components = [
      { monitorId: second, name: " Back ", group: " G " },
      { monitorId },
      { monitorId: second, group: "H" },
    ];
    const { components: created } = await createPage(owner, { components });
    expect(created).toEqual([
      { id: ID, monitorId: second, name: "Back", group: "G" },
      { id: ID, monitorId, name: null, group: null },
      { id: ID, monitorId: second, name: null, group: "H" },
    ]);
  });

  test("may be 500", async () => {
    const components = Array.from({ length: 500 }, (_, at) => ({ monitorId, name: `c${at}` }));
    const { id, components: created } = await createPage(owner, { components });
    expect(created.map(({ name }: { name: string }) => name)).toEqual(components.map(({ name }) => name));
    const turned = created.toReversed();
    const { status, body } = await owner.patch(`${PAGES}/${id}`, { components: withoutNulls(turned) });
    expect([status, body.data.components]).toEqual([200, turned]);
  });
});

describe("behavior 15.3: 422 for a page", () => {
  const valid = () => ({ slug: uniqueSlug(), title: "t" });

  test.each<[string, object, string]>([
    ["without a slug", { slug: undefined }, "slug is required"],
    ["with an empty slug", { slug: "" }, "slug must be 1 to 63 of the characters a-z, 0-9 and -"],
    ["with a long slug", { slug: "a".repeat(64) }, "slug must be"],
    ["with an upper-case slug", { slug: "Shop" }, "slug must be"],
    ["with a slug with a line break", { slug: "shop\n" }, "slug must be"],
    ["without a title", { title: undefined }, "title is required"],
    ["with a blank title", { title: " " }, "title must be 1 to 200 characters"],
    ["with a long title", { title: "a".repeat(201) }, "title must be"],
    ["with a long description", { description: "a".repeat(2001) }, "description must be a string of at most"],
    ["with null for a description", { description: null }, "description must be"],
    [
      "with an unknown visibility",
      { visibility: "private" },
      "visibility must be one of public, password, off",
    ],
    ["with few days", { days: 6 }, "days must be a whole number from 7 to 90, got 6"],
    ["with many days", { days: 91 }, "days must be"],
    ["with half a day", { days: 7.5 }, "days must be"],
    ["with a negative minOutage", { minOutage: -1 }, "minOutage must be a whole number from 0 to 86400"],
    ["with a long minOutage", { minOutage: 86_401 }, "minOutage must be"],
    ["with null for showLatency", { showLatency: null }, "showLatency must be true or false"],
    ["with null for components", { components: null }, "components must be an array"],
    [
      "with too many components",
      { components: Array.from({ length: 501 }, () => ({ monitorId: UNKNOWN })) },
      "components must be an array of at most 500 entries",
    ],
    ["with a component without a monitor", { components: [{}] }, "components.0.monitorId is required"],
    [
      "with an unknown monitor",
      { components: [{ monitorId: UNKNOWN }] },
      "components.0.monitorId is not a monitor of this organization",
    ],
    [
      "with a blank name",
      { components: [{ monitorId: UNKNOWN, name: " " }] },
      "components.0.name must be 1 to 200 characters",
    ],
    [
      "with null for a name",
      { components: [{ monitorId: UNKNOWN, name: null }] },
      "components.0.name must be",
    ],
    [
      "with a long group",
      { components: [{ monitorId: UNKNOWN, group: "a".repeat(101) }] },
      "components.0.group must be 1 to 100 characters",
    ],
    [
      "with an empty group",
      { components: [{ monitorId: UNKNOWN, group: "" }] },
      "components.0.group must be",
    ],
    [
      "with the ID of a component",
      { components: [{ id: UNKNOWN, monitorId: UNKNOWN }] },
      "components.0.id is not a component of this page",
    ],
    ["with an unknown field of a component", { components: [{ status: "up" }] }, "components.0."],
    ["with an unknown field", { host: "a" }, "host is not a known field"],
    ["with a field that is read-only", { id: UNKNOWN }, "id is not a known field"],
  ])("%s", async (_, values, sentence) => {
    const { status, body } = await owner.post(PAGES, { ...valid(), ...values });
    expect([status, body.error]).toEqual([422, expect.stringContaining(sentence)]);
  });

  test("with a slug that a page of any organization has", async () => {
    const { id, slug } = await createPage(owner);
    const other = await server.organization();
    const own = await createPage(other);
    for (const answer of [
      await other.post(PAGES, { ...valid(), slug }),
      await owner.post(PAGES, { ...valid(), slug }),
      await other.patch(`${PAGES}/${own.id}`, { slug }),
    ])
      expect([answer.status, answer.body.error]).toEqual([422, expect.stringContaining("slug is taken")]);
    expect((await owner.patch(`${PAGES}/${id}`, { slug })).status).toBe(200);
    await owner.delete(`${PAGES}/${id}`);
    // It stays reserved for its organization (15.7).
    expect((await other.patch(`${PAGES}/${own.id}`, { slug })).status).toBe(422);
    expect((await createPage(owner, { slug })).slug).toBe(slug);
  });

  test("with a monitor of another organization", async () => {
    const other = await server.organization();
    const { status } = await other.post(PAGES, { ...valid(), components: [{ monitorId }] });
    expect(status).toBe(422);
    expect((await other.get(PAGES)).body.data).toEqual([]);
  });

  test("that is updated with a component of another page, or one twice", async () => {
    const one = await createPage(owner, { components: [{ monitorId }] });
    const other = await createPage(owner, { components: [{ monitorId }] });
    const id = one.components[0].id;
    const update = (components: object[], pageId = one.id) =>
      owner.patch(`${PAGES}/${pageId}`, { title: "x", components });
    const foreign = await update([{ id, monitorId }], other.id);
    expect([foreign.status, foreign.body.error]).toEqual([422, expect.stringContaining("components.0.id")]);
    const twice = await update([
      { id, monitorId },
      { id, monitorId },
    ]);
    expect([twice.status, twice.body.error]).toEqual([422, expect.stringContaining("components.1.id")]);
    expect((await owner.get(`${PAGES}/${one.id}`)).body.data).toEqual(one);
  });
});

describe("behavior 15.4: an update", () => {
  test("changes the fields that are sent", async () => {
    const before = await createPage(owner, { description: "d", components: [{ monitorId, group: "g" }] });
    const changes = { title: "Later", visibility: "public", days: 30, minOutage: 0, showLatency: true };
    for (const [name, value] of Object.entries(changes)) {
      const { status, body } = await owner.patch(`${PAGES}/${before.id}`, { [name]: value });
      expect([status, body.data[name]]).toEqual([200, value]);
    }
    expect((await owner.get(`${PAGES}/${before.id}`)).body.data).toEqual({ ...before, ...changes });
    expect((await owner.patch(`${PAGES}/${before.id}`, {})).body.data).toEqual({ ...before, ...changes });
  });

  test("keeps the components that are sent with their ID, and replaces the others", async () => {
    const second = (await createMonitor(owner, "TCP")).id;
    const { id, components } = await createPage(owner, {
      components: [
        { monitorId, name: "a", group: "g" },
        { monitorId, name: "b" },
        { monitorId, name: "c" },
      ],
    });
    const [a, b, c] = components;
    const { body } = await owner.patch(`${PAGES}/${id}`, {
      components: [
        { monitorId, name: "d" },
        { id: c.id, monitorId: second },
        { id: a.id, monitorId },
      ],
    });
    expect(body.data.components).toEqual([
      { id: ID, monitorId, name: "d", group: null },
      { id: c.id, monitorId: second, name: null, group: null },
      { id: a.id, monitorId, name: null, group: null },
    ]);
    const again = { components: [{ id: b.id, monitorId }] };
    expect((await owner.patch(`${PAGES}/${id}`, again)).status).toBe(422);
    expect((await owner.patch(`${PAGES}/${id}`, { components: [] })).body.data.components).toEqual([]);
  });
});

describe("behavior 15.5: a deletion", () => {
  test("of a monitor deletes its components", async () => {
    const gone = (await createMonitor(owner, "TCP")).id;
    const { id } = await createPage(owner, { components: [{ monitorId: gone }, { monitorId }] });
    await owner.delete(`/api/v1/monitors/${gone}`);
    const { body } = await owner.get(`${PAGES}/${id}`);
    expect(body.data.components).toMatchObject([{ monitorId }]);
  });

  test("of a page answers with its ID, and leaves its monitors", async () => {
    const { id } = await createPage(owner, { components: [{ monitorId }] });
    await owner.post(`${PAGES}/${id}/incidents`, { title: "t", impact: "none" });
    const { status, body } = await owner.delete(`${PAGES}/${id}`);
    expect([status, body]).toEqual([200, { data: { id } }]);
    expect((await owner.get(`${PAGES}/${id}`)).status).toBe(404);
    expect((await owner.get(`${PAGES}/${id}/incidents`)).status).toBe(404);
    expect((await owner.get(`/api/v1/monitors/${monitorId}`)).status).toBe(200);
  });
});

test("behavior 15.6: pages are read by every role and written by an admin, in their organization only", async () => {
  const { id } = await createPage(owner);
  const incident = await owner.post(`${PAGES}/${id}/incidents`, { title: "t", impact: "none" });
  const path = `${PAGES}/${id}/incidents/${incident.body.data.id}`;
  const reads = (client: Client) => [
    client.get(`${PAGES}/${id}`),
    client.get(`${PAGES}/${id}/incidents`),
    client.get(`${PAGES}/${id}/outages`),
    client.get(path),
  ];
  const writes = (client: Client) => [
    client.patch(`${PAGES}/${id}`, { title: "x" }),
    client.post(`${PAGES}/${id}/incidents`, { title: "x", impact: "none" }),
    client.patch(path, { title: "x" }),
    client.post(`${path}/updates`, { status: "identified", body: "x" }),
    client.delete(path),
    client.delete(`${PAGES}/${id}`),
  ];
  const statuses = async (requests: ReturnType<typeof reads>) =>
    (await Promise.all(requests)).map(({ status }) => status);
  const viewer = owner.as(await server.keyWith("viewer"));
  expect(await statuses(reads(viewer))).toEqual([200, 200, 200, 200]);
  expect((await viewer.post(PAGES, { slug: uniqueSlug(), title: "t" })).status).toBe(403);
  expect(await statuses(writes(viewer))).toEqual([403, 403, 403, 403, 403, 403]);
  const other = await server.organization();
  expect(await statuses(reads(other))).toEqual([404, 404, 404, 404]);
  expect(await statuses(writes(other))).toEqual([404, 404, 404, 404, 404, 404]);
  const anonymous = owner.as(undefined);
  expect(await statuses([...reads(anonymous), ...writes(anonymous)])).toEqual(Array(10).fill(401));
  const admin = owner.as(await server.keyWith("admin"));
  for (const write of [() => admin.delete(path), () => admin.delete(`${PAGES}/${id}`)])
    expect((await write()).status).toBe(200);
});

test("behavior 15.16: changes of a page are in the audit log", async () => {
  const other = await server.organization();
  const { id } = await createPage(other, { title: "Shop", days: 7 });
  await other.patch(`${PAGES}/${id}`, { title: "Store", days: 7, components: [] });
  await other.patch(`${PAGES}/${id}`, { title: "Store" });
  await other.delete(`${PAGES}/${id}`);
  expect(await auditLog(other)).toEqual([
    ["page.deleted", { type: "page", id, name: "Store" }, []],
    ["page.updated", { type: "page", id, name: "Store" }, ["title"]],
    ["page.created", { type: "page", id, name: "Shop" }, ["slug", "title", "days"]],
  ]);
});

describe("the logo of a page", () => {
  test("behavior 17.22: is sent as a data URL, shown as its place, kept by that, and deleted by null", async () => {
    const { id, slug, logo } = await createPage(owner, { visibility: "public", logo: SMALL_GIF });
    expect(logo).toEqual({
      url: expect.stringContaining(`/status/${slug}/logo?v=`),
      type: "image/gif",
      size: 29,
    });
    const url = `${owner.url}${logo.url}`;
    const path = `${PAGES}/${id}`;
    const whole = (await owner.get(path)).body.data;
    const { id: _, ...values } = whole;
    expect(
      (await owner.patch(path, { ...values, description: undefined, ref: undefined })).body.data,
    ).toEqual(whole);
    const answer = await fetch(url);
    expect(answer.headers.get("content-type")).toBe("image/gif");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("content-security-policy")).toContain("sandbox");
    expect(Buffer.from(await answer.arrayBuffer()).toString("base64")).toBe(SMALL_GIF.split(",")[1] ?? "");
    const etag = answer.headers.get("etag") ?? "";
    const again = await fetch(url, { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
    expect((await owner.patch(path, { logo: null })).body.data.logo).toBeNull();
    await eventually(async () => (await fetch(url)).status === 404);
    const [entry] = await auditLog(owner);
    expect(entry?.[2]).toEqual(["logo"]);
  });

  test("behavior 17.23: is a 422 if it is no image, or too large", async () => {
    const { id } = await createPage(owner);
    const large = `data:image/gif;base64,${Buffer.from(`GIF89a${"a".repeat(65_536)}`).toString("base64")}`;
    for (const logo of [large, "data:image/gif;base64,AAAA", "https://example.com/logo.gif", 1, {}])
      expect((await owner.patch(`${PAGES}/${id}`, { logo })).status).toBe(422);
  });
});

test("behavior 17.20: a 422 for a color and an origin of another form", async () => {
  for (const changes of [
    { accent: "red" },
    { accent: "#fff" },
    { embedOrigins: ["http://www.example.com"] },
    { embedOrigins: ["https://www.example.com/path"] },
    { embedOrigins: Array.from({ length: 11 }, (_, at) => `https://${at}.example`) },
    { embedOrigins: null },
  ])
    expect((await owner.post(PAGES, { slug: uniqueSlug(), title: "x", ...changes })).status).toBe(422);
});

/** Components as a request has them. */
function withoutNulls(components: Record<string, unknown>[]): object[] {
  return components.map((component) =>
    Object.fromEntries(Object.entries(component).filter(([, value]) => value !== null)),
  );
}
