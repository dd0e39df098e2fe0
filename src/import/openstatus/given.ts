import { listOf, parsedJson, recordOf, textOf } from "../imported.ts";

/*
 * openstatus writes a monitor in three forms: the file of its command line tool, and the answers of version 1 and of version 2
 * of its API. All of them become `GivenMonitor`.
 */

export interface Assertion {
  kind: "status" | "header" | "body" | "record" | "other";
  /** Such as `eq` or `not_contains`. */
  compare: string;
  target: string;
  /** The name of the header, or the type of the record. */
  key: string;
}

export interface GivenMonitor {
  /** Its ID, or its key in the file. */
  id: string;
  name: string;
  /** `http`, `tcp` or `dns`. */
  kind: string;
  /** Such as `1m`. */
  periodicity: string;
  /** The URL, or the host and the port, or the name to look up. */
  target: string;
  method: string;
  headers: [name: string, value: string][];
  body: string;
  /** Milliseconds, as the two below. */
  timeout: number | undefined;
  degradedAfter: number | undefined;
  /** How many attempts a check has. */
  retry: number | undefined;
  followsRedirects: boolean;
  /** Undefined if the file does not say it. */
  isActive: boolean | undefined;
  regions: string[];
  assertions: Assertion[];
  /** The name on status pages. */
  externalName: string | undefined;
  hasDescription: boolean;
  hasTelemetry: boolean;
}

/** The objects of a workspace. All except the monitors are as the API writes them. */
export interface GivenOpenstatus {
  monitors: GivenMonitor[];
  /** Undefined if the file does not have them. */
  notifications: Record<string, unknown>[] | undefined;
  pages: Record<string, unknown>[];
  maintenances: Record<string, unknown>[];
}

/** @returns undefined for a value that is none of the forms */
export function readOpenstatus(value: unknown): GivenOpenstatus | undefined {
  const monitors = readAnswer(value) ?? readFile(value);
  if (!monitors) return undefined;
  const { notifications, pages, statusPages, maintenances } = recordOf(value);
  return {
    monitors,
    notifications: notifications === undefined ? undefined : itemsOf(notifications, "notification"),
    pages: [...itemsOf(pages, "statusPage"), ...itemsOf(statusPages, "statusPage")],
    maintenances: itemsOf(maintenances, "maintenance"),
  };
}

/** A list, or the answer of version 2 with one, whose items may be answers with one item. */
function itemsOf(value: unknown, item: string): Record<string, unknown>[] {
  const list = Array.isArray(value) ? value : listOf(recordOf(value)[`${item}s`]);
  return list.map((one) => {
    const record = recordOf(one);
    return item in record ? { ...recordOf(record[item]), ...record } : record;
  });
}

/** The lists of an answer of version 2, and the kind of their monitors. */
const LISTS = { httpMonitors: "http", tcpMonitors: "tcp", dnsMonitors: "dns" };

function readAnswer(value: unknown): GivenMonitor[] | undefined {
  if (Array.isArray(value)) return value.map((one) => ofVersion1(recordOf(one)));
  const record = recordOf(value);
  const lists = Object.entries(LISTS).filter(([name]) => Array.isArray(record[name]));
  if (lists.length > 0)
    return lists.flatMap(([name, kind]) =>
      listOf(record[name]).map((one) => ofVersion2(recordOf(one), kind)),
    );
  const { monitors } = record;
  // A monitor of the file may have the key "monitors".
  return Array.isArray(monitors) || !("kind" in recordOf(monitors)) ? readNested(monitors) : undefined;
}

function readNested(monitors: unknown): GivenMonitor[] | undefined {
  return monitors === undefined || monitors === null ? undefined : readAnswer(monitors);
}

/** Also its lock file, which has the ID beside each monitor. */
function readFile(value: unknown): GivenMonitor[] | undefined {
  const entries = Object.entries(recordOf(value)).map(([key, one]) => {
    const { Monitor, monitor = Monitor ?? one } = recordOf(one);
    return [key, recordOf(monitor)] as const;
  });
  const isFile = entries.length > 0 && entries.every(([, one]) => "kind" in one && "request" in one);
  return isFile ? entries.map(([key, one]) => ofFile(key, one)) : undefined;
}

function ofFile(key: string, fields: Record<string, unknown>): GivenMonitor {
  const request = recordOf(fields.request);
  const host = textOf(request.host) ?? "";
  const port = textOf(request.port);
  return {
    ...shared(fields),
    ...{ id: key, kind: textOf(fields.kind) ?? "", periodicity: textOf(fields.frequency) ?? "" },
    target: textOf(request.url) ?? textOf(request.uri) ?? (port === undefined ? host : addressOf(host, port)),
    method: textOf(request.method) ?? "GET",
    headers: headersOf(request.headers),
    body: textOf(request.body) ?? "",
    degradedAfter: numberOf(fields.degradedAfter),
    followsRedirects: request.followRedirects !== false,
    assertions: listOf(fields.assertions).map((one) => assertionOf(recordOf(one))),
  };
}

