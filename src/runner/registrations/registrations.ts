import type { Origin } from "../../domain/configuration/parse-document.ts";
import type { MonitorConfig } from "../../domain/monitors/monitor.ts";
import {
  type KnownRegistration,
  type RegistrationDetail,
  registrationDetail,
} from "../../domain/registration/registration.ts";
import type { createRegistrationService, RegistrationService } from "./registration-service.ts";

/**
 * The registrations of the domains of TLS monitors that ask for it (behavior 20.70). Nothing of it is loaded before one does, or
 * before the operator has given the URL of a list.
 */
export interface Registrations {
  /** Begins to read the list of the operator. */
  start(): void;
  /** Finds the registration for a check of a config; undefined at once if the config does not ask for it. */
  find(config: object): Promise<KnownRegistration | undefined> | undefined;
  /**
   * Before a config is saved (behavior 20.72).
   *
   * @throws AppError `invalid` if its registry can't say when the domain expires
   */
  confirm(config: object): Promise<void>;
  /** The same for the monitors of a configuration document that has no other faults. @throws FaultsError */
  confirmDocument(document: unknown, origin?: Origin): Promise<void>;
  /** For the answer to a request about a monitor; without a field if its config does not ask for it. */
  shown(config: object): Promise<{ registration?: RegistrationDetail | null }>;
  stop(): Promise<void>;
}

export function createRegistrations(parts: Parameters<typeof createRegistrationService>[0]): Registrations {
  let loaded: Promise<RegistrationService> | undefined;

  function load(): Promise<RegistrationService> {
    loaded ??= import("./registration-service.ts").then((module) => module.createRegistrationService(parts));
    return loaded;
  }

  return {
    start() {
      const { source } = parts.settings;
      if (source && "url" in source) void load();
    },
    find(config) {
      return asksForIt(config) ? load().then((service) => service.find(config.host)) : undefined;
    },
    async confirm(config) {
      if (asksForIt(config)) await (await load()).confirm(config.host);
    },
    async confirmDocument(document, origin) {
      if (!mayAskForIt(document)) return;
      const { confirmMonitors } = await import("./confirm-document.ts");
      await confirmMonitors(document, await load(), origin);
    },
    async shown(config) {
      if (!asksForIt(config)) return {};
      const known = await (await load()).peek(config.host);
      return { registration: known ? registrationDetail(known) : null };
    },
    async stop() {
      await (await loaded)?.stop();
    },
  };
}

/** Few documents do, and to parse one takes time. */
function mayAskForIt(document: unknown): boolean {
  const { defaults, monitors } = Object(document) as { defaults?: unknown; monitors?: unknown };
  const configs = [defaults, ...Object.values(Object(monitors))].map((entry) => Object(entry).config);
  return configs.some((config) => Object(config).registration !== undefined);
}

function asksForIt(config: object): config is MonitorConfig<"TLS"> {
  return "registration" in config && config.registration !== undefined && "host" in config;
}
