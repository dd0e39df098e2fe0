import { expect } from "bun:test";
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
import { OWN_PAGE } from "../people/person.ts";
import { Client } from "../requests/client.ts";

/** Chromium without a window, which takes half the processor time of `chromium`. */
const CHROMIUM = "/usr/bin/chromium-headless-shell";

/** How long a page may take for anything, in milliseconds: other test suites use the same processors. */
const PAGE_TIMEOUT = 120_000;

/** Replaces what Playwright disables, and disables a process that is started for a later page too. */
const DISABLED = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "MediaRouter",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "SpareRendererForSitePerProcess",
  "ThirdPartyStoragePartitioning",
];

/** No background requests to other hosts. */
const FLAGS = [
  `--disable-features=${DISABLED.join(",")}`,
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // To compile scripts for a higher speed takes longer than a page that soon closes gains by it.
  "--js-flags=--no-opt,--no-maglev",
];

export type Look = Pick<
  BrowserContextOptions,
  | "colorScheme"
  | "viewport"
  | "hasTouch"
  | "isMobile"
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

  /** A new reader with separate cookies. @param options.isNew whether the first steps are not hidden */
  async reader(url: string, { isNew = false, ...look }: Look & { isNew?: boolean } = {}): Promise<Reader> {
    const context = await this.chromium.newContext({
      baseURL: url,
      viewport: { width: 1280, height: 860 },
      // Motion takes an eighth of the processor time.
      reducedMotion: "reduce",
      // Tests that are not about it intercept requests, which a service worker would make itself.
      serviceWorkers: "block",
      ...look,
    });
    // Not as a stored state, for which Playwright would open a page.
    if (!isNew) await context.addInitScript(HIDE_STEPS);
    return new Reader(context, await context.newPage(), url);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.chromium.close();
  }
}

/** A document of another origin may have no storage. */
const HIDE_STEPS = "try { localStorage.firstSteps = location.origin; } catch {}";

/** Chromium logs this for a 4xx answer. */
const REFUSED = /^Failed to load resource: the server responded with a status of 4\d\d/;

/** One person with one open page. */
export class Reader implements AsyncDisposable {
  #hasLeft = false;
  /** Errors in the console of the page, and its dialogs. */
  readonly errors: string[] = [];
  /** Requests to other hosts. */
  readonly foreignRequests: string[] = [];
  /** Requests to the API without an answer, except the stream of changes. */
  readonly #pending = new Set<Request>();

  constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    private readonly url: string,
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

  /** Gives the browser the session of a key, without the form. No view is opened. */
  async signIn(key: string): Promise<void> {
    const { headers } = await new Client(this.url).send("POST", "/api/v1/session", { key }, OWN_PAGE);
    const { name, value } = Bun.Cookie.parse(headers.get("set-cookie") ?? "");
    await this.context.addCookies([{ name, value, url: this.url, httpOnly: true, sameSite: "Strict" }]);
  }

  /** Opens an address, and waits until the view has all its data. */
  async open(path: string): Promise<void> {
    await this.page.goto(path);
    await this.page.locator("h1").waitFor();
    await eventually(() => this.#isIdle(), PAGE_TIMEOUT);
  }

  /** Closes the page. Fails if the page sent requests to other hosts or had errors other than the expected ones. */
  async leave(expected = REFUSED): Promise<void> {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    await this.context.close();
    expect(this.errors.filter((error) => !expected.test(error))).toEqual([]);
    expect(this.foreignRequests).toEqual([]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.leave();
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
