import { numberOf, type Row, textOf } from "./data.ts";
import { intervalOf, leftOfInterval, type Refused, type Taken, timeoutOf } from "./fields.ts";

/** Type `port`. */
export function tcpFrom(row: Row): Taken | Refused {
  const alert = textOf(row, "expected_tls_alert");
  if (alert !== "" && alert !== "none") return { why: "it expects a TLS alert" };
  return {
    type: "TCP",
    config: {
      host: textOf(row, "hostname"),
      port: numberOf(row, "port"),
      interval: intervalOf(row),
      timeout: timeoutOf(row),
    },
    left: leftOfInterval(row),
    notes: [],
  };
}
