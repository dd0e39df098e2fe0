import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Background } from "../documentation/shell.ts";
import { eventually } from "../eventually.ts";
import { freePort } from "../free-port.ts";

interface Series {
  metric: Record<string, string>;
  /** A single value, or the values of each step of a range. */
  values: [number, string][];
}

/** A real Prometheus. */
export class Prometheus implements AsyncDisposable {
  private constructor(
    readonly url: string,
    private readonly process: Background,
  ) {}

  /** @param folder has the files that the configuration names @throws if it does not start */
  static async start(folder: string, config: string): Promise<Prometheus> {
    writeFileSync(join(folder, "prometheus.yml"), config);
    const listen = `127.0.0.1:${freePort()}`;
    const command = `exec prometheus --config.file=prometheus.yml --storage.tsdb.path=series --web.listen-address=${listen}`;
    const env = { PATH: process.env.PATH ?? "" };
    const prometheus = new Prometheus(`http://${listen}`, new Background(command, { cwd: folder, env }));
    await prometheus.#untilReady();
    return prometheus;
  }

  /** The series of an expression at this moment. @throws with its reason if Prometheus rejects the expression */
  async query(expression: string): Promise<Series[]> {
    const found = await this.#ask("query", { query: expression });
    if (found.resultType !== "vector") throw new Error(`${expression} is a ${found.resultType}`);
    return found.result.map(({ metric, value }) => ({ metric, values: value ? [value] : [] }));
  }

  /** The series of an expression in the last seconds. @throws as `query` */
  async queryRange(expression: string, seconds: number): Promise<Series[]> {
    const end = Date.now() / 1000;
    const range = { start: `${end - seconds}`, end: `${end}`, step: "1" };
    const found = await this.#ask("query_range", { query: expression, ...range });
    return found.result.map(({ metric, values = [] }) => ({ metric, values }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.process[Symbol.asyncDispose]();
  }

  async #ask(path: string, parameters: Record<string, string>): Promise<Answer> {
    const response = await fetch(`${this.url}/api/v1/${path}?${new URLSearchParams(parameters)}`);
    const body = (await response.json()) as { status: string; error?: string; data: Answer };
    if (body.status !== "success") throw new Error(`${parameters.query}: ${body.error}`);
    return body.data;
  }

  async #untilReady(): Promise<void> {
    const isReady = () =>
      fetch(`${this.url}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    await eventually(isReady).catch(async (error) => {
      await this[Symbol.asyncDispose]();
      throw new Error(`${error.message}: ${this.process.printed}`);
    });
  }
}

interface Answer {
  resultType: string;
  result: { metric: Record<string, string>; value?: [number, string]; values?: [number, string][] }[];
}
