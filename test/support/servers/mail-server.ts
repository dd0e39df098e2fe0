import { SMTPServer } from "smtp-server";
import type { DeliverySettings } from "../../../src/alerts/post.ts";
import { systemClock } from "../clock.ts";
import { type Authority, createAuthority } from "./certificates.ts";

export const USER = "stillup";
export const PASSWORD = "pass word/ö";

/** A step of a mail: its recipient has come, its content has come, the server has accepted it. */
export type MailStage = "recipient" | "content" | "answer";

export interface ReceivedMail {
  from: string;
  to: string[];
  user: string | undefined;
  secure: boolean;
  source: string;
}

/** A real mail server with STARTTLS and authentication, named `mail.test` and `localhost`. */
export class MailServer implements AsyncDisposable {
  readonly received: ReceivedMail[] = [];
  /** The refusals of the next recipients, in order, such as `550 5.1.1 no such user`; then none. */
  refusals: string[] = [];
  #server: SMTPServer | undefined;
  #port = 0;
  #held: { at: MailStage; reached: () => void } | undefined;

  private constructor(private readonly authority: Authority) {}

  static async start({ startTls = true } = {}): Promise<MailServer> {
    const server = new MailServer(await createAuthority());
    await server.#listen(startTls);
    return server;
  }

  /** @param host another name is one that the certificate is not valid for */
  settings({
    user = USER,
    password = PASSWORD,
    host = "mail.test",
    ca = this.authority.cert,
  } = {}): DeliverySettings {
    const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
    return {
      clock: systemClock(),
      baseUrl: () => "https://up.example.com",
      smtp: { url: new URL(`smtp://${login}@${host}:${this.#port}`), from: "stillup@example.com" },
      resolve: async () => ["127.0.0.1"],
      ca,
    };
  }

  /** Never answers the next client that comes so far, until the client is gone. @returns when one has */
  holdAt(at: MailStage): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = { at, reached: resolve };
    return promise;
  }

  #passes(stage: MailStage): boolean {
    const held = this.#held;
    if (held?.at !== stage) return true;
    this.#held = undefined;
    held.reached();
    return false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server?.close(() => resolve());
    await promise;
  }

  async #listen(startTls: boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server = new SMTPServer({
      ...(await this.authority.issue([
        { type: "dns", value: "mail.test" },
        { type: "dns", value: "localhost" },
      ])),
      ...(!startTls && { disabledCommands: ["STARTTLS"], allowInsecureAuth: true }),
      onAuth({ username, password }, _, done) {
        if (username === USER && password === PASSWORD) done(null, { user: USER });
        else done(new Error("wrong password"));
      },
      onRcptTo: (_, __, done) => {
        if (this.#passes("recipient")) done(this.#refusal());
      },
      onData: (stream, session, done) => {
        let source = "";
        stream.on("data", (chunk) => {
          source += chunk;
        });
        stream.on("end", () => {
          const { mailFrom, rcptTo } = session.envelope;
          this.received.push({
            from: mailFrom ? mailFrom.address : "",
            to: rcptTo.map(({ address }) => address),
            user: typeof session.user === "string" ? session.user : undefined,
            secure: session.secure,
            source,
          });
          if (!this.#passes("content")) return;
          done();
          this.#passes("answer");
        });
      },
    });
    this.#server.on("error", () => {});
    const listening = this.#server.listen(0, "127.0.0.1", resolve);
    await promise;
    this.#port = (listening.address() as { port: number }).port;
  }

  #refusal(): Error | null {
    const [code = "", ...text] = (this.refusals.shift() ?? "").split(" ");
    return code ? Object.assign(new Error(text.join(" ")), { responseCode: Number(code) }) : null;
  }
}
