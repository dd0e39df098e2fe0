import * as fields from "./fields.ts";

/* The forms of the kinds of HTTP monitors. A step has the same fields for its request and its answer as a monitor with one. */

const answers: readonly fields.Entry[] = [
  { widget: "statuses", name: "expect.status" },
  { name: "redirects", kind: "number", initial: "5" },
  { name: "expect.contains", kind: "texts", rows: 2 },
  { name: "expect.lacks", kind: "texts", rows: 2 },
  { name: "expect.matches", kind: "texts", rows: 2 },
  { widget: "json", name: "expect.json" },
  { widget: "expected-headers", name: "expect.headers" },
  { name: "expect.complete", kind: "switch" },
  { name: "expect.within", kind: "number" },
  { widget: "same", name: "expect.same" },
];

const request: fields.Entry = {
  section: "request",
  entries: [
    {
      name: "method",
      kind: "choice",
      choices: [
        { label: "GET" },
        ...fields.valuesAsLabels(["HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]),
      ],
      isShort: true,
    },
    { widget: "headers", name: "headers" },
    { name: "body", kind: "text-area", isExact: true },
  ],
};

/** The form of one of several steps. */
export const stepForm: readonly fields.Entry[] = [
  { widget: "website", name: "url" },
  { name: "name" },
  request,
  { section: "expectedAnswer", entries: answers },
  { section: "takenValues", entries: [{ widget: "take", name: "take" }] },
];

function login(part: "basicAuth" | "digestAuth"): fields.Entry {
  return {
    beside: "halves",
    fields: [
      { name: `${part}.user`, words: "user", isExact: true },
      { ...secret, name: `${part}.password`, words: "password" },
    ],
  };
}

const secret = { kind: "secret", isExact: true } as const;

const signIn: fields.Entry = {
  section: "signIn",
  entries: [
    {
      radio: "signIn",
      options: [
        { value: "none", entries: [] },
        { value: "basic", entries: [login("basicAuth")] },
        { value: "digest", entries: [login("digestAuth")] },
        {
          value: "oauth2",
          entries: [
            {
              name: "oauth2.tokenUrl",
              kind: "url",
              example: "https://auth.example.com/oauth2/token",
              isRequired: true,
            },
            {
              beside: "halves",
              fields: [
                { name: "oauth2.clientId" },
                { ...secret, name: "oauth2.clientSecret" },
                { name: "oauth2.scope" },
                { name: "oauth2.audience" },
              ],
            },
          ],
        },
      ],
    },
    { name: "clientCertificate.certificate", kind: "text-area", example: "-----BEGIN CERTIFICATE-----" },
    {
      name: "clientCertificate.key",
      kind: "text-area",
      isSecret: true,
      example: "-----BEGIN PRIVATE KEY-----",
    },
  ],
};

const certificate: fields.Entry = {
  section: "certificate",
  entries: [{ widget: "expiry", name: "expiryWarning" }, fields.anyCertificate],
};
const connection = [fields.ipVersion, fields.everyAddress];

const proxy: readonly fields.Entry[] = [
  { name: "proxy.url", kind: "url", example: "http://proxy.example.com:3128" },
  {
    beside: "halves",
    fields: [
      { name: "proxy.user", isExact: true },
      { ...secret, name: "proxy.password" },
    ],
  },
];

export const forms = {
  HTTP: [
    { widget: "requests", name: "url" },
    { section: "answer", entries: answers },
    request,
    signIn,
    certificate,
    {
      section: "connection",
      entries: [{ ...fields.timeout, words: "httpTimeout" }, ...connection, ...proxy],
    },
  ],
  WEBSOCKET: [
    { widget: "website", name: "url" },
    { section: "request", entries: [{ widget: "headers", name: "headers" }, fields.signIn] },
    certificate,
    { section: "connection", entries: [fields.timeout, ...connection] },
  ],
  GRPC: [
    { widget: "website", name: "url" },
    { name: "service", example: "shop.Cart" },
    { section: "request", entries: [{ widget: "headers", name: "headers" }] },
    { section: "connection", entries: [fields.timeout, fields.ipVersion, fields.anyCertificate] },
  ],
} satisfies Record<string, readonly fields.Entry[]>;
