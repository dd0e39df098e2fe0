import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { TestServer } from "../support/product/server.ts";
import type { Client } from "../support/requests/client.ts";
import { createMonitor } from "../support/requests/monitors.ts";
import { type TestServer as Listener, silent, startServer } from "../support/servers/tcp-server.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(300_000);

const CAUSES = "/api/v1/causes";

const server = await untilEndOfFile(TestServer.start());

let hosts = 0;

/** A server at an address of its own, on several ports, that can die and come back at once. */
class Machine implements Disposable {
  #listeners: Listener[] = [];

  private constructor(
    readonly host: string,
    readonly ports: number[],
  ) {}

  static async start(ports: number): Promise<Machine> {
    const host = `127.0.${20 + hosts++}.1`;
    const listeners = await Promise.all(Array.from({ length: ports }, () => startServer(silent, { host })));
    const machine = new Machine(
      host,
      listeners.map(({ port }) => port),
    );
    machine.#listeners = listeners;
    return machine;
  }

  die(): void {
    for (const one of this.#listeners) one[Symbol.dispose]();
    this.#listeners = [];
  }

  async revive(): Promise<void> {
    for (const port of this.ports) this.#listeners.push(await startServer(silent, { host: this.host, port }));
  }

  [Symbol.dispose](): void {
    this.die();
  }
}

interface Monitor {
  id: string;
  name: string;
  type: string;
}

/** The interval is a day: later checks run only on request. */
function watch(client: Client, host: string, port: number, changes: object = {}): Promise<Monitor> {
  return createMonitor(client, "TCP", {
    ...{ name: `port ${port}`, config: { host, port, interval: 86_400, timeout: 2 } },
    ...changes,
  });
}

/** Monitors of all ports of a machine, after their first good check. */
async function watchAll(client: Client, { host, ports }: Machine, changes: object = {}): Promise<Monitor[]> {
  const monitors: Monitor[] = [];
  for (const port of ports) monitors.push(await watch(client, host, port, changes));
  for (const { id } of monitors) await untilStatus(client, id, "up");
  return monitors;
}

const untilStatus = (client: Client, id: string, wanted: string) =>
  eventually(async () => (await client.get(`/api/v1/monitors/${id}`)).body.data.status === wanted);

const check = (client: Client, { id }: Monitor) => client.post(`/api/v1/monitors/${id}/check`);

/** Checks monitors until their status is this one. */
async function checkUntil(client: Client, monitors: readonly Monitor[], status: string): Promise<void> {
  for (const one of monitors) await check(client, one);
  for (const { id } of monitors) await untilStatus(client, id, status);
}

const causes = async (client: Client, query = "") => (await client.get(`${CAUSES}${query}`)).body.data;

const outageOf = async (client: Client, { id }: Monitor) =>
  (await client.get(`/api/v1/outages?monitorId=${id}&limit=1`)).body.data[0];

describe("behavior 22.20: the facts of monitors", () => {
  test("are returned with how many monitors share each, and lead to these monitors, also for viewers", async () => {
    const client = await server.organization();
    using machine = await Machine.start(2);
    const [first, second] = (await watchAll(client, machine, { tags: ["shop"] })) as [Monitor, Monitor];
    const paths = ["address", "host", "network"] as const;
    const { body } = await client.get(`/api/v1/monitors/${first.id}/facts`);
    const network = machine.host.replace(/\.1$/, ".0/24");
    expect(body.data).toEqual([
      ...paths.map((kind) => ({
        kind,
        value: kind === "network" ? network : machine.host,
        monitorCount: 2,
      })),
      { kind: "location", value: "here", monitorCount: 2 },
      { kind: "tag", value: "shop", monitorCount: 2 },
    ]);
    const shared = [first, second].map(({ id, name, type }) => ({ id, name, type, status: "up" }));
    for (const { kind, value } of body.data) {
      const query = new URLSearchParams({ kind, value });
      expect((await client.get(`/api/v1/facts?${query}`)).body.data).toEqual(shared);
    }
  });

  test("are none for a job, and nothing of another organization is shown", async () => {
    const client = await server.organization();
    const job = await createMonitor(client, "SCHEDULED");
    expect((await client.get(`/api/v1/monitors/${job.id}/facts`)).body).toEqual({ data: [] });
    using machine = await Machine.start(1);
    const [{ id }] = (await watchAll(client, machine)) as [Monitor];
    const other = await server.organization();
    expect((await other.get(`/api/v1/monitors/${id}/facts`)).status).toBe(404);
    expect((await other.get(`/api/v1/facts?kind=address&value=${machine.host}`)).body).toEqual({ data: [] });
    for (const query of ["", "kind=address", "kind=color&value=red", "kind=tag&value="])
      expect((await client.get(`/api/v1/facts?${query}`)).status).toBe(422);
  });
});

describe("behavior 22.21 to 22.23: a cause", () => {
  test("is what monitors share that die together: the others are checked at once, and all recover", async () => {
    const client = await server.organization();
    using machine = await Machine.start(6);
    using healthy = await Machine.start(1);
    const monitors = await watchAll(client, machine, { tags: ["shop"] });
    await watchAll(client, healthy, { tags: ["shop"] });
    machine.die();
    await checkUntil(client, monitors.slice(0, 3), "down");
    const [cause] = await eventually(async () => {
      const found = await causes(client, "?open=true");
      return found[0]?.monitorCount === 6 && found;
    });
    expect(cause).toEqual({
      ...{ id: expect.any(String), kind: "address", value: machine.host },
      ...{ title: `6 monitors at ${machine.host}`, startedAt: expect.any(String) },
      ...{ endedAt: null, refutedAt: null, monitorCount: 6 },
      monitors: monitors.map(({ id, name, type }) => ({ id, name, type })),
    });
    const first = await outageOf(client, monitors[0] as Monitor);
    expect(cause.startedAt).toBe(first.startedAt);
    const { id, kind, value, title } = cause;
    for (const monitor of monitors)
      expect((await outageOf(client, monitor)).cause).toEqual({ id, kind, value, title });
    expect((await client.get(`${CAUSES}/${id}`)).body.data).toEqual(cause);
    await machine.revive();
    await checkUntil(client, monitors, "up");
    const [ended] = await eventually(async () => {
      const found = await causes(client, "?open=false");
      return found.length > 0 && found;
    });
    const ends = await Promise.all(monitors.map(async (one) => (await outageOf(client, one)).endedAt));
    expect(ended).toEqual({ ...cause, endedAt: ends.sort().at(-1) });
    expect((await outageOf(client, monitors[0] as Monitor)).cause).toEqual({ id, kind, value, title });
    expect(await causes(client, "?open=true")).toEqual([]);
  });

  test("is not known if a healthy monitor shares everything, or if only two fail", async () => {
    const client = await server.organization();
    using machine = await Machine.start(3);
    const monitors = await watchAll(client, machine);
    using other = await startServer(silent, { host: machine.host });
    const healthy = await watch(client, machine.host, other.port);
    await untilStatus(client, healthy.id, "up");
    using machines = await Machine.start(2);
    const two = await watchAll(client, machines);
    machine.die();
    await checkUntil(client, monitors, "down");
    // The healthy one was checked again, so that it decides.
    const results = `/api/v1/monitors/${healthy.id}/results`;
    await eventually(async () => (await client.get(results)).body.data.length > 1);
    machines.die();
    await checkUntil(client, two, "down");
    expect(await causes(client)).toEqual([]);
    expect((await outageOf(client, monitors[0] as Monitor)).cause).toBeNull();
  });

  test("is joined by a monitor that fails later, and ends if a healthy one shows that it is none", async () => {
    const client = await server.organization();
    using machine = await Machine.start(5);
    const monitors = await watchAll(client, machine);
    const late = monitors.slice(3) as [Monitor, Monitor];
    for (const { id } of late) await client.patch(`/api/v1/monitors/${id}`, { enabled: false });
    machine.die();
    await checkUntil(client, monitors.slice(0, 3), "down");
    await eventually(async () => (await causes(client))[0]?.monitorCount === 3);
    await client.patch(`/api/v1/monitors/${late[0].id}`, { enabled: true });
    const [joined] = await eventually(async () => {
      const found = await causes(client);
      return found[0]?.monitorCount === 4 && found;
    });
    expect(joined).toMatchObject({ title: `4 monitors at ${machine.host}`, endedAt: null });
    expect((await outageOf(client, late[0])).cause.id).toBe(joined.id);
    using _back = await startServer(silent, { host: machine.host, port: machine.ports[4] ?? 0 });
    await client.patch(`/api/v1/monitors/${late[1].id}`, { enabled: true });
    const [refuted] = await eventually(async () => {
      const found = await causes(client);
      return found[0]?.refutedAt !== null && found;
    });
    expect(refuted).toMatchObject({ id: joined.id, monitorCount: 4, endedAt: refuted.refutedAt });
    for (const one of monitors.slice(0, 4)) expect((await outageOf(client, one)).cause).toBeNull();
    expect(await causes(client, "?open=true")).toEqual([]);
  });

  test("of another organization is not found, and pages are as elsewhere", async () => {
    const client = await server.organization();
    expect((await client.get(`${CAUSES}/none`)).status).toBe(404);
    expect((await client.get(CAUSES)).body).toEqual({ data: [], cursor: null });
    for (const query of ["open=yes", "limit=0", "cursor=x"])
      expect((await client.get(`${CAUSES}?${query}`)).status).toBe(422);
  });
});
