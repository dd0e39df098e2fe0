import { randomBytes } from "node:crypto";
import type { Observation } from "../domain/checks/observation.ts";
import { statusWords } from "../domain/checks/status-phrases.ts";
import { firstUrlOf } from "../domain/monitors/kinds/http-target.ts";
import type { Connection } from "./connections/connection.ts";
import { dial, dialTls } from "./connections/dial.ts";
import { isPrivateAddress } from "./connections/network.ts";
import { AnswerReader, readSample } from "./http/answer-reader.ts";
import { readHttpEvidence } from "./http/http-evidence.ts";
import { targetOf } from "./http/request.ts";
import { observe, type ProbeContext, type ProbeInput } from "./observe.ts";
import { since } from "./probe-clock.ts";
import { ProbeError } from "./probe-error.ts";
import type { CheckConfig } from "./probe-thread.ts";
import { CLOSE, FrameReader, maskedFrame, PING, PONG } from "./websocket/frames.ts";
import { createKey, faultOfUpgrade, upgradeText } from "./websocket/upgrade.ts";

type Config = CheckConfig<"HTTP">;

const SWITCHING_PROTOCOLS = 101;

/** The closing of a WebSocket that has done its work (RFC 6455, 7.4.1). */
const NORMAL_CLOSURE = Buffer.from([1000 >> 8, 1000 & 0xff]);

/**
 * Asks for a WebSocket, and pings it. The latency is from the start, name resolution included, to the status line of the
 * 101 (behavior 20.50 to 20.54).
 */
export function probeWebSocket(config: Config, input: ProbeInput): Promise<Observation> {
  return observe(input, async (context) => {
    const connection = await open(config, context);
    const connected = performance.now();
    context.waitingFor = "answer";
    const key = createKey();
    connection.write(upgradeText(key, config));
    const reader = new AnswerReader(connection, { hasBody: true, isQuoted: () => false, isUpgrade: true });
    if (!config.isSampled) {
      const { address } = connection;
      context.conversation = connection;
      context.readAnswer = (patience) => readHttpEvidence(reader, { config, context, address, patience });
    }
    const statusCode = await reader.statusCode();
    context.phases.firstByte = since(connected);
    context.statusCode = statusCode;
    const latencyMs = since(context.start);
    if (statusCode !== SWITCHING_PROTOCOLS)
      throw await refused(reader, { config, context, statusCode, latencyMs, address: connection.address });
    const fault = faultOfUpgrade((await reader.head()).headers, key, config);
    if (fault !== null) throw new ProbeError("unexpected", fault, { latencyMs, isForeign: true });
    context.waitingFor = "pong";
    await pingOnce(connection, await reader.afterHead());
    return { outcome: "reached", latencyMs, detail: { statusCode } };
  });
}

function open(config: Config, context: ProbeContext): Promise<Connection> {
  const { target, secure } = targetOf(new URL(firstUrlOf(config)));
  const { ipFamily: family, verifyTls: verify = true } = config;
  const dialed = { ...target, family };
  return secure ? dialTls(dialed, context, { verify }) : dial(dialed, context);
}

interface Refusal {
  config: Config;
  context: ProbeContext;
  statusCode: number;
  latencyMs: number;
  address: string;
}

async function refused(reader: AnswerReader, refusal: Refusal): Promise<ProbeError> {
  const { config, context, statusCode, latencyMs, address } = refusal;
  const sample = config.isSampled
    ? await readSample(reader, { config, context, isPrivate: isPrivateAddress(address) })
    : undefined;
  const message = `${statusWords(statusCode)}, expected ${statusWords(SWITCHING_PROTOCOLS)}`;
  return new ProbeError("unexpected", message, { latencyMs, ...(sample && { sample }) });
}

/** Sends a ping, waits for its pong, and says that the WebSocket closes. @param read what has arrived after the 101 */
async function pingOnce(connection: Connection, read: string): Promise<void> {
  const payload = randomBytes(16);
  connection.write(maskedFrame(PING, payload));
  const frames = new FrameReader(connection, read);
  for (;;) {
    const frame = await frames.nextControl();
    const received = Buffer.from(frame.payload, "latin1");
    // Another pong is no answer: a server may send one unasked, to keep the connection open (RFC 6455, 5.5.3).
    if (frame.opcode === PONG && received.equals(payload)) break;
    if (frame.opcode === PING) connection.write(maskedFrame(PONG, received));
    if (frame.opcode === CLOSE) throw closed(received);
  }
  connection.leave(maskedFrame(CLOSE, NORMAL_CLOSURE));
}

function closed(payload: Buffer): ProbeError {
  const code = payload.length >= 2 ? payload.readUInt16BE() : undefined;
  const withCode = code === undefined ? "" : `, with code ${code}`;
  const message = `the server closed the WebSocket before its pong${withCode}`;
  return new ProbeError("closed", message, code === undefined ? {} : { code });
}
