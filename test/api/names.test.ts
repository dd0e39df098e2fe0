import { expect, test } from "bun:test";
import { SoftwareAuthenticator } from "../support/people/software-authenticator.ts";
import { TestServer } from "../support/product/server.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const ORIGIN = "https://up.example.com";
const OWN_PAGE = { "sec-fetch-site": "same-origin" };

/** Controls of a terminal, of lines, and of the second table of Unicode. */
const CONTROLS = ["\u0000", "\u001b", "\n", "\u007f", "\u009b"];
const PASSWORD = "a password of Ana";

const server = await untilEndOfFile(TestServer.start({ baseUrl: ORIGIN }));
const owner = server.client;

type Send = (name: string) => Promise<{ status: number; body: { error?: string } }>;

/** @returns the token of an invitation */
async function invitation(email: string): Promise<string> {
  const { body } = await owner.post("/api/v1/people", { email, role: "admin" });
  return body.data.inviteUrl.split("/invite/")[1];
}

const asAnyone = (path: string, body: unknown, cookie = "") =>
  owner.as(undefined).send("POST", path, body, { ...OWN_PAGE, cookie });

/** The requests that give a name, each of which is right with a name that is. */
const requests: [of: string, prepared: () => Promise<Send>][] = [
  [
    "a person who is invited",
    async () => (name) => post("people", { email: newEmail(), role: "viewer", name }),
  ],
  [
    "a person, by an owner",
    async () => {
      const { body } = await owner.post("/api/v1/people", { email: newEmail(), role: "viewer" });
      return (name) => owner.patch(`/api/v1/people/${body.data.id}`, { name });
    },
  ],
  [
    "a person who accepts an invitation",
    async () => {
      const token = await invitation(newEmail());
      return (name) => asAnyone(`/api/v1/invites/${token}`, { name, password: PASSWORD });
    },
  ],
  [
    "a person who begins to accept an invitation with a passkey",
    async () => {
      const token = await invitation(newEmail());
      return (name) => asAnyone(`/api/v1/invites/${token}/passkey-options`, { name });
    },
  ],
  [
    "a passkey",
    async () => {
      const token = await invitation(newEmail());
      const accepted = await asAnyone(`/api/v1/invites/${token}`, { name: "Ana", password: PASSWORD });
      const cookie = accepted.headers.get("set-cookie")?.split(";")[0];
      return async (name) => {
        const options = await asAnyone("/api/v1/me/passkeys/options", undefined, cookie);
        const credential = await (await SoftwareAuthenticator.create(ORIGIN)).register(options.body.data);
        return asAnyone("/api/v1/me/passkeys", { credential, name }, cookie);
      };
    },
  ],
  ["an API key", async () => (name) => post("api-keys", { name })],
  [
    "an API key that exists",
    async () => {
      const { body } = await post("api-keys", { name: "deploy" });
      return (name) => owner.patch(`/api/v1/api-keys/${body.data.id}`, { name });
    },
  ],
  ["a link of the wall", async () => (name) => post("wall-links", { name })],
];

const post = (path: string, body: unknown) => owner.post(`/api/v1/${path}`, body);
let emails = 0;
const newEmail = () => `ana${++emails}@example.com`;

test.each(requests)("behavior 19.12: the name of %s has no control characters", async (_, prepared) => {
  const send = await prepared();
  for (const control of CONTROLS) {
    const { status, body } = await send(`An${control}a`);
    expect([control, status]).toEqual([control, 422]);
    expect(body.error).toContain("without control characters");
  }
  expect((await send("Ana \u{1F600}")).status).toBeOneOf([200, 201]);
});
