import { FaultsError } from "../../domain/configuration/history.ts";
import { type Origin, parseDocument } from "../../domain/configuration/parse-document.ts";
import { fault } from "../../domain/faults/fault.ts";
import { fieldOf } from "../../domain/schemas/field-name.ts";
import { MASK } from "../../domain/schemas/mask.ts";
import { AppError } from "../../errors.ts";
import type { PrivateTargets } from "../../probes/probe-thread.ts";
import type { Store } from "../../store/store.ts";
import { confirmPatterns, hasPatterns } from "./pattern-rules.ts";

/**
 * The rules for HTTP monitors that need the settings of this server or a library that the page does not have (behavior 26.11,
 * 26.28, 26.134). Everything that saves or tests a config asks here first.
 */
export interface AccessRules {
  /**
   * @param config as a request gives it
   * @param findStored the config that it replaces, whose key it may keep. Default: none
   * @throws AppError `invalid` that names the field
   */
  confirm(config: unknown, findStored?: FindStored): Promise<void>;
  /** The same for the monitor with a ref. @throws AppError */
  confirmByRef(organizationId: string, ref: string, config: unknown): Promise<void>;
  /** The same for the monitors of a configuration document that has no other faults, or comes from a discovery. @throws FaultsError */
  confirmDocument(organizationId: string, document: unknown, origin?: Origin): Promise<void>;
}

type FindStored = () => Promise<object | undefined>;

export function createAccessRules({
  store,
  privateTargets,
}: {
  store: { monitors: Pick<Store["monitors"], "findConfigByRef"> };
  privateTargets: PrivateTargets;
}): AccessRules {
  async function confirm(config: unknown, findStored: FindStored = async () => undefined): Promise<void> {
    const { clientCertificate, proxy } = Object(config);
    if (proxy !== undefined && privateTargets === "deny")
      throw fault("privateProxy", { field: "config.proxy" });
    if (clientCertificate !== undefined) await confirmCertificate(clientCertificate, findStored);
    await confirmPatterns(config);
  }

  function confirmByRef(organizationId: string, ref: string, config: unknown): Promise<void> {
    return confirm(config, () => store.monitors.findConfigByRef(organizationId, ref));
  }

  return {
    confirm,
    confirmByRef,
    async confirmDocument(organizationId, value, origin) {
      if (!mayConcern(value)) return;
      const { document, faults } = parseDocument(value, origin);
      // They are reported with all others. In a discovery, they concern only their entries.
      if (faults.length > 0 && origin !== "discovery") return;
      const refused = [];
      for (const [ref, { config }] of document.monitors) {
        const message = await refusalOf(confirmByRef(organizationId, ref, config));
        if (message !== undefined) refused.push(asFault(ref, message));
      }
      if (refused.length > 0) throw new FaultsError(refused);
    },
  };
}

/** The library is loaded at the first use. What is no text is refused with the schema. */
async function confirmCertificate(given: unknown, findStored: FindStored): Promise<void> {
  const { certificate, key } = Object(given);
  if (typeof certificate !== "string" || typeof key !== "string") return;
  const stored = key === MASK ? await findStored() : undefined;
  const plainKey = key === MASK ? Object(stored).clientCertificate?.key : key;
  if (plainKey === undefined) return;
  const { assertKeyPair } = await import("../../key-pair.ts");
  assertKeyPair({ certificate, key: plainKey }, "config.clientCertificate");
}

/** Few documents do, and to parse one takes time. */
function mayConcern(document: unknown): boolean {
  const { defaults, monitors } = Object(document) as { defaults?: unknown; monitors?: unknown };
  const configs = [defaults, ...Object.values(Object(monitors))].map((entry) => Object(Object(entry).config));
  const concerns = ({ clientCertificate, proxy }: { clientCertificate?: unknown; proxy?: unknown }) =>
    (clientCertificate ?? proxy) !== undefined;
  return configs.some((config) => concerns(config) || hasPatterns(config));
}

async function refusalOf(confirmed: Promise<void>): Promise<string | undefined> {
  try {
    await confirmed;
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.message;
  }
}

/** @param message begins with the field */
function asFault(ref: string, message: string) {
  const [field = "", ...words] = message.split(" ");
  return { path: `${fieldOf("monitors", ref)}.${field}`, message: words.join(" ") };
}
