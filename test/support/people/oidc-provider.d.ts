/** The part of the library that the tests use: it has no types of its own. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  interface Interaction {
    uid: string;
    prompt: { name: string };
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
    Grant: new (
      given: object,
    ) => { addOIDCScope(scope: string): void; save(): Promise<string> };
    ClientCredentials: {
      find(token: string): Promise<{ scope?: string; destroy(): Promise<void> } | undefined>;
    };
  }
}
