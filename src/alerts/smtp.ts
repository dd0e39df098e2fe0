import { connect, isIP, type Socket } from "node:net";
import { createTransport, type SendMailOptions, type SMTPTransportOptions } from "nodemailer";
import type { DeliveryAttempt } from "../domain/alerts/delivery.ts";
import { type SmtpConfig, TIMEOUT, type Transport } from "./delivery-settings.ts";
import { describeFailure, timedOut, unanswered } from "./failure.ts";

/**
 * Hands one e-mail to the mail server. What it says of a failure holds neither an address nor a secret, nor what the
 * server wrote beyond its codes.
 */
export async function sendMail(
  mail: SendMailOptions,
  { url }: SmtpConfig,
  reach: Transport,
): Promise<DeliveryAttempt> {
  const { timeout = TIMEOUT } = reach;
  const signal = AbortSignal.timeout(timeout);
  const transport = createTransport(optionsFor(serverOf(url), reach, signal));
  try {
    const { response } = await transport.sendMail({ ...mail, signal });
    return { outcome: "delivered", ...answerOf(response) };
  } catch (error) {
    return signal.aborted ? timedOut(timeout) : failure(error as SmtpError);
  }
}

interface Server {
  host: string;
  port: number;
  secure: boolean;
  requireTLS: boolean;
  auth?: { user: string; pass: string };
}

function optionsFor(server: Server, reach: Transport, signal: AbortSignal): SMTPTransportOptions {
  return {
    ...server,
    tls: { ...(reach.ca && { ca: reach.ca }) },
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket(_, done) {
      open(server, reach, signal).then((connection) => done(null, { connection }), done);
    },
  };
}

/** A password goes over TLS only, except to this machine itself. */
function serverOf({ protocol, hostname, port, username, password }: URL): Server {
  const host = hostname.replace(/^\[|\]$/g, "");
  const secure = protocol === "smtps:";
  const isLocal = host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
  return {
    host,
    port: Number(port) || (secure ? 465 : 587),
    secure,
    requireTLS: !secure && username !== "" && !isLocal,
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  };
}

/** Through the same resolver as the probes: getaddrinfo would wait for a dead name server. */
async function open({ host, port }: Server, reach: Transport, signal: AbortSignal): Promise<Socket> {
  const addresses = await reach.resolve(host, reach.timeout ?? TIMEOUT);
  const { promise, resolve: opened, reject } = Promise.withResolvers<Socket>();
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  const [first = { address: "", family: 0 }] = all;
  const socket = connect({
    host,
    port,
    lookup: (_, options, done) => (options.all ? done(null, all) : done(null, first.address, first.family)),
  });
  signal.addEventListener("abort", () => socket.destroy(), { once: true });
  socket.once("connect", () => opened(socket));
  socket.once("error", reject);
  // A socket that is destroyed by the signal emits no error.
  socket.once("close", () => reject(new Error("the connection was closed")));
  return promise;
}

interface SmtpError extends Error {
  code?: string;
  responseCode?: number;
  response?: string;
}

function failure(error: SmtpError): DeliveryAttempt {
  const { responseCode, response } = error;
  if (responseCode) {
    const final = responseCode >= 500;
    const answer = answerOf(response ?? String(responseCode));
    return { outcome: "failed", error: `the mail server answered ${responseCode}`, final, ...answer };
  }
  return unanswered(describeFailure(error, "the mail server"));
}

/** The code and, where there is one, the enhanced code: `550 5.1.1`. */
function answerOf(response: string): { answer?: string } {
  const [answer] = /^\d{3}([ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response) ?? [];
  return answer === undefined ? {} : { answer: answer.replace("-", " ") };
}
