import { Type } from "@sinclair/typebox";
import { fault, hint } from "../../faults/fault.ts";
import { isIPv4, isIPv6 } from "../../network/client-address.ts";
import { HttpUrl } from "../../schemas/format.ts";
import { described, hinted, named } from "../../schemas/schema.ts";
import type { HttpConfig } from "./http.ts";

/* How a check gets to a server that not everybody gets to (behavior 26.1): with a certificate, through a proxy, with a sign-in. */

const Password = Type.String({ format: "password", description: "A response shows `•••`." });
const Text = Type.String({ minLength: 1, maxLength: 1024 });

const ClientCertificate = Type.Object(
  {
    certificate: Type.String({
      format: "pem-certificate",
      maxLength: 65_536,
      description:
        "The certificate in PEM, and then the certificates of its issuers if the server needs them.",
    }),
    key: hinted(
      Type.String({
        format: "pem-key",
        maxLength: 16_384,
        description: "Its key in PEM, without a passphrase. A response shows `•••`.",
      }),
      (value) => (/ENCRYPTED/.test(String(value)) ? hint("keyWithPassphrase", {}) : undefined),
    ),
  },
  named("ClientCertificate"),
);

const ProxyServer = Type.Object(
  {
    url: Type.String({
      format: "proxy-url",
      maxLength: 2048,
      examples: ["http://proxy.example.com:3128"],
      description: "The proxy: `socks5://`, or `http://`, which gets CONNECT for an `https` URL.",
    }),
    user: Type.Optional(Type.String({ format: "user-name", minLength: 1, maxLength: 255 })),
    password: Type.Optional(Password),
  },
  named("Proxy"),
);

const DigestAuth = Type.Object(
  { user: Type.String({ format: "digest-user", maxLength: 1024 }), password: Password },
  named("DigestAuth"),
);

const OAuth2 = Type.Object(
  {
    tokenUrl: described(
      HttpUrl,
      "The endpoint that issues tokens for the client. Its redirects are not followed.",
    ),
    clientId: Text,
    clientSecret: Password,
    scope: Type.Optional(Text),
    audience: Type.Optional(Text),
  },
  named("OAuth2"),
);

export const accessFields = {
  clientCertificate: Type.Optional(ClientCertificate),
  proxy: Type.Optional(ProxyServer),
  digestAuth: Type.Optional(DigestAuth),
  oauth2: Type.Optional(OAuth2),
};

const SIGN_INS = ["basicAuth", "digestAuth", "oauth2"] as const;

/** Behavior 26.3, 26.11, 26.20, 26.21. */
export function assertAccess(config: HttpConfig): void {
  assertOneSignIn(config);
  assertClientCertificate(config);
  assertProxy(config);
}

/** Rules that need a cryptographic library are asserted where a config is saved. */
function assertClientCertificate(config: HttpConfig): void {
  const { clientCertificate } = config;
  if (!clientCertificate) return;
  if (/PRIVATE KEY-----/.test(clientCertificate.certificate))
    throw fault("certificateWithKey", { field: "config.clientCertificate.certificate" });
}

function assertProxy(config: HttpConfig): void {
  const { proxy, ipFamily } = config;
  if (!proxy) return;
  if (config.everyAddress) throw fault("addressesWithProxy", { field: "config.everyAddress" });
  if (proxy.password !== undefined && proxy.user === undefined)
    throw fault("requiredWith", { field: "config.proxy.user", other: "config.proxy.password" });
  if (proxy.url.startsWith("socks5:")) assertSocksLogin(proxy);
  const { hostname } = new URL(proxy.url);
  const isOther = ipFamily === 4 ? isIPv6(hostname.replace(/^\[|\]$/g, "")) : isIPv4(hostname);
  if (ipFamily !== undefined && isOther)
    throw fault("otherFamily", { field: "config.ipFamily", other: "config.proxy.url", version: ipFamily });
}

/** The longest user and password of a SOCKS proxy, in bytes (RFC 1929). */
const MAX_SOCKS_LOGIN = 255;

function assertSocksLogin({ user = "", password = "" }: NonNullable<HttpConfig["proxy"]>): void {
  for (const [field, text] of Object.entries({ user, password }))
    if (new TextEncoder().encode(text).length > MAX_SOCKS_LOGIN)
      throw fault("socksLogin", { field: `config.proxy.${field}`, count: MAX_SOCKS_LOGIN });
}

/** Refuses ways to sign in that exclude each other. */
function assertOneSignIn(config: HttpConfig): void {
  const [first, second] = SIGN_INS.filter((field) => config[field] !== undefined);
  if (first && second) throw fault("leaveOutWith", { field: `config.${second}`, other: `config.${first}` });
  const requests = config.steps ?? [config];
  const at = requests.findIndex(({ headers = {} }) => hasAuthorization(headers));
  if (!first || at < 0) return;
  const where = config.steps ? `config.steps.${at}.headers` : "config.headers";
  throw fault("leaveOutIfHeader", { field: `config.${first}`, other: where, header: "Authorization" });
}

function hasAuthorization(headers: Record<string, string>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
}
