import type { Socket } from "node:net";
import type { SendMailOptions, SMTPTransportOptions } from "nodemailer";
import type { DeliveryAttempt } from "../domain/alerts/delivery.ts";
import { isLoopback } from "../domain/network/local-request.ts";
import { type SmtpConfig, TIMEOUT, type Transport } from "./delivery-settings.ts";
import { describeFailure, timedOut, unanswered } from "./failure.ts";

/**
 * Sends one e-mail through the mail server. The error of a failure contains no address, no secret, and no text of the
 * mail server except its codes (behavior 5.19).
 */
export async function sendMail(
  mail: SendMailOptions,
  { url }: SmtpConfig,
  settings: Transport,
): Promise<DeliveryAttempt> {
  const { timeout = TIMEOUT } = settings;
  const signal = AbortSignal.timeout(timeout);
  // Loaded at the first mail: most servers send none, and it would delay each start.
  const { createTransport } = await import("nodemailer");
  const transport = createTransport(optionsFor(serverOf(url), settings, signal));
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

function optionsFor(server: Server, settings: Transport, signal: AbortSignal): SMTPTransportOptions {
  return {
    ...server,
    tls: { ...(settings.ca && { ca: settings.ca }) },
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket(_, done) {
      open(server, settings, signal).then((connection) => done(null, { connection }), done);
    },
  };
}

/** TLS is required for a password, except to this machine. */
function serverOf({ protocol, hostname, port, username, password }: URL): Server {
  const host = hostname.replace(/^\[|\]$/g, "");
  const secure = protocol === "smtps:";
  return {
    host,
    port: Number(port) || (secure ? 465 : 587),
    secure,
    requireTLS: !secure && username !== "" && !isLoopback(host),
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  };
}

/** Uses the resolver of the probes, because getaddrinfo would wait for a dead DNS server. */
async function open({ host, port }: Server, settings: Transport, signal: AbortSignal): Promise<Socket> {
  const { connect } = await import("node:net");
  const addresses = await settings.resolve(host, settings.timeout ?? TIMEOUT);
  const { promise, resolve: opened, reject } = Promise.withResolvers<Socket>();
  const all = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  const [first = { address: "", family: 0 }] = all;
  const socket = connect({
    host,
    port,
    lookup: (_, options, done) => (options.all ? done(null, all) : done(null, first.address, first.family)),
  });
  signal.addEventListener("abort", () => socket.destroy(), { once: true });
  socket.once("connect", () => opened(socket));
  socket.once("error", reject);
  // A socket that the signal destroys emits no error.
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

/** The status code and the enhanced status code, if there is one: `550 5.1.1`. */
function answerOf(response: string): { answer?: string } {
  const [answer] = /^\d{3}([ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response) ?? [];
  return answer === undefined ? {} : { answer: answer.replace("-", " ") };
}
