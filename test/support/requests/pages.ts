import type { Client } from "./client.ts";

export const PAGES = "/api/v1/pages";

let pages = 0;

/** A slug that no other page of this test process has. */
export function uniqueSlug(): string {
  return `page-${process.pid}-${++pages}`;
}

/** Creates a page that is off, without components. @returns the data of the response */
export async function createPage(client: Client, changes: object = {}) {
  const { status, body } = await client.post(PAGES, { slug: uniqueSlug(), title: "a page", ...changes });
  if (status !== 201) throw new Error(`the page was not created: ${status} ${JSON.stringify(body)}`);
  return body.data;
}

/** Creates an incident without updates. @returns the data of the response */
export async function createIncident(client: Client, pageId: string, changes: object = {}) {
  const incident = { title: "an incident", impact: "minor", ...changes };
  const { status, body } = await client.post(`${PAGES}/${pageId}/incidents`, incident);
  if (status !== 201) throw new Error(`the incident was not created: ${status} ${JSON.stringify(body)}`);
  return body.data;
}

/** The entries of the audit log, the newest first: action, resource and names of changed fields. */
export async function auditLog(
  client: Client,
): Promise<[action: string, resource: object, changed: string[]][]> {
  const { body } = await client.get("/api/v1/audit?limit=200");
  return body.data.map(({ action, resource, changed }: Record<string, unknown>) => [
    action,
    resource,
    changed,
  ]);
}
