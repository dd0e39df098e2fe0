import { json, type Service } from "./service-call.ts";

/* Services that send messages to the apps of users. */

const ntfyError = (code: number, error: string) =>
  json(Math.floor(code / 100), { code, http: Math.floor(code / 100), error, link: "https://ntfy.sh/docs/" });

const ntfyFailures = {
  unauthorized: ntfyError(40_101, "unauthorized"),
  forbidden: ntfyError(40_301, "forbidden"),
  tooMany: ntfyError(42_901, "limit reached: too many requests"),
  daily: ntfyError(42_908, "limit reached: daily message quota reached"),
  storage: ntfyError(50_701, "cannot publish to UnifiedPush topic"),
  fault: ntfyError(50_001, "internal server error"),
};

/** A server with the token `tk_good`, in the folder `/ntfy`. */
export const ntfy: Service = {
  answer({ method, path, headers, body }) {
    if (method !== "POST" || path !== "/ntfy/") return ntfyError(40_401, "page not found")();
    if (headers.authorization !== "Bearer tk_good") return ntfyFailures.forbidden();
    if (!/^[-_A-Za-z0-9]{1,64}$/.test(body.topic ?? "")) return ntfyError(40_009, "invalid topic")();
    if (!(body.priority >= 1 && body.priority <= 5)) return ntfyError(40_007, "invalid priority")();
    if (Buffer.byteLength(body.message) > 4096) return ntfyError(41_301, "attachment too large")();
    if (body.actions.length > 3) return ntfyError(40_018, "invalid actions")();
    return Response.json({ id: "x", event: "message", topic: body.topic });
  },
  failures: ntfyFailures,
};

const gotifyError = (errorCode: number, error: string) =>
  json(errorCode, { error, errorCode, errorDescription: "words of the server" });

const gotifyFailures = {
  token: gotifyError(401, "Unauthorized"),
  forbidden: gotifyError(403, "Forbidden"),
  fault: gotifyError(500, "Internal Server Error"),
};

/** A server with the application token `good`. */
export const gotify: Service = {
  answer({ method, path, query, headers, body }) {
    if (method !== "POST" || path !== "/message") return gotifyError(404, "Not Found")();
    // A token in the URL works too, but is in the logs of proxies.
    if (query.size > 0 || headers["x-gotify-key"] !== "good") return gotifyFailures.token();
    if (typeof body.message !== "string") return gotifyError(400, "Bad Request")();
    return Response.json({ id: 1, appid: 1, ...body });
  },
  failures: gotifyFailures,
};

const pushoverError = (status: number, more: object, headers: Record<string, string> = {}) =>
  json(status, { status: 0, request: "5042853c", errors: ["words of the service"], ...more }, headers);

const pushoverFailures = {
  token: pushoverError(400, { token: "invalid" }),
  user: pushoverError(400, { user: "invalid" }),
  device: pushoverError(400, { device: "invalid" }),
  quota: () => pushoverError(429, {}, { "x-limit-app-reset": String(Math.floor(Date.now() / 1000) + 600) })(),
  fault: () => new Response("down", { status: 500 }),
};

/** The Message API, for the application `app` and the user `good`. */
export const pushover: Service = {
  answer({ method, path, body }) {
    if (method !== "POST" || path !== "/1/messages.json") return pushoverError(404, {})();
    if (body.token !== "app") return pushoverFailures.token();
    if (body.user !== "good") return pushoverFailures.user();
    const tooLong = body.title.length > 250 || body.message.length > 1024 || body.url.length > 512;
    if (tooLong || body.message === "") return pushoverError(400, { message: "invalid" })();
    if (!(body.priority >= -2 && body.priority <= 1)) return pushoverError(400, { priority: "invalid" })();
    return Response.json({ status: 1, request: "647d2300" });
  },
  failures: pushoverFailures,
};
