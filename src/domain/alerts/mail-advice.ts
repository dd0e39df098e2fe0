import type { DeliveryAttempt } from "./delivery.ts";

/**
 * The step that the operator can take after an e-mail was not sent: a sentence for people, by the codes of RFC 5321 and RFC 4954. Null for an
 * e-mail that was sent, and for a code that says nothing more.
 */
export function mailAdvice(attempt: DeliveryAttempt): string | null {
  if (attempt.outcome === "delivered") return null;
  const { answer, error } = attempt;
  if (answer !== undefined) return adviceForCode(answer.slice(0, 3));
  if (error.includes("--smtp-url")) return SET_UP;
  return UNREACHABLE;
}

const SET_UP = "Start the server with --smtp-url and --smtp-from.";

const UNREACHABLE =
  "Compare the host and port in --smtp-url with those of the mail server: usually smtp://…:587, or smtps://…:465 with TLS from " +
  "the start. A firewall may block the connection.";

function adviceForCode(code: string): string | null {
  if (code === "530" || code === "538")
    return "The mail server requires a sign-in: add the user and the password to --smtp-url.";
  if (code === "534" || code === "535")
    return "The mail server rejected the user or the password in --smtp-url.";
  if (code.startsWith("4")) return "The mail server refuses for now. Try again in some minutes.";
  if (["501", "550", "551", "553", "554", "556"].includes(code))
    return "The mail server rejected the sender or the recipient: the sender of --smtp-from must be an address that the user may use.";
  return null;
}
