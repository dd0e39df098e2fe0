import { json, type Service } from "./service-call.ts";

/* Services whose messages people read in a conversation. */

const telegramError = (error_code: number, description: string, parameters?: object) =>
  json(error_code, { ok: false, error_code, description, ...(parameters && { parameters }) });

const telegramFailures = {
  token: telegramError(401, "Unauthorized"),
  unknownBot: telegramError(404, "Not Found"),
  chat: telegramError(400, "Bad Request: chat not found"),
  thread: telegramError(400, "Bad Request: message thread not found"),
  blocked: telegramError(403, "Forbidden: bot was blocked by the user"),
  kicked: telegramError(403, "Forbidden: bot was kicked from the supergroup chat"),
  rateLimit: telegramError(429, "Too Many Requests: retry after 35", { retry_after: 35 }),
  moved: telegramError(400, "Bad Request: group chat was upgraded to a supergroup chat", {
    migrate_to_chat_id: -1001234567890,
  }),
  fault: () => new Response("<html>Bad Gateway</html>", { status: 502 }),
};

/** The Bot API, for the bot `123:good`. */
export const telegram: Service = {
  answer({ method, path, body }) {
    if (path !== "/bot123:good/sendMessage") return telegramFailures.token();
    if (method !== "POST" || body.parse_mode !== "HTML")
      return telegramError(400, "Bad Request: can't parse entities")();
    if (body.chat_id === "404") return telegramFailures.chat();
    if (textOfHtml(body.text).length > 4096) return telegramError(400, "Bad Request: message is too long")();
    return Response.json({ ok: true, result: { message_id: 1 } });
  },
  failures: telegramFailures,
};

/** Fails if the markup is not what Telegram accepts. */
function textOfHtml(html: string): string {
  const text = html.replaceAll(/<\/?b>|<a href="[^"<>]*">|<\/a>/g, "");
  if (/[<>]|&(?!(lt|gt|amp|quot|#x?[\da-f]+);)/i.test(text)) throw new Error("invalid markup");
  return text;
}

const matrixError = (status: number, errcode: string, more: object = {}) =>
  json(status, { errcode, error: "words of the server", ...more });

const matrixFailures = {
  token: matrixError(401, "M_UNKNOWN_TOKEN"),
  forbidden: matrixError(403, "M_FORBIDDEN"),
  unknown: matrixError(404, "M_UNRECOGNIZED"),
  rateLimit: matrixError(429, "M_LIMIT_EXCEEDED", { retry_after_ms: 12_345 }),
  rateLimitByHeader: () =>
    Response.json({ errcode: "M_LIMIT_EXCEEDED" }, { status: 429, headers: { "retry-after": "20" } }),
  fault: matrixError(500, "M_UNKNOWN"),
  otherWord: matrixError(403, "ORG.EXAMPLE.SECRET"),
};

/** The client-server API of a homeserver, for the token `good` and the room `!room:example.org`. */
export const matrix: Service = {
  answer({ method, path, headers, body }, seen) {
    if (headers.authorization !== "Bearer good") return matrixFailures.token();
    const [, room = "", transaction = ""] =
      /^\/_matrix\/client\/v3\/rooms\/([^/]+)\/send\/m\.room\.message\/([^/]+)$/.exec(path) ?? [];
    if (method !== "PUT" || transaction === "") return matrixFailures.unknown();
    if (decodeURIComponent(room) !== "!room:example.org") return matrixFailures.forbidden();
    if (JSON.stringify(body).length > 65_000) return matrixError(413, "M_TOO_LARGE")();
    const known = seen.some((call) => call.path === path);
    return Response.json({ event_id: known ? "$old" : "$new" });
  },
  failures: matrixFailures,
};

const googleError = (code: number, status: string) =>
  json(code, { error: { code, status, message: "words" } });

const googlechatFailures = {
  invalid: googleError(400, "INVALID_ARGUMENT"),
  token: googleError(403, "PERMISSION_DENIED"),
  space: googleError(404, "NOT_FOUND"),
  rateLimit: googleError(429, "RESOURCE_EXHAUSTED"),
  fault: googleError(503, "UNAVAILABLE"),
};

/** The webhook `/v1/spaces/AAAA/messages?key=k&token=good` of a space. */
export const googlechat: Service = {
  answer({ method, path, query, body }) {
    if (method !== "POST" || path !== "/v1/spaces/AAAA/messages") return googlechatFailures.space();
    if (query.get("key") !== "k" || query.get("token") !== "good=") return googlechatFailures.token();
    if (typeof body.text !== "string" || body.text.length > 4096) return googlechatFailures.invalid();
    return Response.json({ name: `spaces/AAAA/messages/${query.get("requestId")}` });
  },
  failures: googlechatFailures,
};

const signalError = (status: number, error: string) => json(status, { error });

const signalFailures = {
  number: signalError(400, "Specified account does not exist"),
  unregistered: signalError(400, 'Failed to send: Unregistered user "+4915112345678"'),
  network: signalError(400, "Failed to send message: Connection closed unexpectedly"),
  rateLimit: json(429, { error: "rate limit", challenge_tokens: ["xSECRETx"], account: "+4915100000" }),
  fault: signalError(500, "Couldn't start signal-cli"),
};

/** A signal-cli-rest-api server with the number +4915100000. */
export const signal: Service = {
  answer({ method, path, body }) {
    if (method !== "POST" || path !== "/v2/send") return new Response("404 page not found", { status: 404 });
    if (!body.recipients?.length)
      return signalError(400, "Couldn't process request - please provide at least one recipient")();
    if (body.number !== "+4915100000") return signalFailures.number();
    if (Buffer.byteLength(body.message) > 2048) throw new Error("the text becomes an attachment");
    return Response.json({ timestamp: "1795271405000" }, { status: 201 });
  },
  failures: signalFailures,
};
