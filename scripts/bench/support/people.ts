/** People of a benchmark, each with an address. All have one password. */
export const PASSWORD = "a password of everybody";

export function emailOf(person: number): string {
  return `p${person}@example.com`;
}

/** Sends what a page of the server would send, from the address of a person. The server must trust the proxy 127.0.0.1. */
export function post(
  url: string,
  { path, body, person, key }: { path: string; body: object; person: number; key?: string },
): Promise<Response> {
  return fetch(`${url}/api/v1/${path}`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: {
      "x-forwarded-for": `198.51.100.${person % 256}`,
      "sec-fetch-site": "same-origin",
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
  });
}

/** Invites somebody, who accepts. @param key of an owner */
export async function join(url: string, { person, key }: { person: number; key: string }): Promise<void> {
  const invitation = { email: emailOf(person), role: "viewer" };
  const invited = await post(url, { path: "people", body: invitation, person, key });
  const { data } = (await invited.json()) as { data: { inviteUrl: string } };
  const path = `invites/${data.inviteUrl.split("/invite/")[1]}`;
  const accepted = await post(url, { path, body: { name: "Ana", password: PASSWORD }, person });
  if (!accepted.ok) throw new Error(`an invitation was answered with ${accepted.status}`);
}
