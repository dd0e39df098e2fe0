import type { Client } from "./client.ts";
import { createPage } from "./pages.ts";

/** A page with a password, and a reader who has given it. */
interface UnlockedPage {
  id: string;
  slug: string;
  password: string;
  /** The header of the reader. */
  cookie: string;
}

/** Sends the form for the password of a page. */
export function unlock(url: string, slug: string, password: string): Promise<Response> {
  const body = new URLSearchParams({ password });
  return fetch(`${url}/status/${slug}/unlock`, { method: "POST", body, redirect: "manual" });
}

/** Creates a page with a password, and opens it. */
export async function unlockedPage(client: Client): Promise<UnlockedPage> {
  const password = "open sesame";
  const { id, slug } = await createPage(client, { visibility: "password", password });
  const [pass = ""] = (await unlock(client.url, slug, password)).headers.getSetCookie();
  return { id, slug, password, cookie: pass.split(";")[0] ?? "" };
}

/** The statuses of the answers of a server to somebody, to the reader, and to the form with the password. */
export async function answersOf(url: string, { slug, password, cookie }: UnlockedPage): Promise<number[]> {
  const page = `${url}/status/${slug}`;
  const answers = [await fetch(page), await fetch(page, { headers: { cookie } })];
  return [...answers, await unlock(url, slug, password)].map(({ status }) => status);
}

/** All of them if the server knows the page, its password and its cookies. */
export const UNLOCKED = [401, 200, 303];
