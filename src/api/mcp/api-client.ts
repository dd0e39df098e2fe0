import { notFound } from "../../errors.ts";
import { headersOfClient } from "../auth/authentication.ts";
import type { ErrorBody } from "../http/errors.ts";
import type { Services } from "../http/services.ts";

/** The API, with the rights of the client that called a tool: a tool has no other way to read or write anything. */
export interface ApiClient {
  /** @param path below `/api/v1` @throws ApiFault */
  get<Body>(path: string, query?: Query): Promise<Body>;
  /** @param isTried whether the write is rolled back after it has answered @throws ApiFault */
  post<Body>(
    path: string,
    body: object,
    options?: { query?: Query | undefined; isTried?: true },
  ): Promise<Body>;
}

/** Undefined values are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** An error of the API. */
export class ApiFault extends Error {
  constructor(
    readonly status: number,
    readonly body: ErrorBody,
  ) {
    super(body.error);
  }
}

/** @param request of the client: its key or session, and its address for the audit log */
export function createApiClient(
  { forward, baseUrl }: Pick<Services, "forward" | "baseUrl">,
  request: Request,
): ApiClient {
  async function send<Body>(
    method: "GET" | "POST",
    { path, query = {}, body, isTried }: { path: string; query?: Query; body?: object; isTried?: true },
  ): Promise<Body> {
    const url = new URL(`/api/v1${path}`, baseUrl());
    // An ID such as `..` would name another route.
    if (url.pathname !== `/api/v1${path}`) throw new ApiFault(404, { error: notFound().message });
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const init = { method, headers: headersOfClient(request), ...(body && { body: JSON.stringify(body) }) };
    const answer = await forward(new Request(url.href, init), { request, ...(isTried && { isTried }) });
    const content = await answer.json();
    if (!answer.ok) throw new ApiFault(answer.status, content as ErrorBody);
    return content as Body;
  }

  return {
    get: (path, query = {}) => send("GET", { path, query }),
    post: (path, body, { query = {}, isTried } = {}) =>
      send("POST", { path, query, body, ...(isTried && { isTried }) }),
  };
}
