import { type Static, Type } from "@sinclair/typebox";
import { permits, type Role } from "../../domain/accounts/role.ts";
import { CHANGES, LAYERS, OUTCOMES, type SelfFacts } from "../../domain/evidence/evidence.ts";
import { iso } from "../../domain/iso-time.ts";
import { StatusSchema } from "../../domain/monitors/status-schema.ts";
import { Timestamp } from "../../domain/schemas/format.ts";
import { closed, described, mapOf, named, nullable, oneOf } from "../../domain/schemas/schema.ts";
import type { ShownEvidence } from "../../store/store.ts";

const why = {
  layer: described(
    oneOf(LAYERS),
    "Where the failure is. `self`: at stillup or its machine. `unknown`: it is not known, because a wrong layer is worse than none.",
  ),
  summary: Type.String({
    maxLength: 200,
    description: "One sentence without any secret and without text of a server.",
  }),
};

export const WhyBody = Type.Object(why, named("Why"));

const Milliseconds = Type.Number({ minimum: 0 });
const Text = Type.String();
const ChangeValue = nullable(
  Type.Union([Text, Type.Number(), Type.Array(Type.Union([Text, Type.Number()]))]),
);

const Change = Type.Object(
  {
    what: oneOf(CHANGES),
    before: described(ChangeValue, "At the last good check."),
    now: ChangeValue,
  },
  closed,
);

const Dns = Type.Object(
  {
    server: described(nullable(Text), "Which server answered."),
    code: described(Text, "Such as `NXDOMAIN`."),
    records: Type.Array(Text),
    tookMs: Milliseconds,
  },
  closed,
);

const Connection = Type.Object(
  { address: Text, port: Type.Integer(), outcome: oneOf(OUTCOMES), tookMs: Milliseconds },
  closed,
);

const HopBody = Type.Object(
  {
    hop: Type.Integer({ minimum: 1 }),
    address: described(nullable(Text), "`null` for a hop that stayed silent."),
    rttMs: nullable(Milliseconds),
  },
  closed,
);

const Certificate = Type.Object(
  { subject: Text, issuer: Text, validFrom: Text, validTo: Text, fingerprint: Text },
  closed,
);

const Tls = Type.Object(
  {
    protocol: nullable(Text),
    cipher: nullable(Text),
    chain: Type.Array(Certificate),
    error: nullable(Text),
  },
  closed,
);

const Http = Type.Object(
  {
    statusCode: Type.Integer(),
    headers: described(mapOf(Text), "Only headers that say nothing about a person."),
    headerNames: Type.Array(Text),
    size: described(nullable(Type.Integer()), "Of the body in bytes. `null` if nothing of it was read."),
    body: described(
      nullable(Text),
      "Its first 2 KiB as text, with `•••` in place of secrets of the config. `null` for viewers.",
    ),
  },
  closed,
);

const Count = Type.Integer({ minimum: 0 });
const Self = Type.Object(
  {
    loopDelayMs: Milliseconds,
    load: Type.Number({ minimum: 0 }),
    freeDescriptors: nullable(Count),
    online: Type.Boolean(),
    healthyElsewhere: described(Count, "Other monitors whose latest check, of the last minute, was good."),
    failingElsewhere: Count,
  } satisfies Record<keyof SelfFacts, unknown>,
  closed,
);

const Phases = Type.Object(
  {
    resolve: Type.Optional(Milliseconds),
    connect: Type.Optional(Milliseconds),
    tls: Type.Optional(Milliseconds),
    firstByte: Type.Optional(Milliseconds),
    body: Type.Optional(Milliseconds),
  },
  closed,
);

const Good = Type.Object(
  {
    at: Timestamp,
    address: nullable(Text),
    certificate: described(nullable(Text), "The SHA-256 fingerprint."),
    statusCode: nullable(Type.Integer()),
    size: nullable(Type.Integer()),
    phases: Phases,
  },
  closed,
);

const at = "2026-11-21T10:00:00.102Z";

/** The parts that do not apply are null. */
export const evidenceExample = {
  id: "Vb7sKxWd1Za4cYh0v2Q9mT",
  monitorId: "gwMk6bQBonMDcGzUMCvgWu",
  outageId: "4cYh0v2Q9mVbT7sKxWd1Za",
  location: "here",
  at,
  status: "down",
  reason: "unexpected",
  layer: "content",
  summary: "503 instead of 200",
  changes: [{ what: "status_code", before: 200, now: 503 }],
  dns: { server: "192.0.2.53", code: "NOERROR", records: ["203.0.113.7"], tookMs: 2.1 },
  connections: [{ address: "203.0.113.7", port: 443, outcome: "open", tookMs: 11.8 }],
  path: null,
  tls: {
    protocol: "TLSv1.3",
    cipher: "TLS_AES_128_GCM_SHA256",
    chain: [
      {
        subject: "shop.example.com",
        issuer: "Example CA",
        validFrom: "2026-10-01T00:00:00.000Z",
        validTo: "2026-12-30T00:00:00.000Z",
        fingerprint: "5A:1C:90:7E",
      },
    ],
    error: null,
  },
  http: {
    statusCode: 503,
    headers: { "content-type": "text/plain", "retry-after": "120" },
    headerNames: ["content-type", "retry-after", "set-cookie"],
    size: 27,
    body: "The database does not answer",
  },
  self: {
    loopDelayMs: 0.4,
    load: 0.35,
    freeDescriptors: 1021,
    online: true,
    healthyElsewhere: 41,
    failingElsewhere: 0,
  },
  good: {
    at: "2026-11-21T09:59:30.080Z",
    address: "203.0.113.7",
    certificate: "5A:1C:90:7E",
    statusCode: 200,
    size: 41_208,
    phases: { resolve: 2, connect: 12, tls: 14, firstByte: 13.5 },
  },
};

export const EvidenceBody = Type.Object(
  {
    id: Text,
    monitorId: Text,
    outageId: described(nullable(Text), "`null` if it was over before an outage began."),
    location: described(
      nullable(Text),
      "The name of the location, `here` for this server. `null` if it is deleted.",
    ),
    at: described(Timestamp, "When the check ended."),
    status: described(StatusSchema, "What the check saw, like `reason`."),
    reason: nullable(Text),
    ...why,
    changes: Type.Array(Change, { description: "Differences from the last good check of this location." }),
    dns: nullable(Dns),
    connections: described(
      nullable(Type.Array(Connection)),
      "One more attempt for each address, after the check.",
    ),
    path: described(
      nullable(Type.Array(HopBody)),
      "`null` if the target was reached, or pings are not allowed.",
    ),
    tls: nullable(Tls),
    http: nullable(Http),
    self: described(nullable(Self), "The state of the location."),
    good: described(nullable(Good), "The last good check of this location."),
  },
  named("Evidence", evidenceExample),
);

/** Viewers never get the body of an answer (behavior 22.8). */
export function evidenceBody(
  { at, tls, http, good, ...evidence }: ShownEvidence,
  role: Role,
): Static<typeof EvidenceBody> {
  return {
    ...evidence,
    at: iso(at),
    tls: tls && { protocol: tls.protocol, cipher: tls.cipher, chain: tls.chain, error: tls.error },
    http: http && { ...http, body: permits(role, "admin") ? http.body : null },
    good: good && {
      at: iso(good.at),
      address: good.address,
      certificate: good.certificate,
      statusCode: good.statusCode,
      size: good.size,
      phases: good.phases,
    },
  };
}
