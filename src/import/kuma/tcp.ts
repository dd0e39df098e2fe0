import { clamp } from "../untyped.ts";
import {
  flagOf,
  intervalOf,
  type Mapped,
  numberOf,
  omittedTimes,
  type Refused,
  type Row,
  textIn,
  timeoutOf,
} from "./fields.ts";

/** Type `port`. */
export function tcpFrom(row: Row): Mapped | Refused {
  const alert = textIn(row, "expected_tls_alert");
  if (alert !== "" && alert !== "none") return { why: "it expects a TLS alert" };
  return tcp(row, { port: numberOf(row, "port") });
}

const MAX_COUNT = 5;
const MAX_SIZE = 1400;

/** Type `ping`. Version 1 sends one ping, which is not the default here: one reply of several is enough. */
export function pingFrom(row: Row): Mapped {
  const [count, size] = [numberOf(row, "ping_count") ?? 1, numberOf(row, "packet_size")];
  const mapped = tcp(row, { protocol: "icmp" });
  const sent = clamp(1, Math.round(count), MAX_COUNT);
  const fitting = {
    count: sent,
    timeout: pingTimeoutOf(row, sent),
    ...(size !== undefined && { size: clamp(0, Math.round(size), MAX_SIZE) }),
  };
  if (fitting.count !== count)
    mapped.omitted.push({
      part: "count",
      why: `it is ${count}; 1 to ${MAX_COUNT} are possible: it is ${fitting.count} here`,
    });
  if (fitting.size !== size)
    mapped.omitted.push({
      part: "packet size",
      why: `it is ${size} bytes; 0 to ${MAX_SIZE} are possible: it is ${fitting.size} here`,
    });
  return { ...mapped, config: { ...mapped.config, ...fitting } };
}

/** Seconds. Version 2 also has a timeout of each ping; stillup sends them 0.2 s apart (behavior 20.31). */
function pingTimeoutOf(row: Row, count: number): number {
  const each = numberOf(row, "ping_per_request_timeout") ?? 0;
  const whole = timeoutOf(row);
  return each > 0 ? Math.min(whole, Math.ceil(each + (count - 1) * 0.2)) : whole;
}

const SMTP_PORT = 25;

/** By the security of type `smtp`. Any other only uses TLS if it is offered. */
const SMTP_TLS: Record<string, string | undefined> = { secure: "direct", starttls: "starttls" };

/** Type `smtp`. */
export function smtpFrom(row: Row): Mapped {
  const tls = SMTP_TLS[textIn(row, "smtp_security")];
  return tcp(row, {
    port: numberOf(row, "port") ?? SMTP_PORT,
    protocol: "smtp",
    ...tlsFields(row, tls),
  });
}

/** @param tls when TLS begins; without it, it does not */
export function tlsFields(row: Row, tls: string | undefined): { tls?: string; verifyTls?: false } {
  if (tls === undefined) return {};
  return { tls, ...(flagOf(row, "ignore_tls") && { verifyTls: false }) };
}

/** A TCP monitor of the host of a row. */
function tcp(row: Row, config: Record<string, unknown>): Mapped {
  return {
    type: "TCP",
    config: { host: textIn(row, "hostname"), ...config, interval: intervalOf(row), timeout: timeoutOf(row) },
    omitted: omittedTimes(row),
    notes: [],
  };
}
