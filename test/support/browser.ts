import { existsSync } from "node:fs";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { tempDir } from "./temp-dir.ts";

const CHROMIUM = "/usr/bin/chromium";

/** A real Chromium with a new profile, which asks no other host for anything. */
const FLAGS = [
  "--headless",
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
  "colorScheme" | "viewport" | "reducedMotion" | "locale" | "timezoneId"
>;

export class TestBrowser implements AsyncDisposable {
  private constructor(
    readonly chromium: Browser,
    private readonly profile: Disposable,
  ) {}

  static async start(): Promise<TestBrowser> {
    if (!existsSync(CHROMIUM)) throw new Error(`${CHROMIUM} is missing: install the package chromium`);
    const profile = tempDir();
    const launched = await chromium.launch({
      executablePath: CHROMIUM,
      args: [...FLAGS, `--disk-cache-dir=${profile.path}`],
    });
    return new TestBrowser(launched, profile);
  }

  /** A reader of their own, with their own cookies. */
  async reader(url: string, look: Look = {}): Promise<Reader> {
    const context = await this.chromium.newContext({
      baseURL: url,
      viewport: { width: 1280, height: 860 },
      ...look,
    });
    const page = await context.newPage();
    return new Reader(context, page);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.chromium.close();
    this.profile[Symbol.dispose]();
  }
}

/** One person at one page. Whatever the page complains about in its console is kept. */
export class Reader {
  readonly complaints: string[] = [];
  /** Every request that went to another host. */
  readonly strays: string[] = [];

  constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {
    page.setDefaultTimeout(10_000);
    page.on("pageerror", (error) => this.complaints.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") this.complaints.push(message.text());
    });
    page.on("request", (request) => {
      if (new URL(request.url()).hostname !== "127.0.0.1") this.strays.push(request.url());
    });
    page.on("dialog", (dialog) => {
      this.complaints.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
  }

  async signIn(key: string): Promise<void> {
    await this.page.goto("/");
    await this.page.getByLabel("API key").fill(key);
    await this.page.getByRole("button", { name: "Sign in" }).click();
    await this.page.getByRole("navigation", { name: "Main" }).waitFor();
  }
}
