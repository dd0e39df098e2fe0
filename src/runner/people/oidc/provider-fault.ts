import { AppError } from "../../../errors.ts";
import { ProviderAway } from "./provider-requests.ts";

/** Seconds after which another try is worth it. */
const AWAY_FOR = 5;

/** @returns AppError `unavailable` if the provider is away; `forbidden`, with the reason for the log, if its answer proves nothing */
export function providerFault(error: unknown): AppError {
  const away = causesOf(error).find((cause) => cause instanceof ProviderAway);
  const fault = away
    ? new AppError("unavailable", "the provider can't be reached now: try again later", undefined, AWAY_FOR)
    : new AppError("forbidden", reasonOf(error));
  fault.cause = away?.message;
  return fault;
}

/** Whether the provider has answered, in the form of OAuth, that it refuses. */
export function isRefusal(error: unknown): boolean {
  return causesOf(error).some((cause) => (cause as { code?: unknown }).code === "OAUTH_RESPONSE_BODY_ERROR");
}

/** Too many sign-ins return at the same time. */
export function busy(): AppError {
  return new AppError("unavailable", "too many sign-ins end now: try again later", undefined, AWAY_FOR);
}

function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

/** Names only: causes of the library have tokens. `error` is a word of the provider. */
function reasonOf(given: unknown): string {
  const [error] = causesOf(given);
  if (!error) return "unknown";
  const { error: word, code } = error as { error?: unknown; code?: unknown };
  const details = causesOf(given).map(({ cause }) => (cause as { claim?: unknown } | undefined)?.claim);
  const parts = [error.message, word, code, ...details].filter((part) => typeof part === "string");
  return [...new Set(parts)].map((part) => part.slice(0, 200)).join(", ");
}
