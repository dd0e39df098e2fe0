import { Type } from "@sinclair/typebox";
import { defineFormat } from "../schemas/format.ts";

/** Behind this, a secret is base64 (decisions 3, Alerts). */
const ENCODED = "whsec_";

defineFormat("webhook-secret", {
  expected: "1 to 512 characters and, where it begins with whsec_, base64 behind that",
  accepts: (text) => !text.startsWith(ENCODED) || isBase64(text.slice(ENCODED.length)),
});

export const WebhookSecret = Type.String({
  format: "webhook-secret",
  minLength: 1,
  maxLength: 512,
  description: "Signs what is sent, as Standard Webhooks do.",
});

/** The bytes that a secret signs with: its UTF-8, or what the rest behind `whsec_` stands for (decisions 3). */
export function signingKey(secret: string): Uint8Array {
  return secret.startsWith(ENCODED)
    ? Uint8Array.fromBase64(secret.slice(ENCODED.length))
    : new TextEncoder().encode(secret);
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}
