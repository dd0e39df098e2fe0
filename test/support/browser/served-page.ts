import type { Page } from "playwright-core";
import type { MonitorType } from "../../../src/domain/monitors/monitor.ts";
import { createKey } from "../../../src/store/ids.ts";
import { Binary, type RunningProbe, type RunningServer } from "../product/binary.ts";
import { Client } from "../requests/client.ts";
import type { TestStore } from "../store/test-store.ts";
import { sharedUntilEnd } from "../until-end.ts";
import { type Look, type Reader, TestBrowser } from "./browser.ts";

/** Timeout of a test of the page, in milliseconds. */
export const PATIENCE = 300_000;

/** A compiled server with its page, the store beside it, and its first organization. */
export class PageServer implements AsyncDisposable {
  private constructor(
    readonly binary: Binary,
    readonly server: RunningServer,
    readonly attached: TestStore,
  ) {}

  /** @param args flags of `serve` */
  static async start(args: string[] = []): Promise<PageServer> {
    const binary = new Binary();
    return new PageServer(binary, await binary.serve(args), await binary.attach());
  }

  /** A client with the owner's key of a new organization. */
  async organization(name = "Default"): Promise<Client> {
    const { organizations, apiKeys } = this.attached.store;
    const now = Date.now();
    const { id } = await organizations.create({ name, plan: "enterprise", subscription: "active" }, now);
    const key = createKey();
    const owner = { organizationId: id, name: "owner", role: "owner", expiresAt: null, key } as const;
    await apiKeys.create(owner, now);
    return new Client(this.server.url, key);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.attached[Symbol.asyncDispose]();
    await this.binary[Symbol.asyncDispose]();
  }
}

/** The browser that the test files of this process share. */
export const sharedBrowser = sharedUntilEnd(() => TestBrowser.start());

const sharedServer = sharedUntilEnd(() => PageServer.start());

/**
 * A compiled server with its page, a client with the owner's key, and a Chromium in which readers open the page. The files of
 * one process share the browser, and the server unless they start it with flags. Each has its own organization.
 */
export class ServedPage implements AsyncDisposable {
  private constructor(
    private readonly own: PageServer | undefined,
    private readonly served: PageServer,
    readonly api: Client,
    readonly browser: TestBrowser,
  ) {}

  /** @param args flags of `serve` */
  static async start(args: string[] = []): Promise<ServedPage> {
    const own = args.length > 0 ? await PageServer.start(args) : undefined;
    const served = own ?? (await sharedServer());
    const api = own ? await own.server.client() : await served.organization();
    return new ServedPage(own, served, api, await sharedBrowser());
  }

  get server(): RunningServer {
    return this.served.server;
  }

  /** A reader who is signed in, by default with the owner's key. No view is open yet. */
  async signedIn(look?: Look & { isNew?: boolean }, key = this.api.key ?? ""): Promise<Reader> {
    const reader = await this.browser.reader(this.server.url, look);
    await reader.signIn(key);
    return reader;
  }

  /** The same, with a view that is open. */
  async opened(path: string, look?: Look & { isNew?: boolean }, key?: string): Promise<Reader> {
    const reader = await this.signedIn(look, key);
    await reader.page.goto(path);
    return reader;
  }

  /** Creates a monitor. @param values other fields @returns the monitor, as the API does */
  async monitor(type: MonitorType, config: object, values: object = {}) {
    const monitor = { name: `a ${type} monitor`, type, config, ...values };
    return (await this.api.post("/api/v1/monitors", monitor)).body.data;
  }

  /** The monitor that was saved in the page, as the API returns it. Waits until its page is open. */
  async savedMonitor(page: Page) {
    await page.waitForURL(
      ({ pathname }) => /^\/monitors\/\w+$/.test(pathname) && pathname !== "/monitors/new",
    );
    const id = new URL(page.url()).pathname.split("/")[2];
    return (await this.api.get(`/api/v1/monitors/${id}`)).body.data;
  }

  /** Runs the probe of a location on this machine. */
  probe(key: string): Promise<RunningProbe> {
    return this.served.binary.probe({ server: this.server.url, key, dataDir: "probe" });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.own?.[Symbol.asyncDispose]();
  }
}
