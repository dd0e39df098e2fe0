import { describe, expect, test } from "bun:test";
import type { Role } from "../../src/domain/accounts/role.ts";
import { FAILED, OidcWorld, SIGNED_IN } from "../support/people/oidc-world.ts";
import { untilEndOfFile } from "../support/until-end.ts";

let count = 0;

const roles = new Map<string, Role>([
  ["admins", "owner"],
  ["ops", "admin"],
  ["staff", "viewer"],
]);

const world = await untilEndOfFile(OidcWorld.start({ roles: { claim: "groups", roles } }));

function somebody(groups?: unknown) {
  count++;
  return { sub: `s${count}`, email: `p${count}@example.com`, email_verified: true, groups };
}

describe("behavior 19.71: with a role claim", () => {
  test("somebody without an invitation becomes a person with this role", async () => {
    const { browser, outcome } = await world.signIn({ ...somebody(["ops"]), name: "Ana" });
    expect(outcome).toEqual(SIGNED_IN);
    const me = await browser.me();
    expect(me).toMatchObject({ role: "admin", name: "Ana", methods: ["oidc"] });
    expect(await world.person(me.id)).toMatchObject({ state: "active", role: "admin" });
    const { body } = await world.owner.get("/api/v1/audit?limit=5");
    expect(body.data).toContainEqual(
      expect.objectContaining({
        action: "person.created",
        actor: { type: "person", id: me.id, name: "Ana" },
      }),
    );
  });

  test("it is read at each sign-in, and counts at once in other sessions", async () => {
    const claims = somebody(["ops"]);
    const { browser: first } = await world.signIn(claims);
    await world.signIn({ ...claims, groups: ["staff"] });
    expect((await first.me()).role).toBe("viewer");
    await world.signIn({ ...claims, groups: ["staff", "admins"] });
    expect((await first.me()).role).toBe("owner");
  });

  test.each([
    [undefined],
    [[]],
    [["unknown"]],
    [["OPS"]],
    [[" ops"]],
    [[["ops"]]],
    [{ ops: true }],
    [["ops", 1]],
    [7],
    [null],
    ["ops,staff"],
  ])("somebody whose groups are %j is refused, also if they had a role", async (groups) => {
    const claims = somebody(["ops"]);
    expect((await world.signIn(claims)).outcome).toEqual(SIGNED_IN);
    expect((await world.signIn({ ...claims, groups })).outcome).toEqual(FAILED);
    expect((await world.signIn(somebody(groups))).outcome).toEqual(FAILED);
    expect(world.reason()).toContain("groups");
  });

  test("it wins over the role of an invitation, which needs a verified address", async () => {
    const claims = somebody(["staff"]);
    const { id } = await world.invite(claims.email, "owner");
    expect((await world.signIn({ ...claims, email_verified: false })).outcome).toEqual(FAILED);
    const { outcome } = await world.signIn(claims);
    expect(outcome).toEqual(SIGNED_IN);
    expect(await world.person(id)).toMatchObject({ role: "viewer", state: "active" });
  });

  test("the address of a person who has another subject is refused", async () => {
    const claims = somebody(["staff"]);
    await world.signIn(claims);
    expect((await world.signIn({ ...claims, sub: "attacker", groups: ["admins"] })).outcome).toEqual(FAILED);
  });

  test("somebody without an address is refused", async () => {
    expect((await world.signIn({ ...somebody(["ops"]), email: undefined })).outcome).toEqual(FAILED);
  });

  test("somebody who is disabled stays so, and somebody who was deleted is created again", async () => {
    const claims = somebody(["ops"]);
    const { id } = await (await world.signIn(claims)).browser.me();
    await world.owner.patch(`/api/v1/people/${id}`, { state: "disabled" });
    expect((await world.signIn(claims)).outcome).toEqual(FAILED);
    await world.owner.delete(`/api/v1/people/${id}`);
    const { browser, outcome } = await world.signIn(claims);
    expect(outcome).toEqual(SIGNED_IN);
    expect((await browser.me()).id).not.toBe(id);
  });

  test("behavior 19.72: the role can't be changed by PATCH, and everything else can", async () => {
    const { id } = await (await world.signIn(somebody(["ops"]))).browser.me();
    const { status, body } = await world.owner.patch(`/api/v1/people/${id}`, { role: "viewer" });
    expect({ status, error: body.error }).toEqual({ status: 422, error: expect.stringContaining("role") });
    expect((await world.owner.patch(`/api/v1/people/${id}`, { name: "Ana" })).body.data.name).toBe("Ana");
  });

  test("10,000 groups are read, and the highest that has a role counts", async () => {
    const many = Array.from({ length: 10_000 }, (_, at) => `group-${at}`);
    const { browser } = await world.signIn(somebody([...many, "staff", "ops", ...many]));
    expect((await browser.me()).role).toBe("admin");
    expect((await world.signIn(somebody(many))).outcome).toEqual(FAILED);
  });

  test("behavior 19.68: a claim that only the second answer of the provider has counts", async () => {
    world.provider.userInfo = { groups: ["ops"] };
    const { browser } = await world.signIn(somebody());
    expect((await browser.me()).role).toBe("admin");
    world.provider.userInfo = {};
  });
});

test("behavior 19.71: the last way into an organization stays: then the role of the provider does not count, which is logged", async () => {
  await using alone = await OidcWorld.start({ roles: { claim: "groups", roles } });
  const claims = { sub: "ana", email: "ana@example.com", email_verified: true };
  const { browser } = await alone.signIn({ ...claims, groups: ["admins"] });
  const { body } = await alone.owner.get("/api/v1/api-keys");
  for (const { id } of body.data)
    expect((await alone.owner.delete(`/api/v1/api-keys/${id}`)).status).toBe(200);
  const { browser: again, outcome } = await alone.signIn({ ...claims, groups: ["staff"] });
  expect(outcome).toEqual(SIGNED_IN);
  expect((await again.me()).role).toBe("owner");
  expect((await browser.me()).role).toBe("owner");
  expect(alone.log.join("\n")).toContain("must keep an owner");
});

test("behavior 19.71: without --oidc-org nobody gets a role while there are several organizations", async () => {
  await using shared = await OidcWorld.start({ roles: { claim: "groups", roles } });
  await shared.server.organization();
  expect((await shared.signIn(somebody(["admins"]))).outcome).toEqual(FAILED);
  expect(shared.reason()).toContain("--oidc-org");
});
