/** A request that a stand-in of a service got. */
export interface ServiceCall {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Record<string, string>;
  /** The parsed body; undefined without one. */
  // biome-ignore lint/suspicious/noExplicitAny: the stand-ins judge the shape
  body: any;
}

/** The stand-in of one service: it answers as the service does, and accepts what the service accepts. */
export interface Service {
  /** The answer to a request. @param seen the requests that it accepted before */
  answer(call: ServiceCall, seen: readonly ServiceCall[]): Response;
  /** Its failures, by name. */
  failures: Record<string, () => Response>;
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): () => Response {
  return () => Response.json(body, { status, headers });
}
