/**
 * 500 jobs of one channel report a failure at once, and then a success. For each type of channel: how many messages arrive,
 * when the first one arrives after the first answered check-in, and when all 500 notifications are recorded as delivered. Every
 * receiver is on this machine. A webhook, which gets each notification alone, is the comparison.
 *
 * The goal (behavior 14.63, 14.66): at most 3 messages on a channel that people read, the first within a second.
 *
 * storms.ts [transitions]
 */

import { listenForMail } from "./support/mail-sink.ts";
import { createStore, serve } from "./support/processes.ts";

const TRANSITIONS = Number(process.argv[2] ?? 500);
const TYPES = ["SLACK", "DISCORD", "TEAMS", "EMAIL", "WEBHOOK"] as const;
type Type = (typeof TYPES)[number];

/** Milliseconds from the goal above, and the most messages. */
const [FIRST_WITHIN, MAX_MESSAGES] = [1000, 3];

let arrivals: number[] = [];
const arrived = () => void arrivals.push(Date.now());
const receiver = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: receive });
const mail = await listenForMail(arrived);

console.log(`${TRANSITIONS} transitions at once, each round on one channel`);
let isMissed = false;
for (const type of TYPES) await measure(type);
await receiver.stop(true);
mail.stop();
process.exit(isMissed ? 1 : 0);

async function measure(type: Type): Promise<void> {
  const job = { type: "SCHEDULED" as const, config: { interval: 300 } };
  using store = await createStore(Array.from({ length: TRANSITIONS }, () => job));
  store.query(`
    INSERT INTO alert_channels (id, organization_pk, name, type, config, enabled, notify_on, created_at, updated_at)
    VALUES ('bench', 1, 'bench', '${type}', '${JSON.stringify(configOf(type))}', 1, '["down","warning","healthy"]', 0, 0)`);
  store.query("INSERT INTO alert_bindings (monitor_pk, channel_pk) SELECT pk, 1 FROM monitors");
  const smtp = ["--smtp-url", mail.url, "--smtp-from", "stillup@example.com"];
  const server = await serve(store.folder, "--log-level", "error", ...smtp);
  for (const status of ["fail", "ok"]) {
    arrivals = [];
    const start = Date.now();
    const url = (id: string) => `${server.said}/api/v1/monitors/${id}/checkin?status=${status}`;
    const answers = await Promise.all(store.ids.map((id) => fetch(url(id)).then(() => Date.now())));
    while (waiting() > 0) await Bun.sleep(5);
    report(`${type.padEnd(7)} ${status.padEnd(4)}`, { type, start, answers });
    // The pace of the channel begins again.
    await Bun.sleep(3000);
  }
  await server.stop();

  function waiting(): number {
    return store.query<{ n: number }>("SELECT count(*) AS n FROM deliveries WHERE status = 0")[0]?.n ?? 0;
  }
}

/** @param answers when each check-in was answered, and so recorded before */
function report(
  label: string,
  { type, start, answers }: { type: Type; start: number; answers: number[] },
): void {
  const [firstAnswer, lastAnswer] = [Math.min(...answers) - start, Math.max(...answers) - start];
  const first = (arrivals[0] ?? Number.NaN) - start - firstAnswer;
  const isGoal = type === "WEBHOOK" || (arrivals.length <= MAX_MESSAGES && first <= FIRST_WITHIN);
  isMissed ||= !isGoal;
  console.log(
    `${label} ${String(arrivals.length).padStart(3)} messages, the first ${first} ms after the first answer, all recorded ` +
      `after ${Date.now() - start} ms; check-ins answered after ${firstAnswer} to ${lastAnswer} ms${isGoal ? "" : ": MISSED"}`,
  );
}

/** Without TLS and on another host than the API allows. */
function configOf(type: Type): object {
  if (type === "EMAIL") return { to: "ops@example.com" };
  return type === "WEBHOOK" ? { url: receiver.url.href } : { webhookUrl: receiver.url.href };
}

async function receive(request: Request): Promise<Response> {
  arrived();
  await request.arrayBuffer();
  return new Response("ok");
}
