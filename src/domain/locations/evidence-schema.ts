import { type TSchema, Type } from "@sinclair/typebox";
import { Errors } from "@sinclair/typebox/errors";
import { DIGEST_LENGTH } from "../checks/content-memory.ts";
import { type Evidence, MAX_ADDRESSES, REASONS, RecordType, TLS_ADVICE } from "../checks/observation.ts";
import { OUTCOMES, STEPS } from "../evidence/evidence.ts";
import { MAX_PINGS } from "../monitors/kinds/tcp.ts";
import type { ProbedType } from "../monitors/monitor.ts";
import { registerFormats } from "../schemas/format-rules.ts";
import { closed, mapOf, oneOf } from "../schemas/schema.ts";

/** Milliseconds. A check with steps takes up to 120 s, and no check takes longer than this with what stillup itself may add. */
const Duration = Type.Number({ minimum: 0, maximum: 240_000 });
const Latency = Type.Union([Duration, Type.Null()]);
const text = (maxLength: number) => Type.String({ maxLength });
const Value = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);

/**
 * Flat, except for what is listed. Only the server adds what is never allowed here: what it has decided (behavior 13.14, 14.34), and
 * the dates of a certificate, which the page and the metrics read as such.
 */
const Detail = Type.Object(
  {
    phases: Type.Optional(
      Type.Object(
        {
          resolve: Type.Optional(Duration),
          connect: Type.Optional(Duration),
          tls: Type.Optional(Duration),
          firstByte: Type.Optional(Duration),
          body: Type.Optional(Duration),
        },
        closed,
      ),
    ),
    ping: Type.Optional(
      Type.Object(
        {
          sent: Type.Integer({ minimum: 0, maximum: MAX_PINGS }),
          received: Type.Integer({ minimum: 0, maximum: MAX_PINGS }),
          minMs: Latency,
          avgMs: Latency,
          maxMs: Latency,
        },
        closed,
      ),
    ),
    steps: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: text(400),
            statusCode: Type.Union([Type.Integer({ minimum: 0, maximum: 999 }), Type.Null()]),
            latencyMs: Latency,
          },
          closed,
        ),
        { maxItems: 10 },
      ),
    ),
    reason: Type.Optional(Type.Never()),
    omitted: Type.Optional(mapOf(Type.Integer({ minimum: 0 }))),
    seen: Type.Optional(Type.Never()),
    location: Type.Optional(Type.Never()),
    maintenance: Type.Optional(Type.Never()),
    suspicion: Type.Optional(Type.Never()),
    mutedBy: Type.Optional(Type.Never()),
    validFrom: Type.Optional(Type.Never()),
    validTo: Type.Optional(Type.Never()),
    tls: Type.Optional(Type.Never()),
    registration: Type.Optional(Type.Never()),
    addresses: Type.Optional(Type.Never()),
    run: Type.Optional(Type.Never()),
  },
  { additionalProperties: Type.Union([Value, Type.Array(Value)]) },
);

const nullableText = (maxLength: number) => Type.Union([text(maxLength), Type.Null()]);

/** The form of `toISOString`. */
const Moment = Type.String({ format: "date-time", pattern: "^[\\d-]{10}T[\\d:]{8}(\\.\\d{3})?Z$" });

const Tls = Type.Object(
  {
    protocol: nullableText(32),
    cipher: nullableText(64),
    validTo: Moment,
    advice: Type.Array(oneOf(TLS_ADVICE), { maxItems: TLS_ADVICE.length }),
    fingerprint: Type.Optional(text(128)),
    client: Type.Optional(Type.Object({ validTo: Moment }, closed)),
  },
  closed,
);

/** The addresses of the host. */
const Told = Type.Array(text(64), { maxItems: MAX_ADDRESSES });

const DnsFacts = Type.Object(
  {
    server: nullableText(128),
    code: text(16),
    records: Type.Array(text(255), { maxItems: 20 }),
    tookMs: Duration,
  },
  closed,
);

const HandshakeFacts = Type.Object(
  {
    protocol: nullableText(32),
    cipher: nullableText(64),
    chain: Type.Array(
      Type.Object(
        {
          subject: text(255),
          issuer: text(255),
          validFrom: Moment,
          validTo: Moment,
          fingerprint: text(128),
        },
        closed,
      ),
      { maxItems: 5 },
    ),
    error: nullableText(255),
    names: Type.Optional(Type.Array(text(100), { maxItems: 20 })),
  },
  closed,
);

const HeaderNames = Type.Array(text(100), { maxItems: 60 });

const HttpFacts = Type.Object(
  {
    statusCode: Type.Integer({ minimum: 0, maximum: 999 }),
    headers: mapOf(text(255)),
    headerNames: HeaderNames,
    size: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
    body: nullableText(2048),
  },
  closed,
);

const orNull = (schema: TSchema) => Type.Union([schema, Type.Null()]);

/** Further facts of a failed check (behavior 22.11). */
const Facts = Type.Object(
  {
    step: oneOf(STEPS),
    dns: orNull(DnsFacts),
    tls: orNull(HandshakeFacts),
    http: orNull(HttpFacts),
    attempts: Type.Optional(
      Type.Array(Type.Object({ address: text(64), outcome: oneOf(OUTCOMES) }, closed), {
        maxItems: MAX_ADDRESSES,
      }),
    ),
    mayBeUnreachable: Type.Optional(Type.Literal(true)),
    hasAnswered: Type.Optional(Type.Literal(true)),
    isReset: Type.Optional(Type.Literal(true)),
    isForeign: Type.Optional(Type.Literal(true)),
    isRedirected: Type.Optional(Type.Literal(true)),
  },
  closed,
);

const Content = Type.Object(
  { digest: text(DIGEST_LENGTH), length: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]) },
  closed,
);

