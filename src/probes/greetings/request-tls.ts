import type { Socket } from "node:net";
import type { StarttlsProtocol } from "../../domain/monitors/tcp-config.ts";
import { nodeConnection } from "../connections/connection.ts";
import type { ProbeContext } from "../observe.ts";
import { ProbeError } from "../probe-error.ts";
import { PROTOCOLS } from "./protocols.ts";
import { Talk } from "./talk.ts";

/**
 * Reads the greeting of a server, and asks it for TLS (STARTTLS). The handshake must begin at once.
 *
 * @throws ProbeError `unexpected` if the server does not agree, or says more in plain text after it has agreed: somebody on the
 * way may have added that, and nothing may take it for what the server says over TLS (CVE-2011-0411). `closed`
 */
export async function requestTls(
  protocol: StarttlsProtocol,
  socket: Socket,
  context: ProbeContext,
): Promise<void> {
  const { greet, starttls } = PROTOCOLS[protocol];
  const connection = nodeConnection(socket, context.lifetime);
  const talk = new Talk(connection, PROTOCOLS[protocol]);
  try {
    context.waitingFor = "greeting";
    const greeting = await greet(talk);
    context.waitingFor = "answer";
    await starttls(talk, greeting);
  } catch (error) {
    talk.leave();
    throw error;
  }
  if (connection.release().length > 0 || talk.unread !== "")
    throw new ProbeError("unexpected", "the server sent plain text after it agreed to TLS");
}
