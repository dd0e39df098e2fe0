import { existsSync } from "node:fs";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Request,
} from "playwright-core";
import { eventually } from "../eventually.ts";

/** Chromium without a window, which takes half the processor time of `chromium`. */
const CHROMIUM = "/usr/bin/chromium-headless-shell";

/** How long a page may take for anything, in milliseconds: other test suites use the same processors. */
const PAGE_TIMEOUT = 120_000;

/** No background requests to other hosts. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export type Look = Pick<
  BrowserContextOptions,
  | "colorScheme"
  | "viewport"
  | "reducedMotion"
  | "locale"
  | "timezoneId"
  | "serviceWorkers"
  | "javaScriptEnabled"
>;

export class TestBrowser implements AsyncDisposable {
  private constructor(readonly chromium: Browser) {}

  static async start(): Promise<TestBrowser> {
    if (!existsSync(CHROMIUM))
      throw new Error(`${CHROMIUM} is missing: install the package chromium-headless-shell`);
    return new TestBrowser(await chromium.launch({ executablePath: CHROMIUM, args: FLAGS }));
  }

  /** A new reader with separate cookies, who has hidden the first steps. */
  async reader(url: string, look: Look = {}): Promise<Reader> {
    const { origin } = new URL(url);
    const localStorage = [{ name: "firstSteps", value: origin }];
    const context = await this.chromium.newContext({
      baseURL: url,
      storageState: { cookies: [], origins: [{ origin, localStorage }] },
      viewport: { width: 1280, height: 860 },
      // Tests that are not about it intercept requests, which a service worker would make itself.
      serviceWorkers: "block",
      ...look,
    });
    const page = await context.newPage();
    return new Reader(context, page);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.chromium.close();
  }
}

/** One person with one open page. */
export class Reader {
  /** Errors in the console of the page, and its dialogs. */
  readonly errors: string[] = [];
  /** Requests to other hosts. */
  readonly foreignRequests: string[] = [];
  /** Requests to the API without an answer, except the stream of changes. */
  readonly #pending = new Set<Request>();

  constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {
    page.setDefaultTimeout(PAGE_TIMEOUT);
    page.on("pageerror", (error) => this.errors.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") this.errors.push(message.text());
    });
    page.on("request", (request) => {
      if (new URL(request.url()).hostname !== "127.0.0.1") this.foreignRequests.push(request.url());
    });
    page.on("request", (request) => {
      if (/\/api\/v1\/(?!stream)/.test(request.url())) this.#pending.add(request);
    });
    page.on("requestfinished", (request) => this.#pending.delete(request));
    page.on("requestfailed", (request) => this.#pending.delete(request));
    page.on("dialog", (dialog) => {
      this.errors.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
  }

  async signIn(key: string): Promise<void> {
    await this.page.goto("/");
    await this.page.getByLabel("API key").fill(key);
    await this.page.getByRole("button", { name: "Sign in" }).click();
    await this.page.getByRole("navigation", { name: "Main" }).waitFor();
  }

  /** Opens an address, and waits until the view has all its data. */
  async open(path: string): Promise<void> {
    await this.page.goto(path);
    await this.page.locator("h1").waitFor();
    await eventually(() => this.#isIdle(), PAGE_TIMEOUT);
  }

  /** An answer can cause another request in the frame after it. */
  async #isIdle(): Promise<boolean> {
    if (this.#pending.size > 0) return false;
    await this.page.evaluate(
      "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
    );
    return this.#pending.size === 0;
  }
}
