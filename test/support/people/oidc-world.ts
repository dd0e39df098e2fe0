import type { OidcSettings } from "../../../src/domain/people/oidc-roles.ts";
import { createLogger } from "../../../src/log.ts";
import { TestServer } from "../product/server.ts";
import type { Client } from "../requests/client.ts";
import { LyingProvider } from "./lying-provider.ts";
import { OidcBrowser } from "./oidc-browser.ts";
import { oidcSettings } from "./oidc-settings.ts";

/** Where a sign-in that failed ends. */
export const FAILED = { status: 303, location: "/?sign-in=failed" };
export const SIGNED_IN = { status: 303, location: "/" };

/** A server whose provider says what a test wants. */
export class OidcWorld implements AsyncDisposable {
  private constructor(
    readonly provider: LyingProvider,
    readonly server: TestServer,
    /** The log of the server, as lines of JSON. */
    readonly log: string[],
  ) {}

  /** @param metadata what the provider says about itself, besides the usual */
  static async start(
    changes: Partial<OidcSettings> = {},
    metadata: Record<string, unknown> = {},
  ): Promise<OidcWorld> {
    const provider = await LyingProvider.start();
    provider.metadata = metadata;
    const lines: string[] = [];
    const log = createLogger({ level: "info" }, (line) => lines.push(line));
    const server = await TestServer.start({ oidc: oidcSettings(provider.issuer, changes) }, log);
    return new OidcWorld(provider, server, lines);
  }

  /** With the initial owner key. */
  get owner(): Client {
    return this.server.client;
  }

  browser(): OidcBrowser {
    return new OidcBrowser(this.server.client.url);
  }

  /** Invites somebody. @returns the ID of the person, and the token of the invitation */
  async invite(email: string, role = "viewer", owner = this.owner): Promise<{ id: string; token: string }> {
    const { status, body } = await owner.post("/api/v1/people", { email, role });
    if (status !== 201) throw new Error(`the invitation was answered with ${status}`);
    return { id: body.data.id, token: body.data.inviteUrl.split("/").at(-1) };
  }

  /** Signs in as somebody. @returns the browser, and how the sign-in ended */
  async signIn(claims: Record<string, unknown> = {}, browser = this.browser()) {
    this.provider.claims = claims;
    return { browser, outcome: outcomeOf(await browser.signIn()) };
  }

  async person(id: string) {
    const { body } = await this.owner.get("/api/v1/people");
    return body.data.find((person: { id: string }) => person.id === id);
  }

  /** The reason of the last failed sign-in. */
  reason(): string | undefined {
    const failed = this.log.map((line) => JSON.parse(line)).filter(({ msg }) => /sign-in/.test(msg));
    return failed.at(-1)?.reason;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    await this.provider.stop();
  }
}

export function outcomeOf({ status, headers }: Response) {
  return { status, location: headers.get("location") };
}
