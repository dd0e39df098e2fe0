import type { ServiceRequest } from "./format.ts";

/** A request with a JSON body, by default a POST. */
export function jsonRequest(
  url: string,
  body: unknown,
  { method = "POST", headers = {} }: Partial<Pick<ServiceRequest, "method" | "headers">> = {},
): ServiceRequest {
  return {
    method,
    url,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
    body: JSON.stringify(body),
  };
}
