import { FaultsError } from "../../domain/configuration/history.ts";
import { type Origin, parseDocument } from "../../domain/configuration/parse-document.ts";
import type { MonitorConfig } from "../../domain/monitors/monitor.ts";
import { fieldOf } from "../../domain/schemas/field-name.ts";
import { AppError } from "../../errors.ts";
import type { RegistrationService } from "./registration-service.ts";

/** Confirms the monitors of a document at the same time, so that all of them wait for 10 seconds at most. @throws FaultsError */
export async function confirmMonitors(
  value: unknown,
  { confirm }: Pick<RegistrationService, "confirm">,
  origin?: Origin,
): Promise<void> {
  const { document, faults } = parseDocument(value, origin);
  // They are reported with all others. In a discovery, they concern only their entries.
  if (faults.length > 0 && origin !== "discovery") return;
  const hosts = [...document.monitors].flatMap(([ref, { type, config }]) => {
    const { host, registration } = config as MonitorConfig<"TLS">;
    return type === "TLS" && registration !== undefined ? [{ ref, host }] : [];
  });
  const refused = await Promise.all(
    hosts.map(async ({ ref, host }) => {
      const message = await refusalOf(confirm(host));
      const path = `${fieldOf("monitors", ref)}.config.registration`;
      return message === undefined ? [] : [{ path, message }];
    }),
  );
  if (refused.flat().length > 0) throw new FaultsError(refused.flat());
}

/** The message without the field that it begins with. */
async function refusalOf(confirmed: Promise<void>): Promise<string | undefined> {
  try {
    await confirmed;
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.message.replace(/^config\.registration /, "");
  }
}
