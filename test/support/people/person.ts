import type { Role } from "../../../src/domain/accounts/role.ts";
import type { Answer, Client } from "../requests/client.ts";

/** As the browser sends with a request of our own page. */
export const OWN_PAGE = { "sec-fetch-site": "same-origin" };

export const PASSWORD = "correct horse battery staple";

/** Somebody who is signed in, with a cookie as in a browser. */
export class SignedInPerson {
  constructor(
    readonly id: string,
    private readonly anonymous: Client,
    readonly cookie: string,
  ) {}

  send(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.anonymous.send(method, path, body, { ...OWN_PAGE, cookie: this.cookie });
  }

  /** The same browser at another node. */
  at({ url }: Pick<Client, "url">): SignedInPerson {
    return new SignedInPerson(this.id, this.anonymous.at(url), this.cookie);
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
  return new SignedInPerson(id, anonymous, cookieIn(headers));
}

/** Signs in a person who has joined. @param at where */
export async function signedIn(at: Client, { id, email }: { id: string; email: string }) {
  const anonymous = at.as(undefined);
  const body = { email, password: PASSWORD };
  const { status, headers } = await anonymous.send("POST", "/api/v1/session", body, OWN_PAGE);
  if (status !== 200) throw new Error(`the sign-in was answered with ${status}`);
  return new SignedInPerson(id, anonymous, cookieIn(headers));
}

function cookieIn(headers: Headers): string {
  return headers.get("set-cookie")?.split(";")[0] ?? "";
}
