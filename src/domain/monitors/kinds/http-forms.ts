import * as fields from "./fields.ts";

/* The forms of the kinds of HTTP monitors. */

const certificate: fields.Entry = {
  summary: "Certificate",
  entries: [{ widget: "expiry", name: "expiryWarning" }, fields.anyCertificate],
};
const connection: fields.Entry = {
  summary: "Connection",
  entries: [fields.timeout, fields.ipVersion, fields.everyAddress],
};

export const forms = {
  HTTP: [
    { widget: "website", name: "url" },
    {
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
      ],
    },
    {
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
        fields.signIn,
      ],
    },
    certificate,
    connection,
  ],
  WEBSOCKET: [
    { widget: "website", name: "url" },
    { summary: "Request", entries: [{ widget: "headers", name: "headers" }, fields.signIn] },
    certificate,
    connection,
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