function addressOf(host: string, port: string): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

function ofVersion1(fields: Record<string, unknown>): GivenMonitor {
  const { assertions } = fields;
  return {
    ...shared(fields),
    kind: textOf(fields.jobType) ?? "http",
    ...{ periodicity: textOf(fields.periodicity) ?? "", target: textOf(fields.url) ?? "" },
    ...{ method: textOf(fields.method) ?? "GET", body: textOf(fields.body) ?? "" },
    headers: headersOf(textual(fields.headers)),
    degradedAfter: numberOf(fields.degradedAfter),
    followsRedirects: fields.followRedirects !== false,
    assertions: listOf(textual(assertions)).map((one) => assertionOf(recordOf(one))),
  };
}

/** The database has lists as JSON. */
function textual(value: unknown): unknown {
  return typeof value === "string" ? parsedJson(value) : value;
}

/** The lists of assertions of version 2, and what they are about. */
const ASSERTIONS = {
  statusCodeAssertions: "status",
  bodyAssertions: "body",
  headerAssertions: "header",
  recordAssertions: "record",
} as const;

function ofVersion2(fields: Record<string, unknown>, kind: string): GivenMonitor {
  return {
    ...shared(fields),
    kind,
    periodicity: enumOf(fields.periodicity, "PERIODICITY_").toLowerCase(),
    target: textOf(fields.url) ?? textOf(fields.uri) ?? "",
    ...{ method: enumOf(fields.method, "HTTP_METHOD_") || "GET", body: textOf(fields.body) ?? "" },
    headers: headersOf(fields.headers),
    regions: listOf(fields.regions).map((region) => enumOf(region, "REGION_").toLowerCase()),
    degradedAfter: numberOf(fields.degradedAt),
    followsRedirects: fields.followRedirects !== false,
    assertions: Object.entries(ASSERTIONS).flatMap(([name, about]) =>
      listOf(fields[name]).map((one) => {
        const { target, key, record, comparator } = recordOf(one);
        const compare = COMPARATORS[enumOf(comparator, /^[A-Z]+_COMPARATOR_/)] ?? "";
        return { kind: about, compare, target: textOf(target) ?? "", key: textOf(key ?? record) ?? "" };
      }),
    ),
  };
}

const COMPARATORS: Record<string, string | undefined> = {
  EQUAL: "eq",
  NOT_EQUAL: "not_eq",
  CONTAINS: "contains",
  NOT_CONTAINS: "not_contains",
  EMPTY: "empty",
  NOT_EMPTY: "not_empty",
  GREATER_THAN: "gt",
  GREATER_THAN_OR_EQUAL: "gte",
  LESS_THAN: "lt",
  LESS_THAN_OR_EQUAL: "lte",
};

function enumOf(value: unknown, prefix: string | RegExp): string {
  return (textOf(value) ?? "").replace(prefix, "");
}

/** The fields that have one name in all forms. */
function shared(fields: Record<string, unknown>) {
  const { regions, openTelemetry, privateLocationIds } = fields;
  const names =
    typeof regions === "string" ? regions.split(",") : listOf(regions).map((one) => textOf(one) ?? "");
  return {
    id: textOf(fields.id) ?? "",
    name: textOf(fields.name)?.trim() || "unnamed",
    ...{ timeout: numberOf(fields.timeout), retry: numberOf(fields.retry) },
    isActive: typeof fields.active === "boolean" ? fields.active : undefined,
    regions: [...names.filter(Boolean), ...(listOf(privateLocationIds).length > 0 ? ["private"] : [])],
    externalName: textOf(fields.externalName)?.trim(),
    hasDescription: textOf(fields.description) !== undefined,
    hasTelemetry: textOf(recordOf(openTelemetry).endpoint) !== undefined,
  };
}

/** A map, or a list of `{ key, value }`. */
function headersOf(value: unknown): [string, string][] {
  const pairs = Array.isArray(value)
    ? value.map(recordOf).map((one) => [textOf(one.key) ?? "", textOf(one.value) ?? ""] as [string, string])
    : Object.entries(recordOf(value)).map(([key, one]) => [key, textOf(one) ?? ""] as [string, string]);
  return pairs.filter(([name]) => name !== "");
}

/** By what the file, or version 1 of the API, calls them. */
const KINDS: Record<string, Assertion["kind"] | undefined> = {
  ...{ statusCode: "status", status: "status", header: "header", textBody: "body", dnsRecord: "record" },
};

function assertionOf({ kind, type, compare, target, key, recordType }: Record<string, unknown>): Assertion {
  return {
    kind: KINDS[textOf(kind ?? type) ?? ""] ?? "other",
    ...{ compare: textOf(compare) ?? "", target: textOf(target) ?? "", key: textOf(key ?? recordType) ?? "" },
  };
}

/** Version 2 writes large numbers as texts. */
function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}
