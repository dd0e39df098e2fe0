import { ApiError } from "../data/api.ts";
import { describeError } from "../ui/failure.tsx";

/** Why a sign-in failed. A server refuses one from a page of another address than its own. @param origin of the page */
export function describeRefusal(error: unknown, origin: string): string {
  if (!(error instanceof ApiError)) return describeError(error);
  if (error.status === 401) return "Invalid key: it is unknown, expired or deleted.";
  if (error.status !== 403) return describeError(error);
  return (
    `This server does not know that its address is ${origin}. To fix it, start the server with --base-url ${origin}, ` +
    "or let the reverse proxy pass the header Host unchanged."
  );
}
