import { connect, type Socket } from "node:net";
import { startDigestServer } from "../../../test/support/servers/digest-server.ts";
import { answer } from "../../../test/support/servers/http-answers.ts";
import type { Answering } from "./changes.ts";
import { http, OK } from "./http.ts";
import type { Spot } from "./spot.ts";

/* The servers on the way to a target, and targets that only let in those who come that way. */

type Sent = string | Uint8Array;

/** @property connects what a proxy says to CONNECT in place of a tunnel; null is silence */
interface ProxyStandIn {
  connects?: Sent | null;
}

/** A proxy of HTTP, which tunnels and forwards to the first address of the place, whatever the name. */
export function httpProxy({ connects }: ProxyStandIn = {}): Answering {
  return (spot) => (socket) => {
    onHead(socket, (head, rest) => {
      const isTunnel = head.startsWith("CONNECT ");
      if (isTunnel && connects !== undefined)
        return connects === null ? undefined : void socket.end(connects);
      const first = isTunnel ? rest : Buffer.concat([Buffer.from(inOriginForm(head)), rest]);
      const granted = isTunnel ? "HTTP/1.1 200 Connection established\r\n\r\n" : "";
      join(socket, spot, { first, granted, refusal: answer("502 Bad Gateway", ["Content-Length: 0"]) });
    });
  };
}

/** `GET http://host/path HTTP/1.1` becomes `GET /path HTTP/1.1`. */
function inOriginForm(head: string): string {
  return head.replace(/^(\S+) http:\/\/[^/\s]+/, "$1 ");
}

function onHead(socket: Socket, then: (head: string, rest: Buffer) => void): void {
  let read = Buffer.alloc(0);
  const take = (chunk: Buffer) => {
    read = Buffer.concat([read, chunk]);
    const end = read.indexOf("\r\n\r\n");
    if (end < 0) return;
    socket.off("data", take);
    then(read.subarray(0, end + 4).toString("latin1"), read.subarray(end + 4));
  };
  socket.on("data", take);
}

/** @property first what the target gets @property granted what the client gets when the target is connected, and if it is closed */
interface Joined {
  first?: Sent;
  granted: Sent;
  refusal: Sent;
}

/** Passes bytes between a client and the target of the place. */
function join(client: Socket, spot: Spot, { first = "", granted, refusal }: Joined): void {
  const target = connect({ host: spot.address(), port: spot.port });
  target.once("connect", () => {
    if (granted.length > 0) client.write(granted);
    if (first.length > 0) target.write(first);
    client.on("data", (bytes: Buffer) => target.write(bytes));
  });
  target.on("data", (bytes: Buffer) => client.write(bytes));
  target.once("end", () => client.end());
  target.on("error", () => client.end(refusal));
  client.once("close", () => target.destroy());
}

const GRANTED = 0;

/** A SOCKS5 proxy (RFC 1928). @param code of its reply to a request; default: it tunnels to the first address of the place */
export function socksProxy(code = GRANTED): Answering {
  return (spot) => (socket) => {
    let isGreeted = false;
    const take = (bytes: Buffer) => {
      if (!isGreeted) {
        isGreeted = true;
        socket.write(Uint8Array.of(5, 0));
        return;
      }
      socket.off("data", take);
      const reply = Uint8Array.of(5, code, 0, 1, 0, 0, 0, 0, 0, 0);
      if (code !== GRANTED || bytes[1] !== 1) {
        socket.end(reply);
        return;
      }
      join(socket, spot, { granted: reply, refusal: Uint8Array.of(5, 5, 0, 1, 0, 0, 0, 0, 0, 0) });
    };
    socket.on("data", take);
  };
}

const TOKEN = "token-of-the-course";

/** A token endpoint. @param body its answer */
export function tokenEndpoint(
  body: Sent = JSON.stringify({ access_token: TOKEN, token_type: "Bearer", expires_in: 1 }),
) {
  return http(answer("200 OK", ["Content-Type: application/json", `Content-Length: ${body.length}`], body));
}

/** Lets in who has a token. */
export function needsToken(): Answering {
  return http((_, { text }) =>
    text.includes(`Bearer ${TOKEN}`) ? OK : answer("401 Unauthorized", ["Content-Length: 0"]),
  );
}

/** A server that asks for Digest. @param password of the user `me` */
export function digest(password: string): Answering {
  return async (spot) => {
    const { port } = spot.own(await startDigestServer({ user: "me", password }));
    return (client) => {
      const server = connect({ host: "127.0.0.1", port });
      client.pipe(server).pipe(client);
      server.on("error", () => client.destroy());
    };
  };
}

/** A sign-in at `/`, which leads to a page that needs its cookie. @param isKept whether the server still knows it */
export function needsCookie(isKept: boolean): Answering {
  return http((_, { path, text }) => {
    if (path === "/")
      return answer("302 Found", ["Set-Cookie: session=s; HttpOnly", "Location: /end", "Content-Length: 0"]);
    return isKept && /^cookie: session=s\r$/im.test(text)
      ? OK
      : answer("403 Forbidden", ["Content-Length: 0"]);
  });
}

/** A shop with three steps: a sign-in gives a token, with which a basket opens, and then its bill. @param bill its status */
export function shop(bill: string, signIn: object = { token: "t-1" }): Answering {
  return http((_, { path, text }) => {
    const body = JSON.stringify(signIn);
    if (path === "/sign-in") return answer("200 OK", [`Content-Length: ${body.length}`], body);
    if (!text.includes("Bearer t-1")) return answer("401 Unauthorized", ["Content-Length: 0"]);
    return path === "/basket" ? OK : answer(bill, ["Content-Length: 0"]);
  });
}
