import { type Static, Type } from "@sinclair/typebox";
import { Expectations } from "../checks/expectations-schema.ts";
import { HttpUrl } from "../schemas/format.ts";
import { RequestHeaders } from "../schemas/request-headers.ts";
import { named, oneOf } from "../schemas/schema.ts";
import { Interval, Timeout } from "./config-fields.ts";

/** The config of an HTTP monitor: what is sent and what is expected (behavior 10.1 to 10.10). */
export const HttpConfig = Type.Object(
  {
    url: HttpUrl,
    interval: Interval,
    method: Type.Optional(oneOf(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])),
    headers: Type.Optional(RequestHeaders),
    body: Type.Optional(
      Type.String({
        format: "request-body",
        minLength: 1,
        description: "The request body, 1 byte to 64 KiB.",
      }),
    ),
    basicAuth: Type.Optional(
      Type.Object(
        {
          user: Type.String({ format: "user-name", maxLength: 1024 }),
          password: Type.String({ format: "password", description: "A response shows `•••`." }),
        },
        named("BasicAuth"),
      ),
    ),
    timeout: Type.Optional(Timeout),
    redirects: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 10,
        description: "How many redirects are followed. Default: 0.",
      }),
    ),
    verifyTls: Type.Optional(
      Type.Boolean({ description: "Whether the certificate must be valid. Default: true." }),
    ),
    ipFamily: Type.Optional(
      Type.Union([Type.Literal(4), Type.Literal(6)], {
        description: "The only version of IP to use. Default: both.",
      }),
    ),
    expect: Type.Optional(Expectations),
  },
  named("HttpConfig"),
);
export type HttpConfig = Static<typeof HttpConfig>;
