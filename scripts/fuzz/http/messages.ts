import type { Reason } from "../../../src/domain/checks/observation.ts";

const CODE = String.raw`\d{1,3}( [A-Z][A-Za-z' -]+)?`;

/** The words of each reason that bytes of a server can cause. None of them contains text of the server. */
const WORDS: Partial<Record<Reason, string[]>> = {
  closed: ["the server closed the connection before it answered( completely)?"],
  reset: ["the server reset the connection"],
  refused: ["the connection was refused: nothing listens on that port"],
  not_http: ["the answer is not HTTP(: it is malformed|: its headers are longer than 64 KiB)?"],
  bad_body: [
    "the connection ended before the body did",
    "it has two lengths",
    "its length is not a number",
    "it has a transfer coding other than chunked",
    "the size of a chunk is (malformed|wrong)",
    "its chunks are too small",
    "its chunks or trailers are too long",
    "it has too many content codings",
    "it has a content coding other than gzip, deflate and br",
    "it does not decode as (x-)?(gzip|deflate|br)",
    "as (x-)?(gzip|deflate|br), it is longer than its text",
  ].map((why) => `the body could not be read: ${why}`),
  unexpected: [
    `${CODE}, expected [0-9x, -]+( or [0-9x-]+)?`,
    'the header [A-Za-z-]+ (is missing, expected ".+" in it|lacks ".+")',
    'the body (lacks|contains) "[^]+"',
    "the body is (not JSON|larger than 1 MiB)",
    String.raw`\$\S+ is .+`,
  ],
  too_many_redirects: [String.raw`the server redirects more than (once|\d times)`],
  bad_redirect: [
    "has no Location",
    "has two Locations",
    "has a Location that is not a URL",
    "leads to a URL that is neither http nor https",
    "leads to port 0",
  ].map((what) => `the redirect ${what}`),
  dns_not_found: ["the host of a redirect has no address in the DNS"],
};

const PATTERNS = new Map(
  Object.entries(WORDS).map(([reason, words]) => [reason, new RegExp(`^(?:${words.join("|")})$`)]),
);

/** A plain check may quote the first line of an answer that is not HTTP. */
const QUOTED = /^the answer is not HTTP: ".*"$/;

export function isDeclared(reason: string, message: string, { isPlain }: { isPlain: boolean }): boolean {
  if (reason === "not_http" && isPlain && QUOTED.test(message)) return true;
  return PATTERNS.get(reason)?.test(message) ?? false;
}
