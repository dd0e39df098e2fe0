import { isIP, type Socket } from "node:net";
import type { Reason } from "../../domain/checks/observation.ts";
import { statusWords } from "../../domain/checks/status-phrases.ts";
import { addressBytes, isIPv4 } from "../../domain/network/client-address.ts";
import { asciiName, type IpFamily } from "../dns/resolve.ts";
import { AnswerReader } from "../http/answer-reader.ts";
import type { ProbeContext } from "../observe.ts";
import { since } from "../probe-clock.ts";
import { AccessError, asProbeError, HostError, ProbeError } from "../probe-error.ts";
import { type Connection, nodeConnection } from "./connection.ts";
import { dial, dialSocket, secure, type Target, type TlsChoice } from "./dial.ts";
import { NodeTlsConnection } from "./handshake.ts";

/** @property url `http://` or `socks5://`, without a path */
export interface ProxyServer {
  url: string;
  user?: string;
  password?: string;
}

/** @property family the only version of IP for the connection to the proxy @property address of the proxy, if it is known */
interface Through {
  proxy: ProxyServer;
  family: IpFamily | undefined;
  address?: string | undefined;
}

/**
 * Opens a connection to an HTTP proxy that forwards requests.
 *
 * @throws AccessError `proxy_failed`; any other error is a fault of this machine
 */
export function dialProxy(through: Through, context: ProbeContext): Promise<Connection> {
  return dialed(through, context, dial);
}

/**
 * Opens a connection through a proxy, which resolves the name of the target (behavior 26.20, 26.21).
 *
 * @param tls shakes hands with the target
 * @throws AccessError `proxy_failed`; ProbeError if the target is at fault; any other error is a fault of this machine
 */
export async function dialThrough(
  through: Through,
  target: Target,
  context: ProbeContext,
  tls?: TlsChoice,
): Promise<Connection> {
  const socket = await dialed(through, context, dialSocket);
  const connection = nodeConnection(socket, context.lifetime);
  await askFor(target, { connection, ...through }, context);
  if (!tls) return connection;
  if (connection.release().length > 0) throw notTls();
  return await secureSocket(socket, target, context, tls);
}

function secureSocket(socket: Socket, { host }: Target, context: ProbeContext, tls: TlsChoice) {
  const { verify: _, ...asked } = tls;
  const securing = new NodeTlsConnection(socket, { host, ...asked }, context.lifetime);
  return secure(securing, context, { host, ...tls });
}

function notTls(): ProbeError {
  const tlsError = "ERR_SSL_WRONG_VERSION_NUMBER";
  return new ProbeError("tls_failed", "the server does not speak TLS on that port", { tlsError });
}

export function proxyFailed(message: string): AccessError {
  return new AccessError("proxy_failed", message);
}

/** Connects to the proxy, whose addresses are no facts about the target. */
async function dialed<T extends Connection | Socket>(
  { proxy, ...how }: Through,
  context: ProbeContext,
  dial: (target: Target, context: ProbeContext) => Promise<T>,
): Promise<T> {
  if (!context.network.allowsProxies)
    throw proxyFailed("the settings of this machine do not allow a proxy (--private-targets deny)");
  const proxied = ofProxy(context, () =>
    dial({ ...endpointOf(proxy), ...how, isOneOfSeveral: true }, context),
  );
  try {
    return await proxied;
  } catch (error) {
    throw isOfNetwork(error) ? proxyFailed(`the proxy can't be reached: ${wordsOf(error)}`) : error;
  } finally {
    context.forgetHost();
  }
}

/** Runs a step that only the proxy can delay. */
async function ofProxy<T>(context: ProbeContext, step: () => Promise<T>): Promise<T> {
  const message = `the proxy did not answer within ${context.timeout / 1000} s`;
  context.onTimeout = () => context.fail(proxyFailed(message));
  try {
    return await step();
  } finally {
    context.onTimeout = undefined;
  }
}

function endpointOf({ url }: ProxyServer): Target {
  const { protocol, hostname, port } = new URL(url);
  const usual = protocol === "http:" ? 80 : 1080;
  // The host of a URL with another scheme than of the web is not in ASCII.
  const host = decodeURIComponent(hostname).replace(/^\[|\]$/g, "");
  return { host, port: port === "" ? usual : Number(port) };
}

/** Whether an error is no fault of this machine. */
function isOfNetwork(error: unknown): boolean {
  return asProbeError(error) !== undefined;
}

