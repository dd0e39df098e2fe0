import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

/** The certified provider of `oidc-provider`, with one client that gets tokens for itself. */
export interface TokenProvider extends AsyncDisposable {
  tokenUrl: string;
  /** Whether it has issued a token, with a scope, that is still valid. */
  isValid(token: string, scope?: string): Promise<boolean>;
  /** The next checks of a token find it unknown. */
  revoke(token: string): Promise<void>;
}

export async function startTokenProvider(client: { id: string; secret: string }): Promise<TokenProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        grant_types: ["client_credentials"],
        redirect_uris: [],
        response_types: [],
      },
    ],
    scopes: ["status:read"],
    features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
    cookies: { keys: ["a key of a test"] },
  });
  server.on("request", provider.callback());
  return {
    tokenUrl: `${issuer}/token`,
    async isValid(token, scope) {
      const found = await provider.ClientCredentials.find(token);
      return found !== undefined && (scope === undefined || found.scope === scope);
    },
    async revoke(token) {
      await (await provider.ClientCredentials.find(token))?.destroy();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
