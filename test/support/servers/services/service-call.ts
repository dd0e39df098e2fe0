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

/** Everything that the tests of all services need of one service. Each file of `stand-ins/` exports an `example`. */
export interface ServiceExample {
  service: Service;
  /** A config that the stand-in accepts. @param url of the stand-in, without a slash at the end */
  config(url: string): object;
  /** A stored config with all its fields, as responses show it. */
  stored: { url: string; format: string; options?: object };
  /** Configs that are refused, with the beginning of the message. */
  refused: [config: object, message: string][];
  secrets: string[];
  /** By failure: whether it is final, the answer that is recorded, and the delay. */
  failures: Record<string, [isFinal: boolean, answer: string, retryAfterMs?: number]>;
  /** The body for `down` of the transitions. */
  sent: unknown;
  /** The settings in other products, each with the config that an import makes of them. */
  imports: {
    kuma?: [settings: Record<string, unknown>, config: object];
    gatus?: [provider: string, config: object];
    healthchecks?: [kind: string, config: object];
  };
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): () => Response {
  return () => Response.json(body, { status, headers });
}
