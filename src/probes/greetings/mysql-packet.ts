import { ProbeError } from "../probe-error.ts";
import type { Talk } from "./talk.ts";

/** No handshake packet is as long; bytes. */
const MAX_PACKET = 8 * 1024;

const HEADER = 4;
const ERROR = 0xff;
/** Version 9 is the one before MySQL 3.21. */
const VERSIONS = [9, 10];

/** Capabilities in the handshake packet and in the request for TLS. */
const PROTOCOL_41 = 0x0200;
const TLS = 0x0800;

/** Between the version of the server and its capabilities: the number of the connection, 8 bytes of the salt, and a zero. */
const BEFORE_CAPABILITIES = 4 + 8 + 1;

/**
 * Reads the first packet of a server: three bytes of length, the number 0, and either a handshake or an error.
 *
 * @returns its content, one character for each byte
 * @throws ProbeError `unexpected`, for an error with its number
 */
export async function readHandshake(talk: Talk): Promise<string> {
  const header = Buffer.from(await talk.bytes(HEADER), "latin1");
  const length = header.readUIntLE(0, 3);
  if (header.readUInt8(3) !== 0 || length < 3 || length > MAX_PACKET) throw talk.isForeign();
  const packet = await talk.bytes(length);
  const kind = packet.charCodeAt(0);
  if (kind === ERROR) throw refusal(Buffer.from(packet, "latin1").readUInt16LE(1));
  if (!VERSIONS.includes(kind) || endOfVersion(packet) < 2) throw talk.isForeign();
  return packet;
}

function refusal(code: number): ProbeError {
  return new ProbeError("unexpected", `the server refuses the connection with the error ${code}`, { code });
}

function endOfVersion(packet: string): number {
  return packet.indexOf("\0", 1);
}

export function offersTls(packet: string): boolean {
  const at = endOfVersion(packet) + 1 + BEFORE_CAPABILITIES;
  const bytes = Buffer.from(packet.slice(at, at + 2), "latin1");
  return bytes.length === 2 && (bytes.readUInt16LE() & TLS) !== 0;
}

/** The start of a sign-in, which ends here: capabilities, the longest packet, a character set, and 23 zeros. */
export function tlsRequest(): Buffer {
  const content = Buffer.alloc(4 + 4 + 1 + 23);
  content.writeUInt32LE(PROTOCOL_41 | TLS, 0);
  content.writeUInt32LE(2 ** 24, 4);
  const utf8mb4 = 45;
  content.writeUInt8(utf8mb4, 8);
  const first = 1;
  return Buffer.concat([Buffer.of(content.length, 0, 0, first), content]);
}
