import { describe, expect, test } from "bun:test";
import { LANGUAGES } from "../../src/domain/pages/reader-locale.ts";
import { TestServer } from "../support/product/server.ts";
import { createChannel } from "../support/requests/monitors.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(TestServer.start());
const owner = server.client;

const PATH = "/api/v1/organization";

describe("behavior 7.69: the organization", () => {
  test("has its plan and its default channels", async () => {
    expect(await owner.get(PATH)).toMatchObject({
      status: 200,
      body: {
        data: {
          id: expect.any(String),
          name: "Default",
          plan: "enterprise",
          subscription: "active",
          defaultAlertChannelIds: [],
          language: "en",
        },
      },
    });
  });

  test("can be renamed and get default channels, by an admin", async () => {
    const admin = owner.as(await server.keyWith("admin"));
    const { id } = await createChannel(admin);
    const { body } = await admin.patch(PATH, { name: " Acme ", defaultAlertChannelIds: [id, id] });
    expect(body.data).toMatchObject({ name: "Acme", defaultAlertChannelIds: [id] });
    expect((await admin.patch(PATH, { defaultAlertChannelIds: [] })).body.data).toMatchObject({
      name: "Acme",
      defaultAlertChannelIds: [],
    });
  });

  test("behavior 27.21: has a language, which an admin sets, and an undo takes back", async () => {
    const admin = owner.as(await server.keyWith("admin"));
    const { status, body } = await admin.patch(PATH, { language: "ar" });
    expect({ status, language: body.data.language }).toEqual({ status: 200, language: "ar" });
    expect((await owner.get(PATH)).body.data).toEqual(body.data);
    const viewer = owner.as(await server.keyWith("viewer"));
    expect((await viewer.patch(PATH, { language: "de" })).status).toBe(403);
    const [entry] = (await owner.get("/api/v1/audit?limit=1")).body.data;
    expect(entry).toMatchObject({ changed: ["language"], before: { language: "en" } });
    expect((await owner.post(`/api/v1/audit/${entry.id}/undo`)).body.data.language).toBe("en");
  });

  test.each([
    [{ language: "tlh" }, `language must be one of ${LANGUAGES.join(", ")}`],
    [{ language: "DE" }, `language must be one of ${LANGUAGES.join(", ")}`],
    [{ language: null }, `language must be one of ${LANGUAGES.join(", ")}, got null`],
    [{ plan: "pro" }, "plan is not a known field"],
    [{ name: "" }, "name must be 1 to 200 characters"],
    [
      { name: "kept?", defaultAlertChannelIds: ["x"] },
      "defaultAlertChannelIds.0 is not an alert channel of this organization",
    ],
  ])("rejects %p and changes nothing", async (changes, error) => {
    const before = await owner.get(PATH);
    const { status, body } = await owner.patch(PATH, changes);
    expect({ status, body }).toEqual({ status: 422, body: { error } });
    expect((await owner.get(PATH)).body).toEqual(before.body);
  });
});
