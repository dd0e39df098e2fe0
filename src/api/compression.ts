/** A shorter answer gains nothing. */
const WORTHWHILE = 4096;

/** Most of what can be had, for a millisecond or two. */
const level = 6;

/** A `mapResponse` hook: sends an answer in gzip where it is long and the caller takes that. */
export function compressed({ responseValue, request }: { responseValue: unknown; request: Request }) {
  if (!/\bgzip\b/.test(request.headers.get("accept-encoding") ?? "")) return undefined;
  const text = JSON.stringify(responseValue);
  if (text.length < WORTHWHILE) return undefined;
  return new Response(Bun.gzipSync(text, { level }), {
    headers: { "content-type": "application/json", "content-encoding": "gzip", vary: "accept-encoding" },
  });
}
