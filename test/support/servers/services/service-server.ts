import type { ChannelConfig } from "../../../../src/domain/alerts/channel.ts";
import type { WebhookFormat } from "../../../../src/domain/alerts/webhook-format.ts";
import { googlechat, matrix, signal, telegram } from "./chat-services.ts";
import { alertmanager, pagerduty } from "./incident-services.ts";
import { gotify, ntfy, pushover } from "./push-services.ts";
import type { Service, ServiceCall } from "./service-call.ts";

export const services = {
  ntfy,
  gotify,
  telegram,
  pushover,
  pagerduty,
  matrix,
  googlechat,
  signal,
  alertmanager,
} satisfies Partial<Record<WebhookFormat, Service>>;

export type ServiceName = keyof typeof services;
export const SERVICES = Object.keys(services) as ServiceName[];

/** The config of a channel that the stand-in of each service accepts. @param url of the stand-in, without a slash at the end */
export const goodConfigs: Record<ServiceName, (url: string) => ChannelConfig<"WEBHOOK">> = {
  ntfy: (url) => ({ url: `${url}/ntfy`, format: "ntfy", options: { topic: "alerts", token: "tk_good" } }),
  gotify: (url) => ({ url: `${url}/`, format: "gotify", options: { token: "good" } }),
  telegram: (url) => ({ url, format: "telegram", options: { token: "123:good", chatId: "-1001" } }),
  pushover: (url) => ({ url, format: "pushover", options: { token: "app", user: "good" } }),
  pagerduty: (url) => ({ url, format: "pagerduty", options: { routingKey: "good" } }),
  matrix: (url) => ({ url, format: "matrix", options: { token: "good", roomId: "!room:example.org" } }),
  googlechat: (url) => ({
    url: `${url}/v1/spaces/AAAA/messages?key=k&token=good%3D`,
    format: "googlechat",
  }),
  signal: (url) => ({
    url,
    format: "signal",
    options: { number: "+4915100000", recipients: ["+4915112345678"] },
  }),
  alertmanager: (url) => ({ url: `${url}/am/`, format: "alertmanager" }),
};

/** A local server that speaks the protocol of a service. */
export class ServiceServer implements AsyncDisposable {
  /** All requests. */
  readonly calls: ServiceCall[] = [];
  /** The requests that it accepted. */
  readonly accepted: ServiceCall[] = [];
  /** The answers to the next requests instead of its own. */
  answers: Response[] = [];
  readonly #server: Bun.Server<undefined>;

  constructor(private readonly service: Service) {
    this.#server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: (request) => this.#receive(request) });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }

  async #receive(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const call = {
      method: request.method,
      path: pathname,
      query: searchParams,
      headers: Object.fromEntries(request.headers),
      body: parsed(await request.text()),
    };
    this.calls.push(call);
    const answer = this.answers.shift() ?? this.service.answer(call, this.accepted);
    if (answer.ok) this.accepted.push(call);
    return answer;
  }
}

/** A custom request has any body. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text === "" ? undefined : text;
  }
}
