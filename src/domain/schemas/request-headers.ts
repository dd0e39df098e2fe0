import { Type } from "@sinclair/typebox";
import { mapOf } from "./schema.ts";

/** The headers that a request of stillup has (behavior 10.3, 16.143); `assertRequestHeaders` covers their names. */
export const RequestHeaders = mapOf(Type.String({ format: "header-value" }), {
  maxProperties: 32,
  description: "Request headers. A response shows each value as `•••`; a request that sends `•••` keeps it.",
  examples: [{ "X-Api-Key": "•••" }],
});
