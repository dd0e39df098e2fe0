import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { readPage } from "../support/documentation/page.ts";
import { Background, Shell } from "../support/documentation/shell.ts";
import { differences } from "../support/documentation/shown.ts";
import { eventually } from "../support/eventually.ts";
import { Machines } from "../support/network/machines.ts";
import { Binary } from "../support/product/binary.ts";
import { isMissing } from "../support/requirements.ts";

setDefaultTimeout(300_000);

const PAGE = "docs/locations.md";
const { blocks } = await readPage(PAGE);
const own = blocks.filter(({ mark }) => mark === "tested by test/e2e/docs-locations.e2e.ts");
const shown = (language: string) =>
  own.filter((block) => block.language === language).map(({ text }) => text);
const [
  createFra = "",
  startFra = "",
  createNyc = "",
  startNyc = "",
  createShop = "",
  report = "",
  results = "",
] = shown("sh");
const [created = "", shownPlaces = "", shownResult = ""] = shown("json");
const [connected = ""] = shown("text");

/** Programs of the machines: a shop, and a receiver of webhooks that prints them. */
const SHOP = `bun -e 'Bun.serve({ port: 8000, hostname: "0.0.0.0", fetch: () => new Response("open") }); console.log("ready")'`;
const RECEIVER = `bun -e 'Bun.serve({ port: 9000, hostname: "127.0.0.1", fetch: async (request) => {
  console.log(await request.text());
  return new Response("ok");
} }); console.log("ready")'`;

test.skipIf(isMissing(["ip", "curl"], { root: true }))(
  "behavior 13.68: the documented example: a shop that one of three locations can't reach is Up, and one that fails is Down",
  async () => {
    await using scene = await Scene.open();
    expect(differences(created, await scene.type(createFra))).toEqual([]);
    await scene.startProbe("fra", startFra);
    await scene.type(createNyc);
    await scene.startProbe("nyc", startNyc);
    let shop = await scene.run("shop", SHOP, "ready");
    const receiver = await scene.run("server", RECEIVER, "ready");
    const config = { url: "http://127.0.0.1:9000/" };
    const channel = await scene.api("$url/alerts", { name: "hook", type: "WEBHOOK", config });
    await scene.api("-X PATCH $url/organization", { defaultAlertChannelIds: [channel.id] });

    await scene.type(createShop);
    await eventually(async () => {
      const seen = Object.values(await scene.places());
      return seen.length === 3 && seen.every((status) => status === "up");
    }, 300_000);
    expect(await scene.status()).toBe("up");

    await scene.machines.cut("shop", "fra");
    await eventually(async () => (await scene.places()).fra === "down");
    await scene.checkAgain("here");
    await scene.checkAgain("nyc");
    expect(scene.compare(shownPlaces, { places: await scene.report() })).toEqual([]);
    const fromFra = (await scene.results()).filter(isFrom("fra")).map(({ status, detail }) => {
      const { location, seen } = detail;
      return { status, detail: { location, seen } };
    });
    expect(scene.compare(shownResult, fromFra[0] ?? {})).toEqual([]);
    expect(await scene.status()).toBe("up");

    await shop[Symbol.asyncDispose]();
    await eventually(async () => (await scene.status()) === "down");
    shop = await scene.run("shop", SHOP, "ready");
    await scene.machines.join("shop", "fra");
    await eventually(async () => (await scene.status()) === "up");
    const changes = () =>
      [...receiver.printed.matchAll(/"previousStatus":"(\w+)","status":"(\w+)"/g)].map(
        ([, from, to]) => `${from} → ${to}`,
      );
    await eventually(() => changes().length >= 2);
    expect(changes()).toEqual(["up → down", "down → up"]);
  },
);

interface Place {
  name: string;
  latest: { status: string } | null;
}

interface Result {
  id: string;
  status: string;
  detail: { location: string; seen?: object };
}

const isFrom = (location: string) => (result: Result) => result.detail.location === location;

/** The machines of the page, with a server on one of them, and the shell of a user there. */
class Scene implements AsyncDisposable {
  readonly #programs = new AsyncDisposableStack();
  readonly #shell: Shell;

  private constructor(
    readonly machines: Machines,
    private readonly binary: Binary,
  ) {
    this.#shell = this.#programs.use(new Shell(this.#on("server")));
  }

  static async open(): Promise<Scene> {
    const machines = await Machines.create("server", "fra", "nyc", "shop");
    const scene = new Scene(machines, new Binary());
    await scene.run("server", `stillup serve --host ${machines.addressOf("server")}`, "listening on");
    return scene;
  }

  /** Starts a program, and waits until it prints a text. */
  async run(machine: string, line: string, text: string): Promise<Background> {
    const program = this.#programs.use(new Background(`exec ${this.#here(line)}`, this.#on(machine)));
    await eventually(() => program.printed.includes(this.#here(text).trim())).catch(() => {
      throw new Error(`${line} printed: ${program.printed}`);
    });
    return program;
  }

  /** Types a block of the page on the server. @returns what it printed */
  async type(block: string): Promise<string> {
    const { code, printed } = await this.#shell.run(this.#here(block));
    if (code !== 0) throw new Error(`${block}: ${printed}`);
    return printed;
  }

  async api(request: string, body?: object) {
    const data = body ? ` -d '${JSON.stringify(body)}'` : "";
    return JSON.parse(await this.type(`api ${request}${data}`)).data;
  }

  /** Starts a probe as the page does, with the key that the server showed last. */
  async startProbe(name: string, block: string): Promise<void> {
    const { key } = JSON.parse(await this.type("cat answer.json")).data;
    await Bun.write(join(this.machines.folderOf(name), `${name}.key`), `${key}\n`);
    const line = block.trim().split("\n").at(-1) ?? "";
    await this.run(name, line, connected.replace("fra", name));
  }

  async status(): Promise<string> {
    return (await this.api("$url/monitors/$shop")).status;
  }

  async report(): Promise<Place[]> {
    return JSON.parse(await this.type(report)).data.places;
  }

  /** The last observation of each location. */
  async places(): Promise<Record<string, string | undefined>> {
    return Object.fromEntries((await this.report()).map(({ name, latest }) => [name, latest?.status]));
  }

  /** The latest results, newest first. */
  async results(): Promise<Result[]> {
    return JSON.parse(await this.type(results)).data;
  }

  /** @returns the differences between an example of the page and what the server answered */
  compare(example: string, answer: object): string[] {
    return differences(this.#here(example), JSON.stringify(answer));
  }

  /** Waits for two more results of a location, of which the second one is of a check that begins later than now. */
  async checkAgain(location: string): Promise<void> {
    const [latest] = (await this.results()).filter(isFrom(location));
    const newer = async () =>
      (await this.results()).filter((result) => isFrom(location)(result) && result.id > (latest?.id ?? ""));
    await eventually(async () => (await newer()).length >= 2);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#programs.disposeAsync();
    await this.binary[Symbol.asyncDispose]();
    await this.machines[Symbol.asyncDispose]();
  }

  #on(machine: string) {
    const folder = this.machines.folderOf(machine);
    const path = `${this.binary.folder}:${process.env.PATH}:/usr/sbin`;
    return { cwd: folder, env: { PATH: path, HOME: folder }, under: this.machines.on(machine) };
  }

  /** A text of the page with the addresses of the machines, and with a shorter interval. */
  #here(text: string): string {
    return text
      .replaceAll("up.example.com", this.machines.addressOf("server"))
      .replaceAll("shop.example.com", this.machines.addressOf("shop"))
      .replace('"interval": 60', '"interval": 2')
      .replace("within 10 s", "within 2 s");
  }
}
