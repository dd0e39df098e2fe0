import { invalid } from "../../errors.ts";
import { fieldOf } from "../schemas/field-name.ts";

/** Names of headers that a protocol sets itself, or that mean something else in it. In lower case. */
const RESERVED = {
  websocket: /^(upgrade|sec-websocket-(?!protocol$).*)$/,
  grpc: /^(te|content-type|upgrade|keep-alive|proxy-connection|http2-settings|grpc-.*)$/,
};

/** Whether a protocol sets a header itself (behavior 20.50, 20.60). `Sec-WebSocket-Protocol` asks for subprotocols. */
export function isProtocolHeader(name: string, protocol: keyof typeof RESERVED): boolean {
  return RESERVED[protocol].test(name.toLowerCase());
}

export function assertProtocolHeaders(
  headers: Record<string, string>,
  protocol: keyof typeof RESERVED,
): void {
  const name = Object.keys(headers).find((one) => isProtocolHeader(one, protocol));
  if (name === undefined) return;
  throw invalid(
    `${fieldOf("config.headers", name)} must be left out with the protocol ${protocol}, which sets it itself`,
  );
}
