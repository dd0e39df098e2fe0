import { eventually } from "../eventually.ts";
import type { Answer, Client } from "../requests/client.ts";
import { startDnsServer, type TestDnsServer } from "../servers/dns-server.ts";
import { Receiver } from "../servers/receiver.ts";
import { HttpTarget, TcpTarget } from "../servers/targets.ts";

type Word = "ok" | "fail";

interface NewResource {
  name: string;
  [field: string]: unknown;
}

/** The server no longer answers. */
class Gone extends Error {}

/** Far more than the work takes: checks run only because a monitor is created or gets another config (behavior 1.7). */
const INTERVAL = 3600;

/**
 * Work that uses each kind of write of a server, and a ledger of what the server acknowledged: resources, edits, deletes,
 * check-ins, and the notifications that receivers got.
 */
export class ScriptedWork implements AsyncDisposable {
  readonly receivers = [new Receiver(), new Receiver()];
  /** The names of what exists, by the path of the resource. */
  readonly #names = new Map<string, string>();
  readonly #deleted = new Set<string>();
  /** The acknowledged parts of the runs of a job, by their `rid`. */
  readonly #runs = new Map<string, { id: string; output: string; hasEnded: boolean }>();
  /** By monitor, oldest first. */
  readonly #checkins = new Map<string, Word[]>();
  /** The resource whose last request was not acknowledged. Nothing is known about it. */
  readonly #uncertain = new Set<string>();
  /** The requests that were answered 503, and then repeated. */
  readonly rejected: string[] = [];

  private constructor(
    private readonly site: HttpTarget,
    private readonly port: TcpTarget,
    private readonly dns: TestDnsServer,
  ) {}

  static async create(): Promise<ScriptedWork> {
    return new ScriptedWork(new HttpTarget(), await TcpTarget.start(), await startDnsServer({}));
  }

  /** The arguments of the server. */
  get args(): string[] {
    return ["--dns-servers", `${this.dns.address}:${this.dns.port}`];
  }

  /** Works until the end, or until the server no longer answers. @returns whether it got to the end */
  async run(client: Client): Promise<boolean> {
    try {
      await this.#work(client);
      return true;
    } catch (error) {
      if (error instanceof Gone) return false;
      throw error;
    }
  }

