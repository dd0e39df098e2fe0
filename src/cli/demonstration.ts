import { type App, createApp } from "../app.ts";
import { type Config, processSurroundings, readServiceManager } from "../config.ts";
import { HOUR } from "../domain/duration.ts";
import { isTerminal, type Logger, writeToOutput } from "../log.ts";
import { drain, notifyServiceManager, stopped } from "./service-manager.ts";

/** Milliseconds between two looks at the clock, which may be set. */
const LOOK_EVERY = 1000;

/**
 * Runs a demonstration until SIGTERM or SIGINT (behavior 24.20). At each full hour another one takes its place: what visitors have changed is
 * gone.
 */
export async function serveDemonstration(config: Config, log: Logger): Promise<void> {
  const stopSignal = stopped().then(() => true);
  const settings = { ...config, port: config.port || freePort(config.host) };
  let app = await createApp(settings, log);
  const hungUp = Promise.withResolvers<boolean>();
  const isRenewable = config.tls !== undefined || !isTerminal(1);
  process.on("SIGHUP", () => (isRenewable ? app.renewCertificate() : hungUp.resolve(true)));
  const { url } = await app.start();
  writeToOutput(`stillup is listening on ${url}`);
  log.warn("this is a demonstration: anybody may look and change, and nothing is kept");
  const manager = readServiceManager(processSurroundings().env, process.pid);
  const stopNotifying =
    manager &&
    notifyServiceManager(manager, {
      status: `Demonstration on ${url}`,
      isAlive: () => app.health().probes !== "failing",
      log,
    });
  while (!(await Promise.race([stopSignal, hungUp.promise, fullHour(app)]))) {
    app = await replaced(app, settings, log);
  }
  await drain(app, config.drain, log);
  log.info("stopping");
  stopNotifying?.();
  await app.stop();
}

/** Resolves at the next full hour. */
async function fullHour({ clock }: Pick<App, "clock">): Promise<false> {
  const hour = () => Math.floor(clock.now() / HOUR);
  const begun = hour();
  while (hour() === begun) await clock.sleep(LOOK_EVERY);
  return false;
}

/** The next one has its examples before the previous one stops, so that requests are refused for a moment only. */
async function replaced(previous: App, settings: Config, log: Logger): Promise<App> {
  const next = await createApp(settings, log);
  // Visitors may have filled its database, so that its last results can't be written.
  await previous.stop().catch((err) => log.warn({ err }, "the previous demonstration did not stop cleanly"));
  await next.start();
  log.info("the demonstration has started again");
  return next;
}

/** A port that stays the same when the demonstration starts again; 0 for a host that can't be listened on, which the start says. */
function freePort(hostname: string): number {
  try {
    const listener = Bun.listen({ hostname, port: 0, socket: { data() {} } });
    listener.stop(true);
    return listener.port;
  } catch {
    return 0;
  }
}
