import { treaty } from "@elysiajs/eden/treaty2";
import type { createApi } from "#api/http/server.d.ts";

/** What the server refused, in its words. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The server's own routes and types; at run time, the path that is spelled and a `fetch`. */
export const api = treaty<ReturnType<typeof createApi>>("", {
  keepDomain: true,
  fetcher: (async (...request) => {
    const response = await fetch(...request);
    if (response.ok) return response;
    throw new Refusal(response.status, (await response.json()).error);
  }) as typeof fetch,
  // Left to itself, the client would take every text that looks like a date for one.
  onResponse: (response) => response.json(),
}).api.v1;

type Answered<Body> = { data: Body; error: null } | { data: null; error: { value: unknown } };

/** The whole answer. @throws Refusal, or a TypeError where the server can't be reached */
export async function call<Body>(request: Promise<Answered<Body>>): Promise<NonNullable<Body>> {
  const { data, error } = await request;
  if (error) throw error.value;
  return data as NonNullable<Body>;
}

/** What stands in `data` of an answer. @throws like `call` */
export async function ask<Data>(request: Promise<Answered<{ readonly data: Data }>>): Promise<Data> {
  return (await call(request)).data;
}

/* What the API answers with; times are ISO 8601. */

type Data<Call extends (...given: never[]) => Promise<unknown>> = Extract<
  Awaited<ReturnType<Call>>,
  { data: { data: unknown }; error: null }
>["data"]["data"];
type OfMonitor = ReturnType<typeof api.monitors>;
type OfChannel = ReturnType<typeof api.alerts>;

export type Session = Data<typeof api.session.get>;
export type Overview = Data<typeof api.overview.get>;
export type Standing = Overview["monitors"][number];
export type Monitor = Data<OfMonitor["get"]>;
export type Report = Data<OfMonitor["report"]["get"]>;
export type Result = Data<OfMonitor["results"]["get"]>[number];
export type Event = Data<typeof api.events.get>[number];
export type Channel = Data<OfChannel["get"]>;
export type Delivery = Data<OfChannel["deliveries"]["get"]>[number];
export type AlertOutcome = Data<OfChannel["test"]["post"]>;
export type ApiKey = Data<(typeof api)["api-keys"]["get"]>[number];
export type Organization = Data<typeof api.organization.get>;
export type Seen = Data<typeof api.probe.post>;

/** What the config of a monitor or a channel, or the detail of a result, holds by name. */
export type Config = Record<string, unknown>;
