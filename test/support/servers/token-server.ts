import { answer, startHttpServer } from "./http-answers.ts";
import type { TestServer } from "./tcp-server.ts";

/** An endpoint for tokens that answers whatever a test needs (RFC 6749, 4.4). */
export interface TokenServer extends TestServer {
  url: string;
  /** The requests so far. */
  requests: string[];
}

type Answer = Parameters<typeof startHttpServer>[0] extends (...given: never[]) => infer One ? One : never;

/** @param answerTo the count of a request, from 1. Default: a token `token-1`, `token-2`, … */
export async function startTokenServer(
  answerTo: (count: number, request: string) => Answer = (count) =>
    issued({ access_token: `token-${count}` }),
  options: Parameters<typeof startHttpServer>[1] = {},
): Promise<TokenServer> {
  const requests: string[] = [];
  const server = await startHttpServer((_, request) => answerTo(requests.push(request), request), options);
  const scheme = options.tls ? "https" : "http";
  return Object.assign(server, { requests, url: `${scheme}://127.0.0.1:${server.port}/token` });
}

/** An answer with JSON. @param fields beside `token_type` */
export function issued(fields: object): Buffer {
  return answer(
    "200 OK",
    ["Content-Type: application/json"],
    JSON.stringify({ token_type: "Bearer", ...fields }),
  );
}

/** A target that accepts some tokens, and answers 401 to others. */
export async function startGuardedServer(
  accepts: (token: string) => boolean | Promise<boolean>,
  reply: (request: string) => Buffer = () => answer("200 OK"),
): Promise<TestServer & { tokens: (string | undefined)[] }> {
  const tokens: (string | undefined)[] = [];
  const server = await startHttpServer((_, request) => (socket) => {
    const token = /^Authorization: Bearer (.*)\r$/im.exec(request)?.[1];
    tokens.push(token);
    const decide = async () => token !== undefined && (await accepts(token));
    void decide().then((isAccepted) =>
      socket.end(
        isAccepted
          ? reply(request)
          : answer("401 Unauthorized", ['WWW-Authenticate: Bearer error="invalid_token"']),
      ),
    );
  });
  return Object.assign(server, { tokens });
}
