import type { Socket } from "node:net";
import type { SendMailOptions, SMTPTransportOptions } from "nodemailer";
import {
  type AlertEvent,
  type AlertMessage,
  colours,
  type Fact,
  isTransition,
  type Link,
  linkLine,
  linksOf,
  type Notification,
  subjectOfNotice,
} from "../domain/alerts/alert-event.ts";
import type { ChannelConfig } from "../domain/alerts/channel.ts";
import type { DeliveryAttempt } from "../domain/alerts/delivery.ts";
import { isLoopback } from "../domain/network/local-request.ts";
import { truncate } from "../domain/truncate.ts";
import { html } from "../html.ts";
import { describeNotification } from "./message.ts";
import {
  type DeliverySettings,
  describeFailure,
  type SmtpConfig,
  TIMEOUT,
  type Transport,
  timedOut,
  unanswered,
} from "./post.ts";

/** Characters. A header may be longer, but mail programs truncate it. */
export const MAX_SUBJECT = 250;

/** The content of an e-mail. */
export function mailOf(message: AlertMessage): { subject: string; text: string; html: string } {
  return { subject: truncate(message.title, MAX_SUBJECT), text: textOf(message), html: htmlOf(message) };
}

/**
 * The ID of the thread for all e-mails about one period of trouble, one location, one maintenance, or the checks of one organization. It is a hash, because mail servers
 * log it and the ID of a monitor is a secret (behavior 8.1).
 */
function threadOf(event: AlertEvent): string {
  return new Bun.CryptoHasher("sha256").update(subjectOf(event)).digest("base64url").slice(0, 22);
}

function subjectOf(event: AlertEvent): string {
  if (!isTransition(event)) {
    const { kind, id } = subjectOfNotice(event);
    return `${kind} ${id}`;
  }
  const { monitor, troubleSince, result } = event;
  return `${monitor.id} ${troubleSince ?? result.createdAt}`;
}

function textOf(message: AlertMessage): string {
  const { title, reason, facts, list = [], words } = message;
  const lines = facts.map(({ label, value }) => `${label}${words.colon}${value}`);
  const names = list.length > 0 ? ["", ...list] : [];
  const [link, ...others] = linksOf(message);
  const links = [link.url, ...others.map((one) => linkLine(one, words))];
  return [title, "", reason, "", ...lines, ...names, "", ...links, ""].join("\n");
}

function htmlOf(message: AlertMessage): string {
  const { title, reason, facts, list = [], group, words } = message;
  // Not each mail program knows the sides that depend on the direction.
  const [start, indent, gap] = words.isRightToLeft
    ? ["right", "0 18px 0 0", "2px 0 2px 16px"]
    : ["left", "0 0 0 18px", "2px 16px 2px 0"];
  return html`<!doctype html>
<html lang="${words.language}"${words.isRightToLeft ? html` dir="rtl"` : ""}>
<head><meta charset="utf-8"><title>${title}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1d2433">
<div style="max-width:600px;border-${start}:6px solid ${colours[group]};padding:${indent}">
<h1 style="margin:0 0 8px;font-size:20px;overflow-wrap:anywhere">${title}</h1>
<p style="margin:0 0 16px;overflow-wrap:anywhere">${reason}</p>
<table style="border-collapse:collapse">${facts.map((fact) => row(fact, gap))}</table>
${
  list.length > 0
    ? html`<ul style="margin:16px 0 0;padding:${indent};overflow-wrap:anywhere">${list.map(item)}</ul>
`
    : ""
}<p style="margin:16px 0 0">${linksOf(message).map(anchor)}</p>
</div>
</body>
</html>
`.markup;
}

function anchor({ label, url }: Link, at: number) {
  return html`${at > 0 ? " · " : ""}<a href="${url}">${label}</a>`;
}

function item(line: string) {
  return html`<li>${line}</li>`;
}

/** @param gap the padding of the label */
function row({ label, value }: Fact, gap: string) {
  return html`<tr><td style="padding:${gap};color:#667085">${label}</td><td>${value}</td></tr>`;
}

export const NO_MAIL_SERVER = "this server can't send e-mail: --smtp-url is not set";

/** Sends an e-mail as text and HTML. The e-mails about one period of trouble are one thread (behavior 5.27, 13.61, 14.65). */
export async function deliverEmail(
  { to }: ChannelConfig<"EMAIL">,
  notification: Notification,
  { smtp, baseUrl, resolveOwn, ...transport }: DeliverySettings,
): Promise<DeliveryAttempt> {
  if (!smtp) {
    return { outcome: "failed", error: NO_MAIL_SERVER, final: true };
  }
  const domain = domainOf(smtp);
  const { now } = notification;
  const mail = {
    ...mailOf(describeNotification(notification, baseUrl())),
    ...threadHeaders(notification, domain),
    from: { name: "stillup", address: smtp.from },
    to: { name: "", address: to },
    messageId: messageIdOf(notification, domain),
    date: new Date(now),
    headers: { "Auto-Submitted": "auto-generated" },
  };
  return sendMail(mail, smtp, { ...transport, ...(resolveOwn && { resolve: resolveOwn }) });
}

/**
 * The same on every attempt, so that a mail program recognizes a repetition. But a mail that lacks what was cancelled since the
 * previous attempt is another one.
 */
function messageIdOf({ id, others = [] }: Notification, domain: string): string {
  return others.length > 0 ? `<delivery.${id}.${others.length}@${domain}>` : `<delivery.${id}@${domain}>`;
}

/** A message about several events belongs to no thread. */
function threadHeaders({ event, others = [] }: Notification, domain: string) {
  if (others.length > 0) return {};
  const thread = `<incident.${threadOf(event)}@${domain}>`;
  return { inReplyTo: thread, references: [thread] };
}

function domainOf({ from }: SmtpConfig): string {
  return from.slice(from.indexOf("@") + 1);
}

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
