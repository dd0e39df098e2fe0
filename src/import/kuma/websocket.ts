import { flagOf, jsonOf, type Row, textIn } from "./data.ts";
import {
  intervalOf,
  type Mapped,
  type OmittedPart,
  omittedTimes,
  type Refused,
  timeoutOf,
} from "./fields.ts";

/** Type `websocket-upgrade`. */
export function webSocketFrom(row: Row): Mapped | Refused {
  const [, secure, rest] = /^ws(s?):\/\/(.+)$/is.exec(textIn(row, "url")) ?? [];
  if (rest === undefined) return { why: "its URL does not begin with ws:// or wss://" };
  const codes = jsonOf(row, "accepted_statuscodes_json");
  if (Array.isArray(codes) && !codes.some((code) => accepts(code, NORMAL_CLOSURE)))
    return { why: `it does not accept the close code ${NORMAL_CLOSURE}, which a working WebSocket has` };
  const subprotocols = textIn(row, "ws_subprotocol").replaceAll(/\s/g, "");
  return {
    type: "HTTP",
    config: {
      url: `http${secure?.toLowerCase()}://${rest}`,
      protocol: "websocket",
      ...(subprotocols !== "" && { headers: { "Sec-WebSocket-Protocol": subprotocols } }),
      interval: intervalOf(row),
      timeout: timeoutOf(row),
    },
    omitted: [...omittedTimes(row), ...omittedAccept(row)],
    notes: [],
  };
}

/** Uptime Kuma closes what it opened, with this code. */
const NORMAL_CLOSURE = 1000;

/** @param range such as `1000` or `1000-1003` */
function accepts(range: unknown, code: number): boolean {
  const [first = Number.NaN, last = first] = String(range).split("-").map(Number);
  return first <= code && code <= last;
}

function omittedAccept(row: Row): OmittedPart[] {
  if (!flagOf(row, "ws_ignore_sec_websocket_accept_header")) return [];
  return [{ part: "ignored Sec-WebSocket-Accept", why: "a server whose value is wrong is down here" }];
}
