import { connect, type Socket } from "node:net";
import { startServer, type TestServer } from "./tcp-server.ts";

/**
 * @property login the only user and password that the proxy accepts. Default: it asks for none
 * @property names resolved by the proxy, and by nobody else
 * @property answer what the proxy sends in place of its work: with HTTP, for a request; with SOCKS, for a request to connect
 * @property refusal the status of its answers to CONNECT
 * @property established what it answers to CONNECT once it is connected
 * @property hasVia whether it adds `Via` to what it forwards
 */
export interface ProxyOptions {
  login?: { user: string; password: string };
  names?: Record<string, string>;
  answer?: string | Uint8Array | ((client: Socket) => void);
  refusal?: string;
  established?: string;
  hasVia?: boolean;
}

/** @property asked the targets of its requests, such as `shop.test:443` or `GET http://shop.test/` */
export interface TestProxy extends TestServer {
  url: string;
  asked: string[];
}

/** A proxy for requests in absolute form, and for CONNECT. */
export async function startHttpProxy({
  login,
  names = {},
  answer,
  refusal,
  established = "HTTP/1.1 200 Connection established\r\nServer: proxy of the tests\r\n\r\n",
  hasVia = true,
}: ProxyOptions = {}): Promise<TestProxy> {
  const asked: string[] = [];
  const server = await startServer((client) => {
    onHead(client, (head, rest) => {
      const [method = "", target = ""] = head.split(" ");
      asked.push(method === "CONNECT" ? target : `${method} ${target}`);
      if (!isLoggedIn(head, login)) return client.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      if (typeof answer === "function") return answer(client);
      if (answer !== undefined) return client.end(answer);
      if (method !== "CONNECT") return forward({ client, head, rest, names, hasVia });
      if (refusal !== undefined) return void client.end(`HTTP/1.1 ${refusal}\r\n\r\n`);
      const { host, port } = endpointIn(target, names);
      const server = connect({ host, port });
      server.once("connect", () => {
        client.write(established);
        join(client, server, rest);
      });
      server.on("error", () => client.end("HTTP/1.1 502 Bad Gateway\r\n\r\n"));
    });
  });
  return { ...server, url: `http://127.0.0.1:${server.port}`, asked };
}

function isLoggedIn(head: string, login: ProxyOptions["login"]): boolean {
  if (!login) return true;
  const credentials = Buffer.from(`${login.user}:${login.password}`).toString("base64");
  return head.includes(`\r\nProxy-Authorization: Basic ${credentials}\r\n`);
}

function onHead(client: Socket, then: (head: string, rest: Buffer) => void): void {
  let read = Buffer.alloc(0);
  const onData = (chunk: Buffer) => {
    read = Buffer.concat([read, chunk]);
    const end = read.indexOf("\r\n\r\n");
    if (end < 0) return;
    client.off("data", onData);
    then(read.toString("latin1", 0, end + 2), read.subarray(end + 4));
  };
  client.on("data", onData);
}

interface Forwarded {
  client: Socket;
  head: string;
  rest: Buffer;
  names: Record<string, string>;
  hasVia: boolean;
}

function forward({ client, head, rest, names, hasVia }: Forwarded): void {
  const [line = "", ...headers] = head.split("\r\n");
  const [method, target = "", version] = line.split(" ");
  const url = new URL(target);
  const { host, port } = endpointIn(`${url.hostname}:${url.port || 80}`, names);
  const server = connect({ host, port });
  const kept = headers.filter((one) => !/^proxy-/i.test(one)).join("\r\n");
  server.once("connect", () => {
    server.write(`${method} ${url.pathname}${url.search} ${version}\r\n${kept}\r\n`);
    server.write(rest);
  });
  server.once("data", (first: Buffer) => {
    const text = first.toString("latin1");
    client.write(hasVia ? text.replace("\r\n", "\r\nVia: 1.1 proxy\r\n") : text, "latin1");
    join(client, server, Buffer.alloc(0));
  });
  server.on("error", () => client.end("HTTP/1.1 502 Bad Gateway\r\n\r\n"));
}