  async #work(client: Client): Promise<void> {
    const channels: string[] = [];
    for (const [at, { url }] of this.receivers.entries()) {
      const channel = { name: `channel ${at}`, type: "WEBHOOK", config: { url } };
      channels.push(await this.#create(client, "/api/v1/alerts", channel));
    }
    const alertChannelIds = channels;
    const create = (name: string, type: string, config: object) =>
      this.#create(client, "/api/v1/monitors", { name, type, config, alertChannelIds });
    const backup = await create("backup", "SCHEDULED", {});
    const report = await create("report", "SCHEDULED", {});
    const siteConfig = { url: this.site.url, interval: INTERVAL };
    const portConfig = { host: "127.0.0.1", port: this.port.port, interval: INTERVAL };
    const site = await create("site", "HTTP", siteConfig);
    const port = await create("port", "TCP", portConfig);
    const checkBoth = async (interval: number, status: string) => {
      await this.#edit(client, `/api/v1/monitors/${site}`, { config: { ...siteConfig, interval } });
      await this.#edit(client, `/api/v1/monitors/${port}`, { config: { ...portConfig, interval } });
      await this.#become(client, [site, port], status);
    };
    await this.#become(client, [site, port], "up");
    await this.#fillLog(client);
    for (const word of ["fail", "ok", "fail", "ok"] as const) await this.#checkIn(client, backup, word);
    await this.#checkIn(client, report, "ok");
    await this.#checkIn(client, report, "fail");
    const runner = await create("runner", "SCHEDULED", { overlap: "fail" });
    for (const rid of ["a", "b"]) await this.#start(client, runner, rid);
    for (const rid of ["b", "a"]) await this.#end(client, runner, rid);

    await this.site.break();
    await this.port.break();
    await checkBoth(INTERVAL + 1, "down");
    this.site.fix();
    await this.port.fix();
    await checkBoth(INTERVAL + 2, "up");

    await this.#edit(client, `/api/v1/monitors/${backup}`, { name: "nightly backup" });
    await this.#edit(client, `/api/v1/alerts/${channels[1]}`, { name: "second channel" });
    const key = await this.#create(client, "/api/v1/api-keys", { name: "short-lived", role: "viewer" });
    await this.#create(client, "/api/v1/api-keys", { name: "kept", role: "viewer" });
    await this.#delete(client, `/api/v1/api-keys/${key}`);
    await this.#delete(client, `/api/v1/monitors/${report}`);
    for (const word of ["fail", "ok"] as const) await this.#checkIn(client, backup, word);
    await Promise.all(alertChannelIds.map((id) => this.#delivered(client, id)));
  }

  /** Writes so many pages that a checkpoint runs. */
  async #fillLog(client: Client): Promise<void> {
    const expected = Array.from({ length: 100 }, (_, at) => `${at} ${"x".repeat(4000)}`);
    const config = { hostname: "large.test", recordType: "TXT", expected };
    const large = { name: "large", type: "DNS", config, alertChannelIds: [] };
    const id = await this.#create(client, "/api/v1/monitors", large);
    await this.#become(client, [id], "missing");
    await this.#edit(client, `/api/v1/monitors/${id}`, {
      config: { ...config, expected: expected.toReversed() },
    });
  }

  /** @throws if something acknowledged is missing, or a notification is missing, unordered, or of nothing recorded */
  async verify(client: Client): Promise<void> {
    await this.#verifyResources(client);
    for (const [id, words] of this.#checkins) await this.#verifyCheckins(client, id, words);
    for (const [rid, run] of this.#runs) await this.#verifyRun(client, rid, run);
    await this.#verifyNotifications(client);
  }

  async #verifyResources(client: Client): Promise<void> {
    const found = new Map<string, string>();
    for (const folder of ["monitors", "alerts", "api-keys"]) {
      const { status, body } = await client.get(`/api/v1/${folder}`);
      if (status !== 200) throw new Error(`${folder} can't be listed: ${status}`);
      for (const { id, name } of body.data) found.set(`/api/v1/${folder}/${id}`, name);
    }
    for (const [path, name] of this.#names) {
      if (this.#uncertain.has(path)) continue;
      if (found.get(path) !== name) throw new Error(`${name} (${path}) is now ${found.get(path)}`);
    }
    for (const path of this.#deleted)
      if (found.has(path)) throw new Error(`${path} exists although its deletion was acknowledged`);
  }

  async #verifyCheckins(client: Client, id: string, words: Word[]): Promise<void> {
    const path = `/api/v1/monitors/${id}`;
    if (this.#deleted.has(path) || (this.#uncertain.has(path) && (await client.get(path)).status === 404))
      return;
    const { body } = await client.get(`${path}/results?limit=200`);
    const stored: string[] = body.data.map(({ status }: { status: string }) => status).reverse();
    const expected = words.map((word) => (word === "fail" ? "failed" : "ok"));
    // Rejected check-ins, and the last one if it was not answered, may be recorded too.
    let from = 0;
    for (const one of expected) {
      from = stored.indexOf(one, from) + 1;
      if (from === 0) throw new Error(`acknowledged ${expected}, but stored ${stored}`);
    }
    const surplus = stored.length - expected.length;
    const unanswered = this.#uncertain.has(path) ? 1 : 0;
    const rejected = this.rejected.filter((request) => request === `${path}/checkin`).length;
    if (surplus > unanswered + rejected) throw new Error(`acknowledged ${expected}, but stored ${stored}`);
  }

  /** A request that was answered 503, and then repeated, may have started a run before. */
  async #verifyRun(
    client: Client,
    rid: string,
    { id, output, hasEnded }: { id: string; output: string; hasEnded: boolean },
  ): Promise<void> {
    const path = `/api/v1/monitors/${id}/runs`;
    const { body } = await client.get(path);
    const runs = body.data.filter((run: { rid: string }) => run.rid === rid);
    const isKept = runs.some((run: { endedAt: string | null; outputBytes: number }) => {
      const isEnded = run.endedAt !== null && run.outputBytes >= output.length;
      return !hasEnded || isEnded;
    });
    if (runs.length === 0 || !isKept)
      throw new Error(
        `run ${rid}: acknowledged ${hasEnded ? "its end" : "its start"}, but stored ${JSON.stringify(runs)}`,
      );
  }

  async #verifyNotifications(client: Client): Promise<void> {
    const { body } = await client.get("/api/v1/alerts");
    const results = await this.#results(client);
    for (const channel of body.data as { id: string; config: { url: string } }[]) {
      const receiver = this.receivers.find(({ url }) => url === channel.config.url);
      if (!receiver) throw new Error(`a channel notifies ${channel.config.url}`);
      const sent = await this.#delivered(client, channel.id);
      const arrived = [...new Set(receiver.received.map(({ id }) => id))];
      const known = arrived.filter((id) => sent.includes(id));
      if (known.join() !== sent.join()) throw new Error(`sent ${sent}, but received ${arrived}`);
      for (const [result, group] of Map.groupBy(receiver.received, ({ payload }) => payload.data.result.id)) {
        const ids = new Set(group.map(({ id }) => id));
        if (ids.size > 1) throw new Error(`${result} was notified as ${[...ids]}`);
        const { monitor } = group[0]?.payload.data ?? {};
        const path = `/api/v1/monitors/${monitor?.id}`;
        if (this.#deleted.has(path) || this.#uncertain.has(path)) continue;
        if (!results.get(result))
          throw new Error(`${monitor?.name}: ${result} was notified, but is not stored`);
      }
      for (const [result, alerted] of results) {
        if (!alerted) continue;
        const count = receiver.received.filter(({ payload }) => payload.data.result.id === result).length;
        if (count === 0) throw new Error(`nobody received ${result}`);
      }
    }
  }

  /** The stored results of all monitors, each with whether channels were notified. */
  async #results(client: Client): Promise<Map<string, boolean>> {
    const { body } = await client.get("/api/v1/events?limit=200");
    return new Map(
      body.data.map(({ id, alertTriggered }: { id: string; alertTriggered: boolean }) => [
        id,
        alertTriggered,
      ]),
    );
  }

  /** Waits until no delivery of a channel is pending. @returns the IDs of the delivered ones, oldest first */
  async #delivered(client: Client, channel: string): Promise<string[]> {
    return eventually(async () => {
      const { body } = await this.#ask(() => client.get(`/api/v1/alerts/${channel}/deliveries?limit=200`));
      const all: { id: string; status: string }[] | undefined = body.data;
      if (!all || all.some(({ status }) => status === "pending")) return undefined;
      return all
        .filter(({ status }) => status === "delivered")
        .map(({ id }) => id)
        .reverse();
    });
  }

  async #become(client: Client, ids: string[], status: string): Promise<void> {
    for (const id of ids)
      await eventually(async () => {
        const { body } = await this.#ask(() => client.get(`/api/v1/monitors/${id}`));
        return body.data?.status === status;
      });
  }

  /** @returns the ID */
  async #create(client: Client, folder: string, values: NewResource): Promise<string> {
    const { body } = await this.#repeat(201, folder, () => client.post(folder, values));
    this.#names.set(`${folder}/${body.data.id}`, values.name);
    return body.data.id;
  }

  async #edit(client: Client, path: string, values: { name?: string; config?: object }): Promise<void> {
    this.#uncertain.add(path);
    await this.#repeat(200, path, () => client.patch(path, values));
    if (values.name) this.#names.set(path, values.name);
    this.#uncertain.delete(path);
  }

  async #delete(client: Client, path: string): Promise<void> {
    this.#uncertain.add(path);
    await this.#repeat(200, path, () => client.delete(path));
    this.#names.delete(path);
    this.#deleted.add(path);
    this.#uncertain.delete(path);
  }

  async #checkIn(client: Client, id: string, word: Word): Promise<void> {
    const path = `/api/v1/monitors/${id}`;
    this.#uncertain.add(path);
    await this.#repeat(200, `${path}/checkin`, () => client.get(`${path}/checkin?status=${word}`));
    this.#uncertain.delete(path);
    this.#checkins.set(id, [...(this.#checkins.get(id) ?? []), word]);
  }

  async #start(client: Client, id: string, rid: string): Promise<void> {
    const path = `/api/v1/monitors/${id}/checkin/start`;
    await this.#repeat(200, path, () => client.get(`${path}?rid=${rid}`));
    this.#runs.set(rid, { id, output: "", hasEnded: false });
  }

  async #end(client: Client, id: string, rid: string): Promise<void> {
    const path = `/api/v1/monitors/${id}/checkin/0`;
    const output = `the output of ${rid}`;
    await this.#repeat(200, path, () => client.send("POST", `${path}?rid=${rid}`, output));
    this.#runs.set(rid, { id, output, hasEnded: true });
  }

  /** Sends a request again while it is answered 503 (behavior 7.11). */
  async #repeat(expected: number, request: string, send: () => Promise<Answer>): Promise<Answer> {
    return eventually(async () => {
      const answer = await this.#ask(send);
      if (answer.status === expected) return answer;
      if (answer.status !== 503)
        throw new Error(`${request}: ${answer.status} ${JSON.stringify(answer.body)}`);
      this.rejected.push(request);
      return undefined;
    }, 300_000);
  }

  async #ask(send: () => Promise<Answer>): Promise<Answer> {
    try {
      return await send();
    } catch (cause) {
      throw new Gone("the server is gone", { cause });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.receivers.map((receiver) => receiver.close()));
    await this.site.break();
    await this.port[Symbol.asyncDispose]();
    this.dns[Symbol.dispose]();
  }
}
