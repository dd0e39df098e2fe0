import fc from "fast-check";

/** A request of somebody without a key, with `{slug}`, `{component}`, `{monitor}` and `{incident}` as placeholders. */
export interface HostileReading {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

const words = fc.constantFrom(
  ...[
    "",
    " ",
    "\u0000",
    "🦊",
    "\u202e",
    "__proto__",
    "constructor",
    "..",
    "../../..",
    "%00",
    "%E0%A4%A",
    "a/b",
  ],
  ...[
    "' OR 1=1 --",
    "<script>",
    '"',
    "\r\nX-Injected: 1",
    "x".repeat(64),
    "x".repeat(5000),
    "{monitor}",
    "-1",
    "NaN",
  ],
);
const text = fc.oneof({ weight: 3, arbitrary: words }, fc.string(), fc.string({ unit: "binary" }));
/** Characters that a header may contain. */
const visible = fc.string({ unit: fc.constantFrom(...'"*,;=/ -_.:%azAZ09W') });

const PATHS = [
  ...["", "/api/v2/summary.json", "/api/v2/status.json", "/api/v2/components.json", "/api/v2/incidents.json"],
  ...["/api/v2/incidents/unresolved.json", "/api/v2/scheduled-maintenances.json", "/feed.atom", "/badge.svg"],
  ...[
    "/api/v2/scheduled-maintenances/upcoming.json",
    "/api/v2/scheduled-maintenances/active.json",
    "/badge.json",
  ],
  ...["/components/{component}/badge.svg", "/components/{component}/badge.json", "/incidents/{incident}"],
  ...["/subscriptions", "/subscriptions/confirm", "/subscriptions/unsubscribe"],
];
const slug = fc.oneof(
  { weight: 9, arbitrary: fc.constant("{slug}") },
  fc.constantFrom("closed", "nobody", "{monitor}"),
);

const parameter = fc
  .tuple(
    fc.oneof(fc.constantFrom("kind", "token", "style", "_"), text),
    fc.oneof(fc.constantFrom("uptime", "status"), text),
  )
  .map((pair) => pair.map((part) => encodeURIComponent(part.toWellFormed())).join("="));
const query = fc
  .array(parameter, { maxLength: 3 })
  .map((parameters) => (parameters.length > 0 ? `?${parameters.join("&")}` : ""));

const path = fc
  .tuple(slug, fc.constantFrom(...PATHS))
  .map(([slug, rest]) => `/status/${slug}${rest}`)
  .chain((whole) =>
    fc.oneof(
      { weight: 6, arbitrary: fc.constant(whole) },
      fc.tuple(fc.nat(), text).map(([at, word]) => withSegment(whole, at, word)),
      fc.constantFrom(
        `${whole}/`,
        `${whole}//`,
        whole.toUpperCase(),
        whole.replace(/^/, "/"),
        `${whole}.json`,
      ),
    ),
  )
  // `..` leads to the web page, which is no public page.
  .filter((whole) => new URL(`http://localhost${whole}`).pathname !== "/");

function withSegment(whole: string, at: number, word: string): string {
  const parts = whole.split("/");
  parts[1 + (at % (parts.length - 1))] = encodeURIComponent(word.toWellFormed());
  return parts.join("/");
}

const headers = fc.record(
  {
    "accept-encoding": fc.oneof(
      fc.constantFrom("br", "gzip;q=0, br;q=0, identity;q=0", "*", "zstd"),
      visible,
    ),
    "if-none-match": fc.oneof(fc.constantFrom("*", 'W/"a"', '"a","b"', ",,,"), visible),
    accept: fc.oneof(fc.constantFrom("text/html", "application/json", "image/*;q=0.1"), visible),
    authorization: fc.constantFrom("Bearer nonsense", "Basic bm9uZQ==", ""),
    cookie: fc.oneof(fc.constantFrom("stillup_session=nonsense"), visible),
    range: fc.constantFrom("bytes=0-1", "bytes=-1"),
    "x-forwarded-for": fc.constantFrom("203.0.113.1", "nonsense", "::1, ::2"),
    "content-type": fc.constantFrom(
      ...[
        "application/json",
        "application/x-www-form-urlencoded",
        "text/plain",
        "multipart/form-data; boundary=x",
        "",
      ],
    ),
  },
  { requiredKeys: [] },
);

const email = fc.oneof(
  fc.constantFrom(
    "a@example.com",
    "A@EXAMPLE.COM",
    "a@b",
    "a@example.com\r\nBcc: b@example.com",
    '"<b>"@example.com',
  ),
  text,
);
const body = fc.oneof(
  email.map((value) => JSON.stringify({ email: value })),
  email.map((value) => String(new URLSearchParams({ email: value.toWellFormed() }))),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.constant("List-Unsubscribe=One-Click"),
  text,
  fc.constant(undefined),
);

/** Requests to all public routes of pages: usual requests, and requests with odd paths, queries, headers and bodies. */
export const hostileReading: fc.Arbitrary<HostileReading> = fc.record({
  method: fc.oneof(
    { weight: 9, arbitrary: fc.constant("GET") },
    { weight: 3, arbitrary: fc.constant("POST") },
    fc.constantFrom("HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"),
  ),
  path: fc.tuple(path, fc.oneof(fc.constant(""), query)).map((parts) => parts.join("")),
  headers,
  body,
});
