import type { Contract } from "./contract.ts";

/** A response of the API. The body has no type, because the tests assert its shape. */
export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the tests assert the shape
  body: any;
  headers: Headers;
}

/** Sends requests to a listening server, as the script of a user would. */
export class Client {
  constructor(
    readonly url: string,
    readonly key?: string,
    /** If set, every response must match the OpenAPI document. */
    private readonly contract?: Contract,
  ) {}

  as(key: string | undefined): Client {
    return new Client(this.url, key, this.contract);
  }

  /** The same key at another address. */
  at(url: string): Client {
    return new Client(url, this.key, this.contract);
  }

  get(path: string): Promise<Answer> {
    return this.send("GET", path);
  }

  post(path: string, body?: unknown): Promise<Answer> {
    return this.send("POST", path, body);
  }

  patch(path: string, body: unknown): Promise<Answer> {
    return this.send("PATCH", path, body);
  }

  put(path: string, body: unknown): Promise<Answer> {
    return this.send("PUT", path, body);
  }

  delete(path: string): Promise<Answer> {
    return this.send("DELETE", path);
  }

  /** @param body a string is sent unchanged, any other value as JSON */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(new URL(path, this.url), {
      method,
      redirect: "manual",
      headers: {
        ...(this.key && { authorization: `Bearer ${this.key}` }),
        "content-type": "application/json",
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer = { status: response.status, body: text && JSON.parse(text), headers: response.headers };
    if (method !== "HEAD") this.contract?.check(method, path, answer.status, answer.body);
    return answer;
  }
}
