import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { keyCommand } from "../../domain/accounts/api-key.ts";
import { isLocalRequest } from "../../domain/network/local-request.ts";
import { METHODS, type Method } from "../../domain/people/person.ts";
import { relyingPartyOf } from "../../domain/people/webauthn/client-data.ts";
import { closed, described, named, nullable, oneOf, open } from "../../domain/schemas/schema.ts";
import { answering } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import { oidcUrl } from "../people/oidc.ts";
import { sendsLinks } from "../people/sign-in.ts";

const Provider = Type.Object(
  {
    name: Type.String(),
    url: Type.String({ description: "Where a browser begins a sign-in by the provider." }),
    only: Type.Boolean({ description: "Whether people sign in by the provider only." }),
  },
  closed,
);

const HelpBody = Type.Object(
  {
    methods: Type.Array(oneOf(METHODS), {
      description: "The ways in which people can sign in. Empty until somebody has one.",
    }),
    sendsLinks: Type.Optional(
      Type.Literal(true, {
        description: "The server sends links for a new password by e-mail: see `requestLink`.",
      }),
    ),
    provider: described(nullable(Provider), "The provider of OpenID Connect, if the server has one."),
    command: Type.String({ description: "The command that creates an owner key on the server." }),
    initialKeyFile: nullable(
      Type.String({ description: "The file with the first owner key, if it exists and its key is valid." }),
    ),
  },
  named("SignInHelp"),
);

const Query = Type.Object(
  { page: Type.Optional(Type.String({ description: "The origin of the page that asks." })) },
  open,
);

/** Behavior 16.338 and 19.82, below `/api/v1/session`: how to sign in, and how to get a key. Paths are only for a browser on the machine of the server. */
export function signInHelpRoutes(services: Services) {
  const { store, installation, authenticator, oidc, peerOf, publicUrl, baseUrl } = services;
  /** As `GET /api/v1/session` does, but it is no use of the key. */
  const validInitialKeyFile = async () => {
    const initial = installation.initialKey();
    return initial && (await authenticator.identify(initial.key)) ? initial.file : null;
  };
  const methods = async (): Promise<Method[]> => {
    const byPassword = !oidc?.isOnly && (await store.people.hasPasswords());
    const byPasskey = !oidc?.isOnly && relyingPartyOf(baseUrl()) && (await store.passkeys.isAny());
    return METHODS.filter((method) => ({ password: byPassword, passkey: byPasskey, oidc })[method]);
  };
  const provider = () => oidc && { name: oidc.name, url: oidcUrl(baseUrl()), only: oidc.isOnly };
  return new Elysia({ normalize: false }).get(
    "/help",
    async ({ request, query: { page = null } }) => {
      const { headers } = request;
      const isLocal = isLocalRequest({
        peer: peerOf(request),
        headers,
        host: headers.get("host"),
        page,
        baseUrl: publicUrl,
      });
      const help = isLocal
        ? { command: keyCommand(installation.place), initialKeyFile: await validInitialKeyFile() }
        : { command: keyCommand(), initialKeyFile: null };
      const links = sendsLinks(services) ? { sendsLinks: true } : {};
      return { data: { methods: await methods(), provider: provider() ?? null, ...links, ...help } };
    },
    {
      query: Query,
      detail: answering({
        tag: "Session",
        operationId: "getSignInHelp",
        summary: "Find out how to sign in",
        description:
          "Returns in which ways people can sign in, and the command that creates an owner key on the server. It has paths only if a browser on the machine of the " +
          "server asks, at a loopback address and without a reverse proxy.",
        answer: HelpBody,
        example: {
          ...{ methods: ["password"], provider: null, sendsLinks: true },
          ...{ command: "stillup keys create --name me", initialKeyFile: null },
        },
        errors: [422],
        open: true,
      }),
    },
  );
}
