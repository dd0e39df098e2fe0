import type { Role } from "../../../src/domain/accounts/role.ts";
import type { Answer, Client } from "../requests/client.ts";

/** As the browser sends with a request of our own page. */
const OWN_PAGE = { "sec-fetch-site": "same-origin" };

export const PASSWORD = "correct horse battery staple";

/** Somebody who is signed in, with a cookie as in a browser. */
export class SignedInPerson {
  constructor(
    readonly id: string,
    private readonly anonymous: Client,
    private readonly cookie: string,
  ) {}

  send(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.anonymous.send(method, path, body, { ...OWN_PAGE, cookie: this.cookie });
  }

  /** Opens the stream of changes. */
  stream(): Promise<Response> {
    return fetch(`${this.anonymous.url}/api/v1/stream`, { headers: { cookie: this.cookie } });
  }
}

/** Invites somebody, who accepts. @param owner of the organization */
export async function joinedPerson(
  owner: Client,
  { email, role, name = "Ana" }: { email: string; role: Role; name?: string },
): Promise<SignedInPerson> {
  const { id, inviteUrl } = (await owner.post("/api/v1/people", { email, role })).body.data;
  const token = new URL(inviteUrl).pathname.split("/").at(-1);
  const anonymous = owner.as(undefined);
  const body = { name, password: PASSWORD };
  const { headers } = await anonymous.send("POST", `/api/v1/invites/${token}`, body, OWN_PAGE);
  return new SignedInPerson(id, anonymous, headers.get("set-cookie")?.split(";")[0] ?? "");
}
