import { createHmac } from "node:crypto";

const ENCODED = "whsec_";

/** What a Standard Webhook is recognised by. @property timestamp seconds since 1970 */
export interface Envelope {
  id: string;
  timestamp: number;
  body: string;
}

/**
 * The value of `webhook-signature`. The key is the secret's UTF-8 bytes, or, behind `whsec_`, its base64-decoded rest
 * (decisions 3).
 */
export function sign(secret: string, { id, timestamp, body }: Envelope): string {
  const key = secret.startsWith(ENCODED)
    ? Buffer.from(secret.slice(ENCODED.length), "base64")
    : Buffer.from(secret);
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
}
