import { treaty } from "@elysiajs/eden/treaty2";
// The declarations that `tsc` writes: the sources would be checked again in each project.
import type { createApi } from "#api/http/server.d.ts";

/** All routes with the types of their requests and responses. */
export type Api = ReturnType<typeof createApi>;

/**
 * A client for programs on Bun, typed by the routes of the server (behavior 16.184). A call resolves to `data` or to `error`, and
 * throws only if the server cannot be reached. Times are ISO 8601 texts.
 *
 * @param url of the server, for example `https://up.example.com`
 */
export function createClient(url: string, { key }: { key: string }): ReturnType<typeof treaty<Api>> {
  return treaty<Api>(url, { headers: { authorization: `Bearer ${key}` }, parseDate: false });
}
