import { describe, expect, test } from "bun:test";
import { LANGUAGES } from "../../src/domain/pages/reader-locale.ts";
import { joinedPerson } from "../support/people/person.ts";
import { TestServer } from "../support/product/server.ts";
import type { Client } from "../support/requests/client.ts";
import { createChannel } from "../support/requests/monitors.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(TestServer.start());

const OPTIONS = `one of ${LANGUAGES.join(", ")}`;
const hook = { name: "c", type: "WEBHOOK", config: { url: "http://127.0.0.1:1/" } };

describe("behavior 27.20: the language of a channel", () => {
  const find = async (owner: Client, id: string) => (await owner.get(`/api/v1/alerts/${id}`)).body.data;

  test("is in each response, null without one", async () => {
    const owner = await server.organization();
    const plain = await createChannel(owner);
    expect(plain.language).toBeNull();
    expect((await find(owner, plain.id)).language).toBeNull();
    const { status, body } = await owner.post("/api/v1/alerts", { ...hook, language: "fr" });
    expect([status, body.data.language]).toEqual([201, "fr"]);
    const { data } = (await owner.get("/api/v1/alerts")).body;
    expect(data.map((one: object) => Object.entries(one).find(([name]) => name === "language"))).toEqual([
      ["language", null],
      ["language", "fr"],
    ]);
    const [first, second] = (await owner.get("/api/v1/alerts/report")).body.data;
    expect([first.language, second.language]).toEqual([null, "fr"]);
  });

  test("is set and removed by an update, which an undo takes back", async () => {
    const owner = await server.organization();
    const { id } = await createChannel(owner);
    const undo = async () => {
      const [entry] = (await owner.get("/api/v1/audit?limit=1")).body.data;
      return owner.post(`/api/v1/audit/${entry.id}/undo`);
    };
    expect((await owner.patch(`/api/v1/alerts/${id}`, { language: "da" })).body.data.language).toBe("da");
    expect((await owner.patch(`/api/v1/alerts/${id}`, { name: "z" })).body.data.language).toBe("da");
    const removed = await owner.patch(`/api/v1/alerts/${id}`, { language: null });
    expect(removed.body.data.language).toBeNull();
    expect((await undo()).body.data.language).toBe("da");
    expect((await undo()).body.data.language).toBeNull();
    expect((await find(owner, id)).language).toBeNull();
  });

  test("behavior 27.25: is a language of the list or null", async () => {
    const owner = await server.organization();
    const { id } = await createChannel(owner);
    for (const [language, got] of [
      ["xx", ""],
      ["EN", ""],
      ["auto", ""],
      [7, ", got 7"],
    ]) {
      const wrong = { status: 422, body: { error: `language must be ${OPTIONS} or null${got}` } };
      expect(await owner.patch(`/api/v1/alerts/${id}`, { language })).toMatchObject(wrong);
      expect(await owner.post("/api/v1/alerts", { ...hook, language })).toMatchObject(wrong);
    }
    expect((await find(owner, id)).language).toBeNull();
  });

  test("behavior 27.24, 27.25: is exported and applied, and a wrong one is a fault of its document", async () => {
    const owner = await server.organization();
    const { name: _, ...ops } = hook;
    const document = { channels: { ops: { ...ops, language: "nb" } } };
    expect((await owner.post("/api/v1/apply", document)).body.data.changes).toMatchObject([
      { action: "create", fields: ["type", "config.url", "language"] },
    ]);
    expect((await owner.get("/api/v1/export")).body.data.document.channels).toEqual(document.channels);
    const put = await owner.put("/api/v1/alerts/by-ref/ops", hook);
    expect([put.status, put.body.data.language]).toEqual([200, null]);
    const wrong = { channels: { ops: { ...ops, language: "no" } } };
    const { status, body } = await owner.post("/api/v1/apply", wrong);
    const fault = { path: "channels.ops.language", message: `must be ${OPTIONS}`, got: "no" };
    expect([status, body.faults]).toEqual([422, [fault]]);
  });
});

describe("behavior 27.22: the language of a person", () => {
  const start = async (email: string) => {
    const owner = await server.organization();
    return { owner, person: await joinedPerson(owner, { email, role: "viewer" }) };
  };

  test("is chosen by the person, and nobody else reads it", async () => {
    const { owner, person } = await start("ana@example.com");
    expect((await person.send("GET", "/api/v1/me")).body.data.language).toBeNull();
    const { status, body } = await person.send("PATCH", "/api/v1/me", { language: "he" });
    expect([status, body.data.language]).toEqual([200, "he"]);
    expect((await person.send("GET", "/api/v1/me")).body).toEqual(body);
    expect((await owner.get("/api/v1/people")).body.data[0]).not.toHaveProperty("language");
    const [entry] = (await owner.get("/api/v1/audit?limit=1")).body.data;
    expect(entry).toMatchObject({ action: "person.updated", changed: ["language"] });
    const undone = await owner.post(`/api/v1/audit/${entry.id}/undo`);
    expect(undone).toMatchObject({
      status: 409,
      body: { error: "this change can't be undone: the old value of language is not kept" },
    });
    const removed = await person.send("PATCH", "/api/v1/me", { language: null });
    expect(removed.body.data.language).toBeNull();
  });

  test("behavior 27.1: is the language of the page, in each browser in which the person is signed in", async () => {
    const { person } = await start("fay@example.com");
    const languageOf = async (path: string, cookie = person.cookie) => {
      const headers = { accept: "text/html", "accept-language": "fr", cookie };
      const response = await fetch(new URL(path, server.client.url), { headers });
      return /<html lang="([^"]*)"/.exec(await response.text())?.[1];
    };
    expect(await languageOf("/")).toBe("fr");
    await person.send("PATCH", "/api/v1/me", { language: "he" });
    const inAnotherLanguage = `${person.cookie}; stillup_language=de`;
    for (const path of ["/", "/outages"])
      for (const cookie of [person.cookie, inAnotherLanguage])
        expect(await languageOf(path, cookie)).toBe("he");
    expect(await languageOf("/", "stillup_language=de")).toBe("de");
    await person.send("PATCH", "/api/v1/me", { language: null });
    expect(await languageOf("/")).toBe("fr");
  });

  test("behavior 27.25: is a language of the list or null, and not an organization's to change", async () => {
    const { owner, person } = await start("bob@example.com");
    const wrong = { status: 422, body: { error: `language must be ${OPTIONS} or null` } };
    for (const language of ["pt", "zh", ""])
      expect(await person.send("PATCH", "/api/v1/me", { language })).toMatchObject(wrong);
    const unknown = { status: 422, body: { error: "language is not a known field" } };
    expect(await owner.patch(`/api/v1/people/${person.id}`, { language: "de" })).toMatchObject(unknown);
    expect((await owner.patch("/api/v1/me", { language: "de" })).status).toBe(404);
  });

  test("behavior 27.23: is in the answer with which the page starts, at once", async () => {
    const { owner, person } = await start("eve@example.com");
    const current = async () => (await person.send("GET", "/api/v1/session/current")).body.data.language;
    expect(await current()).toBeNull();
    await person.send("PATCH", "/api/v1/me", { language: "zh-TW" });
    expect(await current()).toBe("zh-TW");
    expect((await owner.get("/api/v1/session/current")).body.data.language).toBeNull();
    expect((await person.send("GET", "/api/v1/session")).body.data).not.toHaveProperty("language");
  });
});
