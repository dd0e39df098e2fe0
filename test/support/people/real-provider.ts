import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

/** A person as the provider knows them. */
export interface Account {
  [claim: string]: unknown;
  sub: string;
}

/** The certified provider of `oidc-provider`, with one client. It signs in whoever `account` is, without a form. */
export class RealProvider implements AsyncDisposable {
  private constructor(
    readonly issuer: string,
    private readonly end: () => Promise<void>,
  ) {}

  static async start(
    redirectUri: () => string,
    account: () => Account,
    client: Record<string, unknown> = {},
  ): Promise<RealProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    let provider: Provider | undefined;
    server.on("request", async (request, response) => {
      provider ??= createProvider(issuer, { redirectUri: redirectUri(), account, client });
      if (!request.url?.startsWith("/interaction/")) return provider.callback()(request, response);
      const { prompt } = await provider.interactionDetails(request, response);
      const isLogin = prompt.name === "login";
      const result = isLogin ? { login: { accountId: account().sub } } : { consent: {} };
      await provider.interactionFinished(request, response, result);
    });
    return new RealProvider(issuer, async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }
}

interface Surroundings {
  redirectUri: string;
  account: () => Account;
  client: Record<string, unknown>;
}

function createProvider(issuer: string, { redirectUri, account, client }: Surroundings): Provider {
  const scopes = "openid email profile groups";
  const provider = new Provider(issuer, {
    clients: [{ client_id: "stillup", client_secret: "s3cret", redirect_uris: [redirectUri], ...client }],
    scopes: scopes.split(" "),
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    cookies: { keys: ["a key of a test"] },
    pkce: { required: () => true },
    findAccount: (_context: unknown, accountId: string) => ({ accountId, claims: () => account() }),
    // The test clicks no page of consent: the provider always agrees.
    loadExistingGrant: async (context: {
      oidc: { client: { clientId: string }; session: { accountId: string } };
    }) => {
      const { client, session } = context.oidc;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope(scopes);
      await grant.save();
      return grant;
    },
  });
  return provider;
}
