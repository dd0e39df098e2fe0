import type { ConfigField } from "../../schemas/schema.ts";
import * as fields from "./fields.ts";

/* The forms of the kinds of HTTP monitors. A step has the same fields for its request and its answer as a monitor with one. */

const answer: fields.Entry = {
  summary: "What counts as up",
  entries: [
    { widget: "statuses", name: "expect.status" },
    {
      name: "redirects",
      label: "Follow … redirects",
      kind: "number",
      initial: "5",
      hint: "Up to 10. The last answer is judged; one redirect too many is Down. If empty, none is followed.",
    },
    {
      name: "expect.contains",
      label: "The body contains",
      kind: "texts",
      hint: "One text on each line, with upper and lower case as in the body. Down if one of them is missing.",
      rows: 2,
    },
    {
      name: "expect.lacks",
      label: "The body does not contain",
      kind: "texts",
      hint: "One text on each line. Down if the body has one of them.",
      rows: 2,
    },
    {
      name: "expect.matches",
      label: "The body matches",
      kind: "texts",
      hint: "One pattern of RE2 on each line, such as (?i)version \\d+. For a text that is not always the same.",
      rows: 2,
    },
    { widget: "json", name: "expect.json" },
    { widget: "expected-headers", name: "expect.headers" },
    {
      name: "expect.complete",
      label: "The body must arrive whole",
      kind: "switch",
      hint: "Down if it breaks off. Up to 16 MiB are read at each check. Not for HEAD.",
    },
    {
      name: "expect.within",
      label: "Degraded above … ms",
      kind: "number",
      hint: "A slower answer is Degraded, never Down. The baseline of the monitor counts also.",
    },
    { widget: "same", name: "expect.same" },
  ],
};

const request: fields.Entry = {
  summary: "Request",
  entries: [
    {
      name: "method",
      label: "Method",
      kind: "choice",
      choices: [
        { label: "GET" },
        ...fields.valuesAsLabels(["HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]),
      ],
      isShort: true,
    },
    { widget: "headers", name: "headers" },
    {
      name: "body",
      label: "Body",
      kind: "text-area",
      hint: "Sent as it is, as JSON if it is JSON and no header says otherwise. Not for GET and HEAD.",
      isExact: true,
    },
  ],
};

/** The form of one of several steps. */
export const stepForm: readonly fields.Entry[] = [
  { widget: "website", name: "url" },
  { name: "name", label: "Name of the step", example: "sign in", hint: "Messages begin with it." },
  request,
  { ...answer, summary: "Expected answer" },
  { summary: "Values for later steps", entries: [{ widget: "take", name: "take" }] },
];

function user(part: string): ConfigField {
  return { name: `${part}.user`, label: "User", isExact: true };
}

function secret(name: string, label: string): ConfigField {
  return { name, label, kind: "secret", isExact: true };
}

const signIn: fields.Entry = {
  summary: "Sign-in",
  entries: [
    {
      legend: "The server asks for",
      radio: "signIn",
      options: [
        { value: "none", label: "No sign-in", entries: [] },
        {
          value: "basic",
          label: "User and password (Basic)",
          entries: [
            { beside: "halves", fields: [user("basicAuth"), secret("basicAuth.password", "Password")] },
          ],
        },
        {
          value: "digest",
          label: "User and password (Digest)",
          hint: "For servers that refuse Basic, such as cameras and routers.",
          entries: [
            { beside: "halves", fields: [user("digestAuth"), secret("digestAuth.password", "Password")] },
          ],
        },
        {
          value: "oauth2",
          label: "A token (OAuth2 client credentials)",
          hint: "For an API whose tokens come from another server. If that server fails, the monitor is not Down.",
          entries: [
            {
              name: "oauth2.tokenUrl",
              label: "Token URL",
              kind: "url",
              example: "https://auth.example.com/oauth2/token",
              isRequired: true,
            },
            {
              beside: "halves",
              fields: [
                { name: "oauth2.clientId", label: "Client ID" },
                secret("oauth2.clientSecret", "Client secret"),
                {
                  name: "oauth2.scope",
                  label: "Scope",
                  hint: "If the server needs it. A space between several.",
                },
                {
                  name: "oauth2.audience",
                  label: "Audience",
                  hint: "If the server needs it, such as Auth0.",
                },
              ],
            },
          ],
        },
      ],
    },
    {
      name: "clientCertificate.certificate",
      label: "Client certificate",
      kind: "text-area",
      hint: "In PEM, for a server that asks its clients for one (mTLS). Certificates of its issuers may follow.",
      example: "-----BEGIN CERTIFICATE-----",
    },
    {
      name: "clientCertificate.key",
      label: "Key of the client certificate",
      kind: "text-area",
      isSecret: true,
      hint: "In PEM, without a passphrase. After saving, nobody can read it: ••• keeps the saved key.",
      example: "-----BEGIN PRIVATE KEY-----",
    },
  ],
};

const certificate: fields.Entry = {
  summary: "Certificate",
  entries: [{ widget: "expiry", name: "expiryWarning" }, fields.anyCertificate],
};
const connection = [fields.ipVersion, fields.everyAddress];

const proxy: readonly fields.Entry[] = [
  {
    name: "proxy.url",
    label: "Proxy",
    kind: "url",
    example: "http://proxy.example.com:3128",
    hint: "http:// or socks5://, for a target that is reached only through it. If the proxy fails, the monitor is not Down.",
  },
  {
    beside: "halves",
    fields: [
      { name: "proxy.user", label: "Proxy: user", isExact: true },
      secret("proxy.password", "Proxy: password"),
    ],
  },
];

export const forms = {
  HTTP: [
    { widget: "requests", name: "url" },
    answer,
    request,
    signIn,
    certificate,
    {
      summary: "Connection",
      entries: [
        { ...fields.timeout, hint: `${fields.timeout.hint} At most 60, or 120 with steps.` },
        ...connection,
        ...proxy,
      ],
    },
  ],
  WEBSOCKET: [
    { widget: "website", name: "url" },
    { summary: "Request", entries: [{ widget: "headers", name: "headers" }, fields.signIn] },
    certificate,
    { summary: "Connection", entries: [fields.timeout, ...connection] },
  ],
  GRPC: [
    { widget: "website", name: "url" },
    {
      name: "service",
      label: "Service",
      example: "shop.Cart",
      hint: "If empty: the whole server.",
    },
    { summary: "Request", entries: [{ widget: "headers", name: "headers" }] },
    { summary: "Connection", entries: [fields.timeout, fields.ipVersion, fields.anyCertificate] },
  ],
} satisfies Record<string, readonly fields.Entry[]>;
