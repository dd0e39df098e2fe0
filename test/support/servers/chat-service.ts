import type { DeliverySettings } from "../../../src/alerts/post.ts";
import { systemClock } from "../clock.ts";
import { type Authority, createAuthority, type ServerCertificate } from "./certificates.ts";

/** A local server with the name of a chat service, over real TLS. */
export class ChatService implements AsyncDisposable {
  readonly received: { path: string; contentType: string; bytes: number; body: unknown }[] = [];
  /** The answers to the next requests, in order; then 200 `ok`. */
  answers: Response[] = [];

  readonly #server: Bun.Server<undefined>;

  private constructor(
    private readonly host: string,
    private readonly authority: Authority,
    certificate: ServerCertificate,
  ) {
    this.#server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      tls: certificate,
      fetch: (request) => this.#receive(request),
    });
  }

  static async start(host: string): Promise<ChatService> {
    const authority = await createAuthority();
    return new ChatService(host, authority, await authority.issue([{ type: "dns", value: host }]));
  }

  url(path: string): string {
    return `https://${this.host}:${this.#server.port}${path}`;
  }

  /** Settings that resolve its name to this server and trust its certificate. */
  get settings(): DeliverySettings {
    return {
      clock: systemClock(),
      baseUrl: () => "https://up.example.com",
      resolve: async (host) => (host === this.host ? ["127.0.0.1"] : []),
      ca: this.authority.cert,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }

  async #receive(request: Request): Promise<Response> {
    const { pathname: path } = new URL(request.url);
    const text = await request.text();
    const contentType = request.headers.get("content-type") ?? "";
    this.received.push({ path, contentType, bytes: Buffer.byteLength(text), body: JSON.parse(text) });
    return this.answers.shift() ?? new Response("ok");
  }
}
