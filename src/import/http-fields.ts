import { decoded, type ReportOmission } from "./imported.ts";

/* The parts of a request and of its expectation that the HTTP monitors of all products have. */

/** The methods that an HTTP monitor can send. */
export const METHODS: readonly string[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Most redirects that a check follows. */
export const MAX_REDIRECTS = 10;

interface Address {
  url: string;
  user?: { name: string; password: string };
}

/** A URL of `http` or `https` without user and password, which are `basicAuth` here. It may have placeholders. */
export function addressOf(url: string): Address {
  const [, scheme = "", name, password = "", rest = ""] =
    /^(https?:\/\/)(?:([^:@/?#]*)(?::([^@/?#]*))?@)?(.*)$/is.exec(url) ?? [];
  if (name === undefined) return { url };
  return { url: scheme + rest, user: { name: decoded(name), password: decoded(password) } };
}

const OWN_HEADERS = ["content-length", "transfer-encoding", "connection"];

interface HeaderRules {
  hasBasicAuth: boolean;
  omit: ReportOmission;
  /** The text of a value in the document, such as a placeholder for a secret. */
  write(value: string, name: string): string;
  /** Whether the protocol sets a header itself. */
  isOwn?(name: string): boolean;
}

/** The headers of a request by name, each once. A header that stillup sets itself is reported. */
export function headersOf(
  headers: Iterable<readonly [name: string, value: string]>,
  { hasBasicAuth, omit, write, isOwn = () => false }: HeaderRules,
): Record<string, string> {
  const written = new Map<string, string>();
  const seen = new Set(hasBasicAuth ? ["authorization"] : []);
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (OWN_HEADERS.includes(lower) || isOwn(lower))
      omit(`header ${name}`, "stillup sets this header itself");
    else if (seen.has(lower))
      omit(`header ${name}`, "a header occurs once, and user and password of the URL count");
    else written.set(name, write(value, name));
    seen.add(lower);
  }
  return Object.fromEntries(written);
}

/** The body of a request, if its method can have one here. */
export function bodyField(body: string, method: string, omit: ReportOmission): { body?: string } {
  if (body === "") return {};
  if (method !== "GET" && method !== "HEAD") return { body };
  omit("body", `stillup sends no body with ${method}`);
  return {};
}

/** The first and the last code that an answer can have: 1xx is never a final one. */
export const FIRST_CODE = 200;
export const LAST_CODE = 999;

export function isCode(code: number): boolean {
  return Number.isInteger(code) && code >= FIRST_CODE && code <= LAST_CODE;
}

export type StatusCodes = ReadonlySet<number>;

/** The codes that a condition accepts. */
export function codesThat(accepts: (code: number) => boolean): StatusCodes {
  const codes = new Set<number>();
  for (let code = FIRST_CODE; code <= LAST_CODE; code++) if (accepts(code)) codes.add(code);
  return codes;
}

/** Most entries of an expectation. */
const MAX_ENTRIES = 20;

/** The first codes of the blocks of which entries are written: the classes, and those above 499 together. */
const BLOCKS = [200, 300, 400, 500];

/** The entries of `expect.status` for some codes, such as `["2xx", 301]`. Undefined for none, or if they are too many. */
export function statusEntries(codes: StatusCodes): (string | number)[] | undefined {
  if (codes.size === LAST_CODE - FIRST_CODE + 1) return [`${FIRST_CODE}-${LAST_CODE}`];
  const entries = BLOCKS.flatMap((first, at) =>
    entriesBetween(codes, first, BLOCKS[at + 1] ?? LAST_CODE + 1),
  );
  return entries.length > 0 && entries.length <= MAX_ENTRIES ? entries : undefined;
}

function entriesBetween(codes: StatusCodes, start: number, end: number): (string | number)[] {
  const entries: (string | number)[] = [];
  for (let first = start; first < end; first++) {
    if (!codes.has(first)) continue;
    let last = first;
    while (last + 1 < end && codes.has(last + 1)) last++;
    entries.push(entry(first, last));
    first = last;
  }
  return entries;
}

/** A class is written from 1xx to 5xx only. */
export function entry(first: number, last: number): string | number {
  if (first === last) return first;
  const isClass = first % 100 === 0 && last - first === 99 && first < 600;
  return isClass ? `${first / 100}xx` : `${first}-${last}`;
}
