import { expect } from "bun:test";
import type { Page } from "playwright-core";
import type { MonitorType } from "../../../src/domain/monitors/monitor.ts";
import { Binary, type RunningProbe, type RunningServer } from "../product/binary.ts";
import type { Client } from "../requests/client.ts";
import { type Look, type Reader, TestBrowser } from "./browser.ts";

/** Timeout of a test of the page, in milliseconds. */
export const PATIENCE = 60_000;

/** The compiled server with its page, a client with the owner's key, and a Chromium in which readers open the page. */
export class ServedPage implements AsyncDisposable {
  private constructor(
    private readonly binary: Binary,
    readonly server: RunningServer,
    readonly api: Client,
    readonly browser: TestBrowser,
  ) {}

  /** @param args flags of `serve` */
  static async start(args: string[] = []): Promise<ServedPage> {
    const binary = new Binary();
    const server = await binary.serve(args);
    return new ServedPage(binary, server, await server.client(), await TestBrowser.start());
  }

  /** A reader who is signed in, by default with the owner's key. */
  async signedIn(look?: Look, key = this.api.key ?? ""): Promise<Reader> {
    const reader = await this.browser.reader(this.server.url, look);
    await reader.signIn(key);
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
    return this.binary.probe({ server: this.server.url, key, dataDir: "probe" });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser[Symbol.asyncDispose]();
    await this.binary[Symbol.asyncDispose]();
  }
}

/** What Chromium logs for a 4xx answer. */
const REFUSED = /^Failed to load resource: the server responded with a status of 4\d\d/;

/** Closes the page. Fails if the page sent requests to other hosts or had errors other than the expected ones. */
export async function leave({ context, errors, foreignRequests }: Reader, expected = REFUSED): Promise<void> {
  await context.close();
  expect(errors.filter((error) => !expected.test(error))).toEqual([]);
  expect(foreignRequests).toEqual([]);
}