const Reached = Type.Object(
  {
    outcome: Type.Literal("reached"),
    latencyMs: Latency,
    lateBy: Type.Optional(Duration),
    slowBy: Type.Optional(Duration),
    tls: Type.Optional(Tls),
    told: Type.Optional(Told),
    size: Type.Optional(Type.Integer({ minimum: 0 })),
    headerNames: Type.Optional(HeaderNames),
    contents: Type.Optional(Type.Array(Content, { maxItems: 10 })),
    detail: Detail,
  },
  closed,
);

const Failed = Type.Object(
  {
    outcome: Type.Literal("failed"),
    reason: oneOf(REASONS),
    latencyMs: Type.Optional(Duration),
    tls: Type.Optional(Tls),
    told: Type.Optional(Told),
    facts: Type.Optional(Facts),
    detail: Detail,
  },
  closed,
);

const MAX_NAMES = 4096;

const Certificate = Type.Object(
  {
    authorized: Type.Boolean(),
    authorizationError: nullableText(255),
    subject: text(4096),
    issuer: text(4096),
    names: Type.Array(text(1024), { maxItems: MAX_NAMES }),
    validFrom: Moment,
    validTo: Moment,
    fingerprint: text(128),
    protocol: nullableText(32),
  },
  closed,
);

/** Only for a server that speaks a protocol over TLS. */
const withCertificate = { certificate: Type.Optional(Certificate) };
const ReachedByTcp = Type.Composite([Reached, Type.Object(withCertificate)], closed);
const FailedByTcp = Type.Composite([Failed, Type.Object(withCertificate)], closed);

const Certified = Type.Object(
  {
    outcome: Type.Literal("certified"),
    latencyMs: Latency,
    certificate: Certificate,
    tls: Type.Optional(Tls),
    told: Type.Optional(Told),
    detail: Detail,
  },
  closed,
);

/** As many records as an answer of 64 KiB can have. */
const MAX_RECORDS = 4096;

const Lookup = Type.Union([
  Type.Object(
    {
      recordType: RecordType,
      values: Type.Array(Type.String(), { maxItems: MAX_RECORDS }),
      failure: Type.Null(),
    },
    closed,
  ),
  Type.Object(
    {
      recordType: RecordType,
      values: Type.Array(Type.Never(), { maxItems: 0 }),
      failure: oneOf(["nxdomain", "no_data", "servfail", "refused", "error", "malformed", "timeout"]),
      alias: Type.Optional(text(255)),
      cause: Type.Optional(text(255)),
    },
    closed,
  ),
]);

const LookedUp = Type.Object(
  {
    outcome: Type.Literal("looked_up"),
    answer: Type.Object(
      { hostname: text(255), lookups: Type.Array(Lookup, { minItems: 1, maxItems: 2 }) },
      closed,
    ),
    dns: Type.Optional(DnsFacts),
  },
  closed,
);

const byAddress = (evidence: TSchema) =>
  Type.Object(
    {
      outcome: Type.Literal("by_address"),
      addresses: Type.Array(Type.Object({ address: text(64), evidence }, closed), {
        minItems: 1,
        maxItems: MAX_ADDRESSES,
      }),
      omitted: Type.Integer({ minimum: 0, maximum: 65_535 }),
    },
    closed,
  );
const ReachedByAddress = byAddress(Type.Union([Reached, Failed]));
const ReachedByTcpByAddress = byAddress(Type.Union([ReachedByTcp, FailedByTcp]));
const CertifiedByAddress = byAddress(Type.Union([Certified, Failed]));

type Outcomes = { [Outcome in Evidence["outcome"]]?: TSchema };

/** For each outcome of a check. */
const responding: Outcomes = { reached: Reached, failed: Failed, by_address: ReachedByAddress };

/** The types whose checks see something else. */
const schemas: { [T in ProbedType]?: Outcomes } = {
  TCP: { reached: ReachedByTcp, failed: FailedByTcp, by_address: ReachedByTcpByAddress },
  TLS: { certified: Certified, failed: Failed, by_address: CertifiedByAddress },
  DNS: { looked_up: LookedUp, failed: Failed },
};

/** Bytes of the JSON of a detail, and of the whole evidence: a DNS answer has at most 64 KiB before it is JSON. */
const MAX_DETAIL = 16 * 1024;
const MAX_EVIDENCE = 256 * 1024;

/**
 * The evidence of a remote probe, if it is what a check of this type of monitor can see (behavior 13.19).
 *
 * @param value parsed from JSON
 * @returns null if it is malformed or too large
 */
export function parseEvidence(type: ProbedType, value: unknown): Evidence | null {
  const outcome = (value as { outcome?: unknown } | null)?.outcome;
  const known = schemas[type] ?? responding;
  if (typeof outcome !== "string" || !Object.hasOwn(known, outcome)) return null;
  const schema = known[outcome as Evidence["outcome"]];
  registerFormats();
  if (!schema || Errors(schema, value).First()) return null;
  const evidence = value as Evidence;
  return canBeStored(evidence) && isText(evidence, MAX_EVIDENCE) ? evidence : null;
}

function canBeStored(evidence: Evidence): boolean {
  if (evidence.outcome === "by_address") return evidence.addresses.every((one) => canBeStored(one.evidence));
  return "detail" in evidence ? isText(evidence.detail, MAX_DETAIL) : true;
}

const encoder = new TextEncoder();

/** `JSON.stringify` escapes half of a surrogate pair, and nothing else that looks like it. PostgreSQL refuses such a text. */
const HALF_PAIR = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/** Whether a value is text of Unicode with at most so many bytes. */
function isText(value: object, bytes: number): boolean {
  const text = JSON.stringify(value);
  return encoder.encode(text).length <= bytes && !HALF_PAIR.test(text);
}
