import { ApiError } from "../data/api.ts";
import { describeError } from "../ui/failure.tsx";

const wrong = {
  key: "Invalid key: it is unknown, expired or deleted.",
  password: "Wrong e-mail address or password.",
  passkey: "This passkey is not valid here: it was removed, or its person is not active.",
};

/** Why a sign-in failed. A server refuses one from a page of another address than its own. @param origin of the page */
export function describeRefusal(error: unknown, origin: string, way: keyof typeof wrong): string {
  if (!(error instanceof ApiError)) return describeError(error);
  if (error.status === 401) return wrong[way];
  if (error.status === 429 && way === "password") return `${error.message}. An API key works meanwhile.`;
  if (error.status !== 403) return describeError(error);
  return (
    `This server does not know that its address is ${origin}. To fix it, start the server with --base-url ${origin}, ` +
    "or let the reverse proxy pass the header Host unchanged."
  );
}

/** The organizations of which somebody with the right password must choose one; undefined for another error. */
export function organizationsIn(error: unknown): { id: string; name: string }[] | undefined {
  return error instanceof ApiError ? (error.body as Refusal).organizations : undefined;
}

interface Refusal {
  organizations?: { id: string; name: string }[];
}