function join(client: Socket, server: Socket, rest: Buffer): void {
  if (rest.length > 0) server.write(rest);
  client.on("data", (chunk: Buffer) => server.write(chunk));
  server.on("data", (chunk: Buffer) => client.write(chunk));
  client.once("close", () => server.destroy());
  server.once("close", () => client.end());
}

function endpointIn(authority: string, names: Record<string, string>): { host: string; port: number } {
  const at = authority.lastIndexOf(":");
  const host = authority.slice(0, at).replace(/^\[|\]$/g, "");
  return { host: names[host] ?? host, port: Number(authority.slice(at + 1)) };
}

/** @property method that it chooses in place of a right one @property reply in place of a connection */
export interface SocksOptions extends Omit<ProxyOptions, "hasVia" | "established" | "refusal"> {
  method?: number;
  reply?: number;
}

/** A SOCKS 5 proxy. */
export async function startSocksProxy({
  login,
  names = {},
  answer,
  method,
  reply,
}: SocksOptions = {}): Promise<TestProxy> {
  const asked: string[] = [];
  const server = await startServer((client) => void serveSocks(client));

  async function serveSocks(client: Socket): Promise<void> {
    const bytes = readerOf(client);
    const [, count = 0] = await bytes(2);
    const offered = [...(await bytes(count))];
    const wanted = login ? 2 : 0;
    const chosen = method ?? (offered.includes(wanted) ? wanted : 0xff);
    client.write(Buffer.from([5, chosen]));
    if (chosen === 2 && !(await isUser(client, bytes))) return;
    const [, , , type] = await bytes(4);
    const host = await hostOf(type ?? 0, bytes);
    const port = (await bytes(2)).readUInt16BE();
    asked.push(`${host}:${port}`);
    if (typeof answer === "function") return answer(client);
    if (answer !== undefined) return void client.end(answer);
    if (reply !== undefined) return void client.end(Buffer.from([5, reply, 0, 1, 0, 0, 0, 0, 0, 0]));
    const target = connect({ host: names[host] ?? host, port });
    target.once("connect", () => {
      client.write(Buffer.from([5, 0, 0, 3, 4, ...Buffer.from("here"), 0, 0]));
      join(client, target, bytes.rest());
    });
    target.on("error", () => client.end(Buffer.from([5, 5, 0, 1, 0, 0, 0, 0, 0, 0])));
  }

  async function isUser(client: Socket, bytes: ReturnType<typeof readerOf>): Promise<boolean> {
    const text = async () => (await bytes((await bytes(1))[0] ?? 0)).toString();
    await bytes(1);
    const [user, password] = [await text(), await text()];
    const isRight = user === login?.user && password === login?.password;
    client.write(Buffer.from([1, isRight ? 0 : 1]));
    if (!isRight) client.end();
    return isRight;
  }

  return { ...server, url: `socks5://127.0.0.1:${server.port}`, asked };
}

async function hostOf(type: number, bytes: (count: number) => Promise<Buffer>): Promise<string> {
  if (type === 1) return (await bytes(4)).join(".");
  if (type === 3) return (await bytes((await bytes(1))[0] ?? 0)).toString();
  const groups = (await bytes(16)).toString("hex").match(/.{4}/g) ?? [];
  return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}

/** Reads the data of a client piece by piece, until `rest` is taken. */
function readerOf(client: Socket): { (count: number): Promise<Buffer>; rest(): Buffer } {
  let read = Buffer.alloc(0);
  let wake = () => {};
  const onData = (chunk: Buffer) => {
    read = Buffer.concat([read, chunk]);
    wake();
  };
  client.on("data", onData);
  const take = async (count: number) => {
    while (read.length < count) await new Promise<void>((resolve) => (wake = resolve));
    const taken = read.subarray(0, count);
    read = read.subarray(count);
    return taken;
  };
  const rest = () => {
    client.off("data", onData);
    return read;
  };
  return Object.assign(take, { rest });
}
