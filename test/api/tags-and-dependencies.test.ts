import { describe, expect, test } from "bun:test";
import { TestServer } from "../support/product/server.ts";
import { checkIn, createChannel, createMonitor, newMonitor } from "../support/requests/monitors.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(TestServer.start());
const owner = server.client;

const MONITORS = "/api/v1/monitors";
const get = async (id: string) => (await owner.get(`${MONITORS}/${id}`)).body.data;
const patch = (id: string, changes: object) => owner.patch(`${MONITORS}/${id}`, changes);
const job = async (changes: object = {}) => createMonitor(owner, "SCHEDULED", changes);

/** Sends fields in a POST and in a PATCH. @returns the errors, which are the same */
async function refusal(fields: object): Promise<string> {
  const { id } = await job();
  const answers = [
    await owner.post(MONITORS, newMonitor("SCHEDULED", fields)),
    await patch(id, { name: "changed", ...fields }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([422, 422]);
  expect(answers[0]?.body).toEqual(answers[1]?.body);
  expect((await get(id)).name).not.toBe("changed");
  return answers[0]?.body.error;
}

describe("behavior 14.1: tags", () => {
  test("are in every response, each once and in the given order", async () => {
    const { id, tags } = await job({ tags: ["web", "a:b_c.d-e", "web", "1"] });
    expect(tags).toEqual(["web", "a:b_c.d-e", "1"]);
    expect((await patch(id, { name: "renamed" })).body.data.tags).toEqual(tags);
    const changed = (await patch(id, { tags: ["z", "a", "z"] })).body.data;
    expect(changed.tags).toEqual(["z", "a"]);
    expect(await get(id)).toEqual(changed);
    const listed = (await owner.get(MONITORS)).body.data.find((one: { id: string }) => one.id === id);
    expect(listed.tags).toEqual(["z", "a"]);
    expect((await patch(id, { tags: [] })).body.data.tags).toEqual([]);
    expect((await job()).tags).toEqual([]);
  });

  test("are up to 20, not counting repeated ones", async () => {
    const tags = Array.from({ length: 20 }, (_, at) => `t${at}`);
    expect((await job({ tags: [...tags, ...tags] })).tags).toEqual(tags);
    expect(await refusal({ tags: [...tags, "t20"] })).toBe("tags must be at most 20 different ones, got 21");
  });

  test.each([["Web"], ["-a"], [""], ["a b"], ["é"], ["a".repeat(51)], [null], [1]])(
    "are refused if one is %j",
    async (tag) => {
      expect(await refusal({ tags: ["fine", tag] })).toBe(
        `tags.1 must be 1 to 50 characters of a-z, 0-9 and : _ . -, and begin with a letter or a digit${got(tag)}`,
      );
    },
  );

  test("are refused if they are no array", async () => {
    for (const tags of ["web", null, {}])
      expect(await refusal({ tags })).toStartWith("tags must be an array");
  });
});

describe("behavior 14.4: dependsOn", () => {
  test("is in every response, oldest monitor first and each once", async () => {
    const [router, database] = [await job(), await job()];
    const ids = [router.id, database.id];
    const { id, dependsOn } = await job({ dependsOn: [database.id, router.id, database.id] });
    expect(dependsOn).toEqual(ids);
    expect((await get(id)).dependsOn).toEqual(ids);
    expect((await patch(id, { name: "renamed" })).body.data.dependsOn).toEqual(ids);
    const listed = (await owner.get(MONITORS)).body.data.find((one: { id: string }) => one.id === id);
    expect(listed.dependsOn).toEqual(ids);
    expect((await patch(id, { dependsOn: [router.id] })).body.data.dependsOn).toEqual([router.id]);
    expect((await patch(id, { dependsOn: [] })).body.data.dependsOn).toEqual([]);
  });

  test("has no deleted monitor", async () => {
    const router = await job();
    const { id } = await job({ dependsOn: [router.id] });
    await owner.delete(`${MONITORS}/${router.id}`);
    expect((await get(id)).dependsOn).toEqual([]);
  });

  test("is refused for an unknown monitor, and for one of another organization", async () => {
    const other = await server.organization();
    const foreign = await createMonitor(other, "SCHEDULED");
    const { id } = await job();
    for (const wrong of ["none", "", foreign.id])
      expect(await refusal({ dependsOn: [id, wrong] })).toBe(
        "dependsOn.1 is not a monitor of this organization",
      );
  });

  test("is refused for the monitor itself and for a cycle", async () => {
    const a = await job();
    const b = await job({ dependsOn: [a.id] });
    const c = await job({ dependsOn: [b.id] });
    expect((await patch(a.id, { dependsOn: [a.id] })).body.error).toBe("dependsOn.0 must be another monitor");
    for (const closing of [b, c]) {
      const { status, body } = await patch(a.id, { dependsOn: [closing.id] });
      expect([status, body.error]).toEqual([422, "dependsOn.0 must not depend on this monitor itself"]);
    }
    expect((await get(a.id)).dependsOn).toEqual([]);
    expect((await patch(c.id, { dependsOn: [a.id, b.id] })).status).toBe(200);
  });

  test("is refused with more than 8 monitors", async () => {
    const ids = await Promise.all(Array.from({ length: 9 }, async () => (await job()).id));
    expect(await refusal({ dependsOn: ids })).toBe("dependsOn must be at most 8 different ones, got 9");
    expect((await job({ dependsOn: ids.slice(0, 8) })).dependsOn).toHaveLength(8);
  });

  test.each([[null], ["a"], [[1]]])("is refused if it is %j", async (dependsOn) => {
    expect(await refusal({ dependsOn })).toStartWith("dependsOn");
  });
});

describe("behavior 14.5: alertBindings", () => {
  test("have `after` and `every` in responses only if they are not 0", async () => {
    const [a, b, c] = [await createChannel(owner), await createChannel(owner), await createChannel(owner)];
    const { id } = await job({
      alertBindings: [
        { alertChannelId: c.id, after: 86_400, every: 0 },
        { alertChannelId: a.id },
        { alertChannelId: b.id, every: 300 },
      ],
    });
    const expected = [
      { monitorId: id, alertChannelId: a.id },
      { monitorId: id, alertChannelId: b.id, every: 300 },
      { monitorId: id, alertChannelId: c.id, after: 86_400 },
    ];
    expect((await get(id)).alertBindings).toEqual(expected);
    for (const [at, { id: channel }] of [a, b, c].entries()) {
      const { bindings } = (await owner.get(`/api/v1/alerts/${channel}`)).body.data;
      expect(bindings).toEqual([expected[at]]);
    }
    const changed = (
      await patch(id, { alertBindings: [{ alertChannelId: b.id, after: 60, every: 604_800 }] })
    ).body.data;
    expect(changed.alertBindings).toEqual([
      { monitorId: id, alertChannelId: b.id, after: 60, every: 604_800 },
    ]);
    expect((await patch(id, { alertBindings: [] })).body.data.alertBindings).toEqual([]);
  });

  test("behavior 14.6: are set to 0 by alertChannelIds", async () => {
    const { id: alertChannelId } = await createChannel(owner);
    const { id } = await job({ alertBindings: [{ alertChannelId, after: 60, every: 300 }] });
    const { body } = await patch(id, { alertChannelIds: [alertChannelId] });
    expect(body.data.alertBindings).toEqual([{ monitorId: id, alertChannelId }]);
  });

  test("behavior 14.6: are refused together with alertChannelIds, and with one channel twice", async () => {
    const { id: alertChannelId } = await createChannel(owner);
    const alertBindings = [{ alertChannelId }];
    expect(await refusal({ alertBindings, alertChannelIds: [alertChannelId] })).toBe(
      "alertChannelIds must be left out if alertBindings is set",
    );
    expect(await refusal({ alertBindings: [{ alertChannelId }, { alertChannelId, after: 1 }] })).toBe(
      "alertBindings.1.alertChannelId must not be in another entry too",
    );
    expect(await refusal({ alertBindings: [{ alertChannelId }, { alertChannelId: "none" }] })).toBe(
      "alertBindings.1.alertChannelId is not an alert channel of this organization",
    );
  });

  test.each([
    [{ after: -1 }, "alertBindings.0.after must be a whole number from 0 to 86400, got -1"],
    [{ after: 86_401 }, "alertBindings.0.after must be a whole number from 0 to 86400, got 86401"],
    [{ after: 1.5 }, "alertBindings.0.after must be a whole number from 0 to 86400, got 1.5"],
    [{ after: null }, "alertBindings.0.after must be a whole number from 0 to 86400, got null"],
    [{ every: 299 }, "alertBindings.0.every must be 0 or a whole number from 300 to 604800, got 299"],
    [{ every: 604_801 }, "alertBindings.0.every must be 0 or a whole number from 300 to 604800, got 604801"],
    [{ every: null }, "alertBindings.0.every must be 0 or a whole number from 300 to 604800, got null"],
    [{ until: 3 }, "alertBindings.0.until is not a known field"],
  ])("are refused with %j", async (fields, error) => {
    const { id: alertChannelId } = await createChannel(owner);
    expect(await refusal({ alertBindings: [{ alertChannelId, ...fields }] })).toBe(error);
  });

  test("do not change what a job answers", async () => {
    const { id: alertChannelId } = await createChannel(owner);
    const { id } = await job({ alertBindings: [{ alertChannelId, after: 60 }] });
    await checkIn(owner, id, "fail");
    const [result] = (await owner.get(`${MONITORS}/${id}/results`)).body.data;
    expect(result.alertOutcome).toMatchObject({ status: "pending", channels: [{ status: "pending" }] });
  });
});

function got(value: unknown): string {
  return value === null || typeof value === "number" ? `, got ${value}` : "";
}
