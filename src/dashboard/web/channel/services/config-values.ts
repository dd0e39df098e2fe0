import type { Config } from "../../data/api.ts";
import { readConfig } from "../../form/config/config-field.ts";
import { withoutEmpty } from "../../form/form-values.ts";
import { readPairs } from "../../form/rows/pair-values.ts";
import { isFormat, type Service } from "./service.ts";
import { serviceFields } from "./service-fields.ts";

/**
 * The config in a form, as the API accepts it, without empty fields (behavior 16.172).
 *
 * @param stored the config that the form showed; what was not edited stays as it is
 */
export function configOf(service: Service, data: FormData, stored: Config = {}): Config {
  return withoutEmpty({
    options: stored.options,
    ...readConfig(serviceFields[service], data, stored),
    ...(isFormat(service) && {
      format: service === "standard" ? stored.format : service,
      headers: readPairs(data, "config.headers"),
    }),
  });
}
