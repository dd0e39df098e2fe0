import type { treaty } from "@elysiajs/eden/treaty2";
import type { createApi } from "#api/http/server.d.ts";
import type { SaidFault } from "../../../domain/schemas/validation.ts";
import { base } from "../app/base.ts";

/** The server refused a request. The message is for the reader. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** The whole answer. */
    readonly body: unknown = {},
    /** The same fault for a form, which shows it beside its field. */
    readonly fault?: SaidFault,
  ) {
    super(message);
  }
}

type Api = ReturnType<typeof treaty<ReturnType<typeof createApi>>>;

const METHODS = ["get", "post", "patch", "delete"];

/**
 * The API, with the types of the server's own routes: `api.monitors({ id }).get()` and so on. This is the part of Eden's treaty
 * that the page uses, whose own code is 2 kB of the first script.
 */
export const api = clientOf(`${base}/api/v1`) as Api["api"]["v1"];

/** @param path so far; a call with a method sends the request, and another one adds the value of a parameter */
function clientOf(path: string): unknown {
  return new Proxy(() => {}, {
    get: (_, name: string) => clientOf(`${path}/${name}`),
    apply(_target, _this, [given, options]: [Record<string, unknown>?, Record<string, unknown>?]) {
      const [, parent = "", name = ""] = /(.*)\/(.*)/.exec(path) ?? [];
      if (METHODS.includes(name)) return send(parent, name, { given, options });
      return clientOf(`${path}/${encodeURIComponent(String(Object.values(given ?? {})[0]))}`);
    },
  });
}

interface Arguments {
  /** The options of a GET, or the body. */
  given: Record<string, unknown> | undefined;
  options: Record<string, unknown> | undefined;
}

async function send(path: string, method: string, { given, options }: Arguments) {
  const isRead = method === "get";
  const { query: named } = (isRead ? given : options) ?? {};
  const query = new URLSearchParams(definedIn(named as object)).toString();
  const hasBody = !isRead && given !== undefined;
  const text = hasBody ? JSON.stringify(given) : "";
  const response = await fetch(path + (query && `?${query}`), {
    method: method.toUpperCase(),
    // A change that was asked for is also sent while the page is left: browsers do that for 64 KiB.
    keepalive: !isRead && text.length <= MAX_LEFT_BEHIND,
    ...(hasBody && { headers: { "content-type": "application/json" }, body: text }),
  });
  const body = await response.json();
  if (!response.ok) throw await errorOf(response, body);
  return { data: body, error: null };
}

/** The error of an answer. Its message is in the language of the reader if the server names the fault (behavior 27.71, 27.72). */
async function errorOf({ status, headers }: Response, body: { error: string }): Promise<ApiError> {
  const named = headers.get("stillup-fault");
  const read =
    named &&
    (await import("./fault-text.ts").then(
      ({ readFault }) => readFault(named, body.error),
      () => null,
    ));
  return read ? new ApiError(status, read.text, body, read.fault) : new ApiError(status, body.error, body);
}

/** Characters of a body that is sent while the page is left. */
export const MAX_LEFT_BEHIND = 20_000;

function definedIn(query: object = {}): [string, string][] {
  return Object.entries(query).filter(([, value]) => value !== undefined);
}

export type Answer<Body> = { data: Body; error: null } | { data: null; error: { value: unknown } };

/** The whole body of an answer. @throws ApiError, or a TypeError if the server cannot be reached */
export async function getAnswer<Body>(request: Promise<Answer<Body>>): Promise<NonNullable<Body>> {
  const { data, error } = await request;
  if (error) throw error.value;
  return data as NonNullable<Body>;
}

/** The field `data` of an answer. @throws like `getAnswer` */
export async function getData<Data>(request: Promise<Answer<{ readonly data: Data }>>): Promise<Data> {
  return (await getAnswer(request)).data;
}

/* The types of `data` in answers. Times are ISO 8601. */

type Data<Call extends (...args: never[]) => Promise<unknown>> = Extract<
  Awaited<ReturnType<Call>>,
  { data: { data: unknown }; error: null }
>["data"]["data"];
type OfInvite = ReturnType<typeof api.invites>;
type OfMonitor = ReturnType<typeof api.monitors>;
type OfChannel = ReturnType<typeof api.alerts>;
type OfOutage = ReturnType<typeof api.outages>;
type OfPage = ReturnType<typeof api.pages>;

export type Session = Data<typeof api.session.get>;
export type SignInHelp = Data<typeof api.session.help.get>;
export type Invite = Data<OfInvite["get"]>;
export type Person = Data<typeof api.people.get>[number];
export type InvitedPerson = Data<typeof api.people.post>;
export type Discovery = Data<typeof api.discovery.get>;
export type Me = Data<typeof api.me.get>;
export type Identity = Data<typeof api.me.identities.get>[number];
export type Passkey = Data<typeof api.me.passkeys.get>[number];
export type OwnSession = Data<typeof api.me.sessions.get>[number];
export type Overview = Data<typeof api.overview.get>;
export type MonitorSummary = Overview["monitors"][number];
export type Monitor = Data<OfMonitor["get"]>;
export type RelatedMonitor = Data<OfMonitor["related"]["get"]>[number];
export type NotificationForecast = Data<OfMonitor["forecast"]["get"]>;
export type Report = Data<OfMonitor["report"]["get"]>;
export type Place = Report["places"][number];
export type JobRun = Data<OfMonitor["runs"]["get"]>[number];
export type Result = Data<OfMonitor["results"]["get"]>[number];
export type Event = Data<typeof api.events.get>[number];
export type Outage = Data<OfOutage["get"]>;
export type ListedOutage = Data<typeof api.outages.report.get>[number];
export type OutageReport = Data<OfOutage["report"]["get"]>;
export type Cause = Data<typeof api.causes.get>[number];
export type MonitorFact = Data<OfMonitor["facts"]["get"]>[number];
export type Evidence = Data<OfOutage["evidence"]["get"]>[number];
export type TimelineEntry = Data<OfOutage["timeline"]["get"]>[number];
export type AuditEntry = Data<typeof api.audit.get>[number];
export type Channel = Data<typeof api.alerts.report.get>[number];
export type Delivery = Data<OfChannel["deliveries"]["get"]>[number];
export type AlertOutcome = Data<OfChannel["test"]["post"]>;
export type ApiKey = Data<(typeof api)["api-keys"]["get"]>[number];
export type Location = Data<typeof api.locations.report.get>[number];
export type MonthlyReport = Data<typeof api.reports.monthly.get>;
export type Schedule = Data<typeof api.schedules.get>[number];
export type ReportMail = Data<typeof api.reports.mails.get>[number];
export type Maintenance = Data<typeof api.maintenances.get>[number];
export type Wall = Data<typeof api.wall.get>;
export type WallLink = Data<(typeof api)["wall-links"]["get"]>[number];
export type Page = Data<typeof api.pages.get>[number];
export type Incident = Data<OfPage["incidents"]["get"]>[number];
export type PageOutage = Data<OfPage["outages"]["get"]>[number];
export type Server = Data<typeof api.server.get>;
export type MailTest = Data<(typeof api.server)["mail-test"]["post"]>;
export type Organization = Data<typeof api.organization.get>;
export type Replay = Data<typeof api.replay.post>;
export type CheckPreview = Data<typeof api.probe.post>;

/** The config of a monitor or a channel, or the detail of a result, by field. */
export type Config = Record<string, unknown>;
