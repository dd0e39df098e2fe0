import { basename } from "node:path";
import type { ChannelConfig } from "../../../../src/domain/alerts/channel.ts";
import type { ServiceFormat } from "../../../../src/domain/alerts/services/registry.ts";
import { WEBHOOK_FORMATS, type WebhookFormat } from "../../../../src/domain/alerts/webhook-format.ts";
import { googlechat, matrix, signal, telegram } from "./chat-services.ts";
import { alertmanager, pagerduty } from "./incident-services.ts";
import { gotify, ntfy, pushover } from "./push-services.ts";
import type { Service, ServiceCall, ServiceExample } from "./service-call.ts";

const own = {
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

/** The examples of `stand-ins/`, by the names of their files. */
export const examples = Object.fromEntries(
  await Promise.all(
    [...new Bun.Glob("stand-ins/*.ts").scanSync(import.meta.dir)].map(async (file) => {
      const { example } = await import(`./${file}`);
      return [basename(file, ".ts"), example as ServiceExample] as const;
    }),
  ),
);

export type ServiceName = ServiceFormat;
export const services = { ...own, ...mapped(({ service }) => service) } as Record<ServiceName, Service>;
export const SERVICES = WEBHOOK_FORMATS.filter((format) => format in services) as ServiceName[];

/** A value of each example, by the name of its service. */
export function mapped<T>(read: (example: ServiceExample) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(examples).map(([name, example]) => [name, read(example)]));
}

/** The config of a channel that the stand-in of each service accepts. @param url of the stand-in, without a slash at the end */
export const goodConfigs = {
  ...mapped(({ config }) => config),
  ntfy: (url: string) => ({
    url: `${url}/ntfy`,
    format: "ntfy",
    options: { topic: "alerts", token: "tk_good" },
  }),
  gotify: (url: string) => ({ url: `${url}/`, format: "gotify", options: { token: "good" } }),
  telegram: (url: string) => ({ url, format: "telegram", options: { token: "123:good", chatId: "-1001" } }),
  pushover: (url: string) => ({ url, format: "pushover", options: { token: "app", user: "good" } }),
  pagerduty: (url: string) => ({ url, format: "pagerduty", options: { routingKey: "good" } }),
  matrix: (url: string) => ({
    url,
    format: "matrix",
    options: { token: "good", roomId: "!room:example.org" },
  }),
  googlechat: (url: string) => ({
    url: `${url}/v1/spaces/AAAA/messages?key=k&token=good%3D`,
    format: "googlechat",
  }),
  signal: (url: string) => ({
    url,
    format: "signal",
    options: { number: "+4915100000", recipients: ["+4915112345678"] },
  }),
  alertmanager: (url: string) => ({ url: `${url}/am/`, format: "alertmanager" }),
} as Record<ServiceName, (url: string) => ChannelConfig<"WEBHOOK">>;

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
      body: parsed(await request.text(), request.headers.get("content-type")),
    };
    this.calls.push(call);
    const answer = this.answers.shift() ?? this.service.answer(call, this.accepted);
    if (answer.ok) this.accepted.push(call);
    return answer;
  }
}

/** A form, JSON, or any text, which a custom request may have. */
function parsed(text: string, type: string | null): unknown {
  if (type?.startsWith("application/x-www-form-urlencoded"))
    return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text);
  } catch {
    return text === "" ? undefined : text;
  }
}
