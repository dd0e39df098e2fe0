/** A browser that signs in by a provider: it keeps cookies, and follows no redirect by itself. */
export class OidcBrowser {
  /** By name. */
  readonly cookies = new Map<string, string>();

  constructor(readonly server: string) {}

  /** Goes to the provider and comes back. @returns the answer to the return */
  async signIn(query = ""): Promise<Response> {
    return this.open(await this.returnUrl(query));
  }

  /** Goes to the provider. @returns the URL with which the provider sends the browser back */
  async returnUrl(query = ""): Promise<string> {
    const begun = await this.open(`/sign-in/oidc${query}`);
    if (begun.status !== 303) throw new Error(`the sign-in began with ${begun.status}`);
    const returned = await fetch(begun.headers.get("location") ?? "", { redirect: "manual" });
    return returned.headers.get("location") ?? "";
  }

  /** Sends the cookies whose path fits the request. */
  async open(path: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(path, this.server);
    const cookie = [...this.cookies]
      .filter(([name]) => !name.endsWith("stillup_oidc") || url.pathname.startsWith("/sign-in/oidc"))
      .map((pair) => pair.join("="))
      .join("; ");
    const headers = { cookie, ...(init.headers as Record<string, string>) };
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    return response;
  }

  /** The person who is signed in, as the server says; undefined if nobody is. */
  // biome-ignore lint/suspicious/noExplicitAny: the tests assert the shape
  async me(): Promise<any> {
    const response = await this.open("/api/v1/me");
    const body = (await response.json()) as { data?: unknown };
    return body.data;
  }

  #keep(line: string): void {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/max-age=0/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
