import type { MonitorType } from "../../../../domain/monitors/monitor.ts";
import type { Config } from "../../data/api.ts";
import { readConfig } from "../../form/config/config-field.ts";
import { withoutEmpty } from "../../form/form-values.ts";
import { readPairs } from "../../form/rows/pair-values.ts";
import { readJson } from "./json-expectation.ts";
import { fieldsOf, intervalField, monitorFields } from "./monitor-fields.ts";
import { expectationsOf, withStatus } from "./status-choice.ts";

/**
 * The config in a form, as the API accepts it, without empty fields.
 *
 * @param stored the config that the form showed; what was not edited stays as it is
 */
export function configOf(type: MonitorType, data: FormData, stored: Config = {}): Config {
  const fields = [...fieldsOf(monitorFields[type]), intervalField(type) ?? []].flat();
  const config = readConfig(fields, data, stored);
  return withoutEmpty({ ...config, ...others[type]?.(config, data, stored) });
}

/** What no single field has. */
const others: { [Type in MonitorType]?: (config: Config, data: FormData, stored: Config) => Config } = {
  HTTP: ({ basicAuth, expect }, data, stored) => ({
    headers: readPairs(data, "config.headers"),
    basicAuth: isEmpty(basicAuth) ? undefined : { user: "", password: "", ...(basicAuth as Config) },
    verifyTls: data.has("config.verifyTls") ? false : stored.verifyTls === true || undefined,
    expect: withStatus(
      data,
      withoutEmpty({
        ...(expect as Config),
        json: readJson(data, (expectationsOf(stored.expect).json ?? {}) as Config),
        headers: readPairs(data, "config.expect.headers"),
      }),
    ),
  }),
  // It has no field, and is shown as `•••`, which keeps it.
  SCHEDULED: (_, __, { pushToken }) => ({ pushToken }),
};

function isEmpty(part: unknown): boolean {
  return Object.keys(part as object).length === 0;
}
