import { expect, test } from "bun:test";
import type { Evidence } from "../../../src/dashboard/web/data/api.ts";
import {
  comparedFacts,
  endpointOf,
  evidenceText,
  hopWords,
  isBare,
} from "../../../src/dashboard/web/outages/evidence/evidence-words.ts";

const bare: Evidence = {
  id: "e1",
  monitorId: "m1",
  outageId: "o1",
  location: "here",
  at: "2026-11-21T10:00:00.102Z",
  status: "down",
  reason: "unexpected",
  layer: "content",
  summary: "503 instead of 200",
  changes: [],
  dns: null,
  connections: null,
  path: null,
  tls: null,
  http: null,
  self: null,
  good: null,
};

const fingerprint = Array.from({ length: 32 }, () => "5A").join(":");

const full: Evidence = {
  ...bare,
  changes: [
    { what: "status_code", before: 200, now: 503 },
    { what: "size", before: 41_208, now: 12 },
    { what: "addresses", before: ["203.0.113.7"], now: ["198.51.100.7", "198.51.100.8"] },
  ],
  dns: { server: "192.0.2.53", code: "NOERROR", records: ["198.51.100.7", "198.51.100.8"], tookMs: 2.1 },
  connections: [
    { address: "198.51.100.7", port: 443, outcome: "refused", tookMs: 12 },
    { address: "2001:db8::7", port: 443, outcome: "timeout", tookMs: 3000 },
  ],
  path: [
    { hop: 1, address: "192.0.2.1", rttMs: 0.4 },
    { hop: 2, address: null, rttMs: null },
  ],
  tls: {
    protocol: "TLSv1.3",
    cipher: "TLS_AES_128_GCM_SHA256",
    chain: [
      {
        subject: "shop.example.com",
        issuer: "Example CA",
        validFrom: "2026-10-01T00:00:00.000Z",
        validTo: "2026-12-30T00:00:00.000Z",
        fingerprint,
      },
    ],
    error: null,
  },
  http: {
    statusCode: 503,
    headers: { server: "nginx" },
    headerNames: ["server", "set-cookie"],
    size: 12,
    body: "<b>Sorry</b>\nlater",
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
    certificate: fingerprint,
    statusCode: 200,
    size: 41_208,
    phases: { resolve: 2, connect: 12, firstByte: 30 },
  },
};

test("behavior 22.31: what differs from the last good check is marked, and what a check did not read is null", () => {
  const short = `${fingerprint.slice(0, 23)}…`;
  expect(comparedFacts(full)).toEqual([
    {
      name: "Addresses of the name",
      before: "203.0.113.7",
      now: "198.51.100.7, 198.51.100.8",
      isChanged: true,
    },
    { name: "Address", before: "203.0.113.7", now: null, isChanged: false },
    { name: "Protocol", before: null, now: "TLSv1.3", isChanged: false },
    { name: "Certificate", before: short, now: short, isChanged: false },
    { name: "Status code", before: "200", now: "503", isChanged: true },
    { name: "Size of the body", before: "41,208 bytes", now: "12 bytes", isChanged: true },
    {
      name: "Phases",
      before: "name lookup 2.0 ms, connection 12 ms, first byte 30 ms",
      now: null,
      isChanged: false,
    },
  ]);
});

test("behavior 22.31: a name without records has the code of the DNS, and a change that only adds has a value for none", () => {
  const dns = { server: null, code: "NXDOMAIN", records: [], tookMs: 1 };
  expect(comparedFacts({ ...bare, dns })).toEqual([
    { name: "Addresses of the name", before: null, now: "NXDOMAIN", isChanged: false },
  ]);
  expect(comparedFacts({ ...bare, changes: [{ what: "content", before: [], now: ["192.0.2.8"] }] })).toEqual([
    { name: "Content", before: "none", now: "192.0.2.8", isChanged: true },
  ]);
  expect(comparedFacts(bare)).toEqual([]);
});

test("behavior 22.32: evidence as text has each part that is known, and says what has changed", () => {
  const source = { name: "Shop front", link: "https://stillup.example.com/outages/o1" };
  expect(evidenceText(full, source)).toBe(
    `Shop front: 503 instead of 200
Layer: Content
Seen: 2026-11-21T10:00:00.102Z, This server, Down (unexpected)
Last good check: 2026-11-21T09:59:30.080Z
https://stillup.example.com/outages/o1

Before | now
  Addresses of the name: 203.0.113.7 | 198.51.100.7, 198.51.100.8 (changed)
  Address: 203.0.113.7 | –
  Protocol: – | TLSv1.3
  Certificate: ${fingerprint.slice(0, 23)}… | ${fingerprint.slice(0, 23)}…
  Status code: 200 | 503 (changed)
  Size of the body: 41,208 bytes | 12 bytes (changed)
  Phases: name lookup 2.0 ms, connection 12 ms, first byte 30 ms | –

Connections after the check
  198.51.100.7:443 refused after 12 ms
  [2001:db8::7]:443 no answer after 3000 ms

Path
  1. 192.0.2.1, 0.4 ms
  2. no answer

DNS
  NOERROR from 192.0.2.53 after 2.1 ms: 198.51.100.7, 198.51.100.8

TLS
  TLSv1.3, TLS_AES_128_GCM_SHA256
  shop.example.com, issued by Example CA, valid from 2026-10-01 to 2026-12-30, SHA-256 ${fingerprint}

HTTP
  Status code 503
  server: nginx
  Other headers: set-cookie

Body
  <b>Sorry</b>
  later

Where it was checked
  online, load 0.35, checks late by 0.4 ms, 1,021 file descriptors free, of the other monitors, 41 good and 0 failing`,
  );
  expect(evidenceText({ ...bare, location: null, reason: null }, source).split("\n")).toEqual([
    "Shop front: 503 instead of 200",
    "Layer: Content",
    "Seen: 2026-11-21T10:00:00.102Z, A deleted location, Down",
    source.link,
  ]);
});

test("behavior 22.6, 22.31: evidence of which only the sentence was kept is known as such", () => {
  expect([isBare(bare), isBare(full), isBare({ ...bare, good: full.good })]).toEqual([true, false, false]);
});

test("behavior 22.31: a silent hop is shown as silent, and an address of IPv6 with its port in brackets", () => {
  expect(full.path?.map(hopWords)).toEqual(["192.0.2.1, 0.4 ms", "no answer"]);
  expect(full.connections?.map(endpointOf)).toEqual(["198.51.100.7:443", "[2001:db8::7]:443"]);
});
