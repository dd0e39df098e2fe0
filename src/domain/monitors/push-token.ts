import { Type } from "@sinclair/typebox";
import { MASK } from "../schemas/mask.ts";
import type { FormatRule } from "../schemas/schema.ts";

const PATTERN = /^[A-Za-z0-9-]{8,64}$/;

export const pushTokenRule: FormatRule = {
  must: "be 8 to 64 letters, digits and hyphens of ASCII",
  // The mask represents a stored value, which replaces it before the config is stored.
  accepts: (text) => text === MASK || isPushToken(text),
  isSecret: true,
};

/** Behavior 16.130, 18.30. */
export const PushToken = Type.String({
  format: "push-token",
  description:
    "The token of the URL of Uptime Kuma or Healthchecks that its job calls: `/api/push/` or `/ping/`, and this. A secret, unique " +
    "on the server.",
});

/** Whether a text can be a token, so that a longer or shorter one in a URL is not looked up. */
export function isPushToken(text: string): boolean {
  return PATTERN.test(text);
}

/** The token of a config; null without one. */
export function pushTokenOf(config: object): string | null {
  return "pushToken" in config && typeof config.pushToken === "string" ? config.pushToken : null;
}
