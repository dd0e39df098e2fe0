import { expect, test } from "bun:test";
import { judgeMessage } from "../../scripts/fuzz/dns/judge-message.ts";
import { judgeAnswer } from "../../scripts/fuzz/http/judge-answer.ts";
import { judgeCheck } from "../../scripts/fuzz/http/judge-check.ts";
import {
  certificateRecordings,
  dnsRecordings,
  flightRecordings,
  httpRecordings,
} from "../../scripts/fuzz/recordings/recording.ts";
import { judgeCertificate } from "../../scripts/fuzz/tls/judge-certificate.ts";
import { observation } from "../support/probes/observation.ts";
import { startServer } from "../support/servers/tcp-server.ts";

test.each(httpRecordings)("the answer of $from is read as it is", async ({ hasBody, bytes, truth }) => {
  for (const cuts of [[], "all" as const]) {
    const sent = { bytes, cuts, truth };
    expect(judgeAnswer({ hasBody, sent })).toEqual({ outcome: "read", violation: undefined });
    const config = { url: "http://127.0.0.1/", interval: 60, expect: { status: [truth.statusCode] } };
    const asked = hasBody ? { ...config.expect, complete: true } : config.expect;
    const exchanges = [{ ...sent, arrival: "as read" as const, end: "close" as const }];
    const method = hasBody ? ("GET" as const) : ("HEAD" as const);
    const check = { config: { ...config, method, expect: asked }, exchanges };
    expect(await judgeCheck(check)).toEqual({ outcome: "reached", violation: undefined });
  }
});

test.each(dnsRecordings)(
  "the answer of $from about $question.name $question.type is read as it is",
  (recording) => {
    expect(judgeMessage(recording).violation).toBeUndefined();
  },
);

test.each(certificateRecordings)("the certificate of $from is read", ({ bytes }) => {
  expect(judgeCertificate({ der: bytes, truth: null })).toEqual({
    outcome: "certificate",
    violation: undefined,
  });
});

test.each(flightRecordings)("the first bytes of $from, sent again, are no handshake", async ({ bytes }) => {
  using server = await startServer((socket) => {
    socket.once("data", () => socket.end(Buffer.from(bytes, "latin1")));
  });
  const { port } = server;
  const failed = { outcome: "failed", reason: expect.stringMatching(/^(tls_failed|closed|reset)$/) };
  expect(await observation("TLS", { host: "127.0.0.1", port })).toMatchObject(failed);
  const url = `https://127.0.0.1:${port}/`;
  expect(await observation("HTTP", { url, verifyTls: false })).toMatchObject(failed);
});
