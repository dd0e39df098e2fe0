import { createHmac } from "node:crypto";
import { signingKey } from "../domain/alerts/webhook-rules.ts";

/** The signed parts of a Standard Webhook (behavior 5.34). @property timestamp seconds since 1970 */
export interface Envelope {
  id: string;
  timestamp: number;
  body: string;
}

/** The value of `webhook-signature`. */
export function sign(secret: string, { id, timestamp, body }: Envelope): string {
  const signed = `${id}.${timestamp}.${body}`;
  return `v1,${createHmac("sha256", signingKey(secret)).update(signed).digest("base64")}`;
}
