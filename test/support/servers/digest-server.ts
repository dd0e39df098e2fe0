import { createHash, randomBytes } from "node:crypto";
import { answer, startHttpServer } from "./http-answers.ts";
import type { TestServer } from "./tcp-server.ts";

/**
 * @property algorithms one challenge for each, in this order, as the server writes them
 * @property stale how many right answers are called too old
 * @property extra more parameters of each challenge
 */
export interface DigestOptions {
  user?: string;
  password?: string;
  realm?: string;
  algorithms?: string[];
  stale?: number;
  extra?: string;
  /** The answer to a request that is signed in. */
  reply?: (path: string, request: string) => Buffer;
}

export interface DigestServer extends TestServer {
  /** The values of `Authorization`, in the order of the requests. */
  authorizations: (string | undefined)[];
  requests: string[];
}

/** Asks for Digest (RFC 7616) with qop=auth, and judges what it gets by a way of its own: `curl --digest` agrees with it. */
export async function startDigestServer({
  user = "ada",
  password = "s3cret word",
  realm = "members",
  algorithms = ["SHA-256", "MD5"],
  stale = 0,
  extra = "",
  reply = () => answer("200 OK", [], "welcome"),
}: DigestOptions = {}): Promise<DigestServer> {
  const issued = new Set<string>();
  const authorizations: (string | undefined)[] = [];
  const requests: string[] = [];
  let left = stale;

  function challenge(more = ""): Buffer {
    const nonce = randomBytes(12).toString("base64");
    issued.add(nonce);
    const headers = algorithms.map(
      (algorithm) =>
        `WWW-Authenticate: Digest realm=${JSON.stringify(realm)}, qop="auth, auth-int", algorithm=${algorithm}, nonce="${nonce}", opaque="o=1,2"${more}${extra}`,
    );
    return answer("401 Unauthorized", headers, "no");
  }

  const server = await startHttpServer((path, request) => {
    requests.push(request);
    const authorization = /^Authorization: (.*)\r$/im.exec(request)?.[1];
    authorizations.push(authorization);
    const given = authorization === undefined ? undefined : parametersOf(authorization);
    if (!given || !issued.delete(given.nonce ?? "")) return challenge(given ? ", stale=true" : "");
    const [method = ""] = request.split(" ");
    const name = given["username*"]
      ? decodeURIComponent(given["username*"].slice("UTF-8''".length))
      : given.username;
    const isRight =
      name === user &&
      given.uri === path &&
      given.realm === realm &&
      given.opaque === "o=1,2" &&
      given.response === expected(given, { user, password, realm, method });
    if (!isRight) return challenge();
    if (left-- > 0) return challenge(", stale=TRUE");
    return reply(path, request);
  });
  return Object.assign(server, { authorizations, requests });
}

function parametersOf(authorization: string): Record<string, string> {
  const pairs = authorization.matchAll(/([\w*]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))/g);
  return Object.fromEntries(
    [...pairs].map(([, name, quoted, plain]) => [name, quoted?.replaceAll(/\\(.)/g, "$1") ?? plain ?? ""]),
  );
}

function expected(
  given: Record<string, string>,
  { user, password, realm, method }: { user: string; password: string; realm: string; method: string },
): string {
  const algorithm = given.algorithm?.toLowerCase() ?? "md5";
  const name = algorithm.startsWith("sha") ? "sha256" : "md5";
  const hash = (text: string) => createHash(name).update(text).digest("hex");
  const first = hash([user, realm, password].join(":"));
  const a1 = algorithm.endsWith("-sess") ? hash([first, given.nonce, given.cnonce].join(":")) : first;
  const a2 = hash(`${method}:${given.uri}`);
  return hash([a1, given.nonce, given.nc, given.cnonce, given.qop, a2].join(":"));
}
