import { describe, expect, test } from "bun:test";
import { STANDINGS, type Standing, WRITES, type Write } from "../../src/domain/people/standing.ts";
import { joinedPerson } from "../support/people/person.ts";
import { TestServer } from "../support/product/server.ts";
import type { Answer, Client } from "../support/requests/client.ts";
import { untilEndOfFile } from "../support/until-end.ts";

/** The words of another organization about Vic, who is a member of the first one. */
const WRITTEN = { name: "Victim", email: "VIC@example.com", role: "viewer" };
const OWN = { name: "Vic", email: "vic@example.com", methods: ["password"] };

const server = await untilEndOfFile(TestServer.start());
const home = server.client;
const vic = await joinedPerson(home, { email: OWN.email, role: "admin", name: OWN.name });

const entryOf = async (of: Client) =>
  (await of.get("/api/v1/people")).body.data.find((person: { id: string }) => person.id === vic.id);

const patch = (of: Client, values: object) => of.patch(`/api/v1/people/${vic.id}`, values);

async function accept({ body }: Answer): Promise<void> {
  const token = body.data.inviteUrl.split("/invite/")[1];
  expect((await vic.send("POST", `/api/v1/invites/${token}`, {})).status).toBe(200);
}

const arrange: { [S in Standing]: (other: Client) => Promise<unknown> } = {
  stranger: async () => {},
  invited: (other) => other.post("/api/v1/people", WRITTEN),
  async withdrawn(other) {
    await arrange.invited(other);
    await patch(other, { state: "disabled" });
  },
  member: async (other) => accept(await other.post("/api/v1/people", WRITTEN)),
  async suspended(other) {
    await arrange.member(other);
    await patch(other, { state: "disabled" });
  },
};

const routes: { [W in Write]: (other: Client) => Promise<Answer> } = {
  create: (other) => other.post("/api/v1/people", WRITTEN),
  invite: (other) => other.post(`/api/v1/people/${vic.id}/invite`),
  rename: (other) => patch(other, { name: "Renamed" }),
  changeRole: (other) => patch(other, { role: "owner" }),
  enable: (other) => patch(other, { state: "active" }),
  disable: (other) => patch(other, { state: "disabled" }),
  remove: (other) => other.delete(`/api/v1/people/${vic.id}`),
};

const ALLOWED = { rename: 200, changeRole: 200, disable: 200, remove: 200 } as const;
const expected: { [S in Standing]: { [W in Write]: number } } = {
  stranger: {
    ...{ create: 201, invite: 404, rename: 404, changeRole: 404, enable: 404, disable: 404, remove: 404 },
  },
  invited: { ...ALLOWED, create: 422, invite: 200, enable: 422 },
  withdrawn: { ...ALLOWED, create: 422, invite: 422, enable: 422 },
  member: { ...ALLOWED, create: 422, invite: 422, enable: 200 },
  suspended: { ...ALLOWED, create: 422, invite: 422, enable: 200 },
};

const isAccepted = (standing: Standing) => standing === "member" || standing === "suspended";

/** Everything that the first organization and Vic see. */
async function elsewhere() {
  const { organizations: _, ...me } = (await vic.send("GET", "/api/v1/me")).body.data;
  const { lastSeenAt: __, ...person } = await entryOf(home);
  const audit = (await home.get("/api/v1/audit?limit=100")).body.data;
  return { me, person, audit };
}

const pairs = STANDINGS.flatMap((standing) => WRITES.map((write) => [standing, write] as const));

describe("behavior 19.100: an organization for which a person is", () => {
  test.each(pairs)("%s, and which does this: %s, changes only what is its own", async (standing, write) => {
    const other = await server.organization();
    await arrange[standing](other);
    const before = await elsewhere();
    const { status, body } = await routes[write](other);
    expect(status).toBe(expected[standing][write]);
    expect(await elsewhere()).toEqual(before);
    const entry = await entryOf(other);
    if (status < 300 && write !== "remove") {
      // Vic was seen meanwhile.
      const { inviteUrl: _, ...answered } = body.data;
      expect({ ...answered, lastSeenAt: entry.lastSeenAt }).toEqual(entry);
    }
    if (!entry) return;
    const renamed = write === "rename" ? { name: "Renamed" } : {};
    if (isAccepted(standing))
      expect(entry).toMatchObject({ ...OWN, ...renamed, lastSeenAt: expect.any(String) });
    else
      expect(entry).toMatchObject({
        ...{ ...WRITTEN, ...(write === "changeRole" && { role: "owner" }), ...renamed },
        ...{ methods: [], lastSeenAt: null, state: expect.not.stringContaining("active") },
      });
  });

  test.each(STANDINGS)("%s sees that, and nothing of the passkeys and identities", async (standing) => {
    const other = await server.organization();
    await arrange[standing](other);
    const entry = await entryOf(other);
    if (standing === "stranger") expect(entry).toBeUndefined();
    else expect(entry.methods).toEqual(isAccepted(standing) ? ["password"] : []);
    for (const path of ["/api/v1/me/passkeys", "/api/v1/me/identities", "/api/v1/me/sessions"])
      expect((await other.get(path)).status).toBe(404);
    const { data } = (await vic.send("GET", "/api/v1/me")).body;
    const { data: own } = (await other.get("/api/v1/organization")).body;
    expect(data.organizations.some(({ id }: { id: string }) => id === own.id)).toBe(standing === "member");
  });
});