function wordsOf(error: unknown): string {
  if (error instanceof HostError) return error.about("its host").message;
  return asProbeError(error)?.message ?? String(error);
}

interface Asking extends Through {
  connection: Connection;
}

/** Asks the proxy for a connection to the target, which counts in the phase `connect`. */
async function askFor(target: Target, asking: Asking, context: ProbeContext): Promise<void> {
  const start = performance.now();
  const { connect = 0 } = context.phases;
  const isSocks = new URL(asking.proxy.url).protocol === "socks5:";
  context.waitingFor = "connection";
  await (isSocks ? askSocks : askHttp)(target, asking, context);
  context.phases.connect = Math.round((connect + since(start)) * 1000) / 1000;
}

/** CONNECT (RFC 9110, 9.3.6). */
async function askHttp(
  { host, port }: Target,
  { connection, proxy }: Asking,
  context: ProbeContext,
): Promise<void> {
  const name = asciiName(host);
  const authority = `${name.includes(":") ? `[${name}]` : name}:${port}`;
  const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`, "User-Agent: stillup"];
  connection.write(`${[...lines, ...credentialsOf(proxy)].join("\r\n")}\r\n\r\n`);
  const reader = new AnswerReader(connection, { hasBody: false, isQuoted: () => false });
  const statusCode = await reader.statusCode().catch(asFaultOfProxy("HTTP"));
  if (statusCode < 200 || statusCode > 299) throw refusalOf(statusCode, proxy);
  await ofProxy(context, () => reader.head().catch(asFaultOfProxy("HTTP")));
  putBack(connection, await reader.afterHead());
}

/** The header with the user and the password of a proxy, if it has them. */
export function credentialsOf({ user, password = "" }: ProxyServer): string[] {
  if (user === undefined) return [];
  return [`Proxy-Authorization: Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`];
}

/** The server may speak first. */
function putBack(connection: Connection, bytes: string): void {
  if (bytes !== "") connection.receive(Buffer.from(bytes, "latin1"));
}

/** @returns a handler of what ended the conversation with the proxy @param protocol the proxy should speak */
export function asFaultOfProxy(protocol: string): (error: unknown) => never {
  return (error) => {
    const known = asProbeError(error);
    if (!known) throw error;
    if (known.reason === "closed" || known.reason === "reset")
      throw proxyFailed("the proxy broke off the connection before it answered");
    throw proxyFailed(`what listens at config.proxy.url does not speak ${protocol}`);
  };
}

/** Gateway errors are about the target (RFC 9110, 15.6.3 to 15.6.5). */
const OF_TARGET: Record<number, Reason> = { 502: "unreachable", 503: "unreachable", 504: "timeout" };

function refusalOf(statusCode: number, proxy: ProxyServer): Error {
  const reason = OF_TARGET[statusCode];
  return reason ? unreachableBy(statusCode, reason) : answeredBy(statusCode, proxy);
}

/** @returns undefined if a status says nothing about the target */
export function gatewayError(statusCode: number): ProbeError | undefined {
  const reason = OF_TARGET[statusCode];
  return reason && unreachableBy(statusCode, reason);
}

function unreachableBy(statusCode: number, reason: Reason): ProbeError {
  return new ProbeError(reason, `the proxy can't reach the server: it answered ${statusWords(statusCode)}`);
}

/** The proxy refuses a request, or can't do what it asks for. */
export function answeredBy(statusCode: number, { user }: ProxyServer): AccessError {
  const why =
    statusCode === 407
      ? user === undefined
        ? ": it requires config.proxy.user and config.proxy.password"
        : ": it does not accept config.proxy.user and config.proxy.password"
      : statusCode === 403
        ? ": it does not allow a connection to this server"
        : "";
  return proxyFailed(`the proxy answered ${statusWords(statusCode)}${why}`);
}

const SOCKS5 = 5;
const NO_LOGIN = 0;
const BY_PASSWORD = 2;
const NONE_OF_THEM = 0xff;
const CONNECT = 1;

