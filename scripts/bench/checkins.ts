/**
 * How many checkins a second the compiled server answers, each after it is on the disk, with a light load generator
 * beside it; beside requests that store nothing, over the same connections.
 *
 * checkins.ts [--connections N] [--seconds N] [--rounds N]
 */
import { parseArgs } from "node:util";
import type { Socket } from "bun";
import { median, quantiles, spread } from "./support/figures.ts";
import { cpuTime, createStore, serve } from "./support/processes.ts";

const MONITORS = 1000;
const { values } = parseArgs({
  options: {
    connections: { type: "string", default: "128" },
    seconds: { type: "string", default: "6" },
    rounds: { type: "string", default: "3" },
  },
});
const [connections, seconds, rounds] = [
  Number(values.connections),
  Number(values.seconds),
  Number(values.rounds),
];

interface Figures {
  perSecond: number;
  /** Milliseconds. */
  cpuEach: number;
  latencies: number[];
}

console.log(`${connections} connections, each with one request at a time, ${MONITORS} monitors, ${rounds} runs of ${seconds} s each, taking turns;
medians (least to most); counted are answers of 200 and, for checkins, rows in the database
`);
using store = await createStore(
  Array.from({ length: MONITORS }, () => ({ type: "SCHEDULED", config: { interval: 300 } })),
);
const server = await serve(store.folder, "--log-level", "warn");
const paths = {
  checkin: (at: number) => `/api/v1/monitors/${store.ids[at % MONITORS]}/checkin`,
  status: () => "/api/v1/status",
};
const found: Record<keyof typeof paths, Figures[]> = { checkin: [], status: [] };
await measure(paths.checkin, 2);
for (let round = 0; round < rounds; round++) {
  found.checkin.push(await measure(paths.checkin, seconds));
  found.status.push(await measure(paths.status, seconds));
}
await server.stop();
for (const [name, figures] of Object.entries(found)) {
  const of = (field: "perSecond" | "cpuEach", digits: number) =>
    spread(
      figures.map((one) => one[field]),
      digits,
    );
  console.log(
    `${name.padEnd(8)} ${of("perSecond", 0)} /s, ${of("cpuEach", 3)} ms CPU of the server each, ${quantiles(figures.flatMap(({ latencies }) => latencies))}`,
  );
}
const rate = (name: keyof typeof paths) => median(found[name].map(({ perSecond }) => perSecond));
console.log(
  `ratio    ${(rate("checkin") / rate("status")).toFixed(2)} x the rate of requests that only read`,
);

async function measure(pathOf: (at: number) => string, duration: number): Promise<Figures> {
  const rows = () =>
    store.query<{ count: number }>("SELECT count(*) AS count FROM check_results")[0]?.count ?? 0;
  const [before, cpu, start] = [rows(), cpuTime(server.pid), performance.now()];
  const { answered, latencies } = await load(pathOf, duration);
  const elapsed = (performance.now() - start) / 1000;
  const used = cpuTime(server.pid) - cpu;
  const stored = rows() - before;
  if (pathOf === paths.checkin && stored < answered)
    throw new Error(`${answered} answered, ${stored} stored`);
  return { perSecond: answered / elapsed, cpuEach: used / answered, latencies };
}

interface State {
  at: number;
  sentAt: number;
  done: () => void;
}

async function load(pathOf: (at: number) => string, duration: number) {
  const { hostname, port } = new URL(server.said);
  const end = performance.now() + duration * 1000;
  const latencies: number[] = [];
  let answered = 0;
  const ask = (socket: Socket<State>) => {
    if (performance.now() >= end) {
      socket.data.done();
      socket.end();
      return;
    }
    socket.data.sentAt = performance.now();
    socket.data.at += connections;
    socket.write(
      `GET ${pathOf(socket.data.at)} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${store.key}\r\n\r\n`,
    );
  };
  const one = async (at: number) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const data = { at, sentAt: 0, done: resolve };
    await Bun.connect<State>({
      hostname,
      port: Number(port),
      data,
      socket: {
        open: ask,
        data: (socket, answer) => {
          if (answer.toString("latin1", 0, 12) !== "HTTP/1.1 200") throw new Error(answer.toString());
          answered++;
          if (answered % 100 === 0) latencies.push(performance.now() - socket.data.sentAt);
          ask(socket);
        },
      },
    });
    await promise;
  };
  await Promise.all(Array.from({ length: connections }, (_, at) => one(at)));
  return { answered, latencies };
}
