import { Command } from "commander";
import { createApp, type OwnerInvite } from "../app.ts";
import {
  assertDiscoverable,
  type Config,
  type Flags,
  processSurroundings,
  readDemoConfig,
  readServiceManager,
  serveSettings,
} from "../config.ts";
import { FileFaults } from "../configuration-file/source-fault.ts";
import { formatTime } from "../domain/alerts/alert-event.ts";
import { iso } from "../domain/iso-time.ts";
import { isTerminal, type Logger, writeToOutput } from "../log.ts";
import { configOf, createsDataDir, Exit, say, withSettings } from "./options.ts";
import { chosenLogger, drain, notifyServiceManager, stopped } from "./service-manager.ts";

export function serveCommand(): Command {
  const command = new Command("serve").description("run the API, the page, checks and alerts in one process");
  return withSettings(command, serveSettings, createsDataDir)
    .option("--demo", DEMO_HELP)
    .action(({ demo, ...flags }: Flags & { demo?: true }) => (demo ? serveDemo(flags) : serve(flags)));
}

const DEMO_HELP =
  "a demonstration: with example monitors in memory, which anybody may look at and change, and which starts again at each full hour; it checks only itself and sends nothing";

/** @throws UsageError for the flags of a database */
async function serveDemo(flags: Flags): Promise<void> {
  const config = readDemoConfig(flags, processSurroundings());
  const { serveDemonstration } = await import("./demonstration.ts");
  await serveDemonstration(config, await chosenLogger(config));
}

/** @throws Exit with 2 if the configuration file can't be applied at the start (behavior 16.81) */
async function serve(flags: Flags): Promise<void> {
  const config = configOf(flags);
  await assertDiscoverable(flags, config);
  try {
    await serveUntilStopped(config);
  } catch (error) {
    if (!(error instanceof FileFaults)) throw error;
    say(`stillup: the configuration file ${config.configuration?.file} can't be applied`);
    say(error.message);
    throw new Exit(2);
  }
}

/**
 * Runs until SIGTERM or SIGINT (behavior 9.18). SIGHUP reads the certificate again (behavior 9.12), and applies the
 * configuration file and what runs here again (behavior 16.82, 28.70). On a terminal without all of them, SIGHUP means that the terminal was closed, and stops
 * the server.
 */
async function serveUntilStopped(config: Config): Promise<void> {
  const stopSignal = stopped();
  const log = await chosenLogger(config);
  const created = createApp(config, log);
  // An embedded database is opened at once. A start that waits for another one can be stopped.
  const app = await (config.databaseUrl === undefined ? created : Promise.race([created, stopSignal]));
  if (app === undefined) return;
  const hungUp = Promise.withResolvers<void>();
  const isRenewable = config.tls || config.configuration || config.discover || !isTerminal(1);
  process.on("SIGHUP", isRenewable ? () => renew(app, config) : hungUp.resolve);
  const { url, initialKey } = await app.start();
  if (initialKey && isTerminal(1)) writeToOutput(`The owner key: ${initialKey}`);
  if (initialKey)
    log.info({ file: `${config.dataDir}/initial-owner-key` }, "created the first organization and its key");
  writeToOutput(`stillup is listening on ${url}`);
  await app.showOwnerInvite((invite) => showOwnerInvite(invite, log));
  const manager = readServiceManager(processSurroundings().env, process.pid);
  const stopNotifying =
    manager &&
    notifyServiceManager(manager, {
      status: `Listening on ${url}`,
      isAlive: () => app.health().probes !== "failing",
      log,
    });
  const outdated = await Promise.race([stopSignal, hungUp.promise, app.outdated]);
  if (outdated) log.error(`${outdated.message}; this one stops`);
  else await drain(app, config.drain, log);
  log.info("stopping");
  stopNotifying?.();
  await app.stop();
  if (outdated) throw new Exit(1);
}

/** Prints the link on a terminal, and otherwise logs it, unless the log has no warnings (behavior 24.2). */
function showOwnerInvite({ email, url, expiresAt }: OwnerInvite, log: Logger): void {
  const until = formatTime(expiresAt);
  if (isTerminal(1) || !log.isLevelEnabled("warn"))
    writeToOutput(`The invitation of ${email}, which works once, until ${until}: ${url}`);
  else log.warn({ email, url, expiresAt: iso(expiresAt) }, OWNER_INVITED);
}

const OWNER_INVITED = "invited the first owner: open the link to choose how to sign in; it works once";

function renew(app: Awaited<ReturnType<typeof createApp>>, { tls, configuration, discover }: Config): void {
  const isConfigured = configuration !== undefined || discover !== undefined;
  if (isConfigured) void app.renewConfiguration();
  if (tls || !isConfigured) app.renewCertificate();
}