/** The request of SOCKS (RFC 1928), with a login by password (RFC 1929). */
async function askSocks(target: Target, { connection, proxy }: Asking, context: ProbeContext): Promise<void> {
  const talk = new SocksTalk(connection);
  const { user, password = "" } = proxy;
  await ofProxy(context, async () => {
    const offered = user === undefined ? [NO_LOGIN] : [NO_LOGIN, BY_PASSWORD];
    connection.write(Buffer.from([SOCKS5, offered.length, ...offered]));
    const [, method = NONE_OF_THEM] = await talk.answer(2, SOCKS5);
    if (method === NONE_OF_THEM) throw refusedMethod(user);
    if (!offered.includes(method)) throw proxyFailed(NO_SOCKS);
    if (method === BY_PASSWORD) await logIn(talk, user ?? "", password);
  });
  connection.write(Buffer.concat([Buffer.from([SOCKS5, CONNECT, 0]), addressOf(target)]));
  const [, reply = 1, , type] = await talk.answer(4, SOCKS5);
  if (reply !== 0) throw refusalOfSocks(reply);
  await ofProxy(context, async () => talk.bytes((await lengthOfAddress(type, talk)) + 2));
  putBack(connection, talk.unread.toString("latin1"));
}

const NO_SOCKS = "what listens at config.proxy.url does not speak SOCKS 5";

const LOGIN_VERSION = 1;

async function logIn(talk: SocksTalk, user: string, password: string): Promise<void> {
  talk.say([Buffer.from([LOGIN_VERSION]), counted(user), counted(password)]);
  const [, status] = await talk.answer(2, LOGIN_VERSION);
  if (status !== 0)
    throw proxyFailed("the proxy does not accept config.proxy.user and config.proxy.password");
}

function refusedMethod(user: string | undefined): AccessError {
  return proxyFailed(
    user === undefined
      ? "the proxy requires a login: give it as config.proxy.user and config.proxy.password"
      : "the proxy takes neither a login by password nor none",
  );
}

const [IPV4, NAME, IPV6] = [1, 3, 4];

/** The address of the target with its port. A name is resolved by the proxy. */
function addressOf({ host, port }: Target): Buffer {
  const name = asciiName(host);
  const number = Buffer.from([port >> 8, port & 0xff]);
  if (!isIP(name)) return Buffer.concat([Buffer.from([NAME]), counted(name), number]);
  const bytes = Buffer.from(addressBytes(name) ?? []);
  return isIPv4(name)
    ? Buffer.concat([Buffer.from([IPV4]), bytes.subarray(-4), number])
    : Buffer.concat([Buffer.from([IPV6]), bytes, number]);
}

function counted(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

async function lengthOfAddress(type: number | undefined, talk: SocksTalk): Promise<number> {
  if (type === IPV4) return 4;
  if (type === IPV6) return 16;
  if (type !== NAME) throw proxyFailed(NO_SOCKS);
  return (await talk.bytes(1))[0] ?? 0;
}

/** The replies of SOCKS that are about the target. All others are about the proxy. */
const REPLIES: Record<number, readonly [Reason, string]> = {
  3: ["unreachable", "the proxy has no route to the network of the server"],
  4: ["unreachable", "the proxy can't reach the host of the server"],
  5: ["refused", "the server refused the connection of the proxy"],
  6: ["unreachable", "the connection of the proxy did not get to the server: it passed too many routers"],
};

const FAULTS_OF_SOCKS: Record<number, string> = {
  1: "the proxy reports a general failure",
  2: "the proxy does not allow a connection to this server",
  7: "the proxy does not open connections",
  8: "the proxy does not take this kind of address",
};

function refusalOfSocks(reply: number): Error {
  const [reason, message] = REPLIES[reply] ?? [];
  if (reason) return new ProbeError(reason, message ?? "");
  return proxyFailed(FAULTS_OF_SOCKS[reply] ?? `the proxy refuses with SOCKS reply ${reply}`);
}

/** The answers of a SOCKS proxy. */
class SocksTalk {
  unread: Buffer = Buffer.alloc(0);

  constructor(private readonly connection: Connection) {}

  say(parts: Buffer[]): void {
    this.connection.write(Buffer.concat(parts));
  }

  /** @param version its first byte @throws AccessError */
  async answer(length: number, version: number): Promise<Buffer> {
    const [first] = await this.peek(1);
    if (first !== version) throw proxyFailed(NO_SOCKS);
    return this.bytes(length);
  }

  /** @throws AccessError */
  async bytes(count: number): Promise<Buffer> {
    const bytes = (await this.peek(count)).subarray(0, count);
    this.unread = this.unread.subarray(count);
    return bytes;
  }

  private async peek(count: number): Promise<Buffer> {
    while (this.unread.length < count) {
      const more = await this.connection.readBytes().catch(asFaultOfProxy("SOCKS 5"));
      if (!more) throw proxyFailed("the proxy broke off the connection before it answered");
      this.unread = Buffer.concat([this.unread, more]);
    }
    return this.unread;
  }
}
