import { describe, expect, test } from "bun:test";
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

  test.each([
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
