import { once } from "node:events";
import { Command } from "commander";
import { createApp } from "../app.ts";
import { type Flags, processSurroundings, readServiceManager, serveSettings } from "../config.ts";
import { createLogger } from "../log.ts";
import { configOf, withSettings } from "./options.ts";
import { notifyServiceManager } from "./service-manager.ts";

export function serveCommand(): Command {
  const command = new Command("serve").description("run the API, the page, checks and alerts in one process");
  return withSettings(command, serveSettings).action(serve);
}

/**
 * Runs until SIGTERM or SIGINT (behavior 9.18). SIGHUP reads the certificate again (behavior 9.12). On a terminal without
 * a certificate, SIGHUP means that the terminal was closed, and stops the server.
 */
async function serve(flags: Flags): Promise<void> {
  const config = configOf(flags);
  const log = createLogger({ level: config.logLevel, format: config.logFormat });
  const stopSignal = Promise.race([once(process, "SIGTERM"), once(process, "SIGINT")]);
  const created = createApp(config, log);
  // An embedded database is opened at once. A start that waits for another one can be stopped.
  const app = await (config.databaseUrl === undefined ? created : Promise.race([created, stopSignal]));
  if (Array.isArray(app)) return;
  const hungUp = Promise.withResolvers<void>();
  process.on("SIGHUP", process.stdout.isTTY && !config.tls ? hungUp.resolve : app.renewCertificate);
  const { url, initialKey } = await app.start();
  if (initialKey && process.stdout.isTTY) process.stdout.write(`The owner key: ${initialKey}\n`);
  if (initialKey)
    log.info({ file: `${config.dataDir}/initial-owner-key` }, "created the first organization and its key");
  process.stdout.write(`stillup is listening on ${url}\n`);
  const manager = readServiceManager(processSurroundings().env, process.pid);
  const stopNotifying =
    manager &&
    notifyServiceManager(manager, {
      status: `Listening on ${url}`,
      isAlive: () => app.health().probes === "ok",
      log,
    });
  await Promise.race([stopSignal, hungUp.promise]);
  log.info("stopping");
  stopNotifying?.();
  await app.stop();
}
