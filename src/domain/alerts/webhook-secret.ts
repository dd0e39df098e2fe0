import { Type } from "@sinclair/typebox";
import type { FormatRule } from "../schemas/schema.ts";

/** A secret with this prefix is base64 after it (behavior 5.35). */
const ENCODED = "whsec_";

export const webhookSecretRule: FormatRule = {
  must: "be 1 to 512 characters and, if it begins with whsec_, base64 after that",
  accepts: (text) => !text.startsWith(ENCODED) || isBase64(text.slice(ENCODED.length)),
};

export const WebhookSecret = Type.String({
  format: "webhook-secret",
  minLength: 1,
  maxLength: 512,
  description: "Signs the notifications as Standard Webhooks specify.",
});

/** The signing key of a secret: its UTF-8 bytes, or the decoded rest after `whsec_` (behavior 5.35). */
export function signingKey(secret: string): Uint8Array {
  return secret.startsWith(ENCODED)
    ? Uint8Array.fromBase64(secret.slice(ENCODED.length))
    : new TextEncoder().encode(secret);
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}
