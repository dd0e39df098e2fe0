import { declarations } from "../../../domain/alerts/services/registry.ts";
import { type Declaration, SECRET, type ServiceOption } from "../../../domain/alerts/services/service.ts";
import type { WebhookFormat } from "../../../domain/alerts/webhook-format.ts";
import type { Config } from "../data/api.ts";
import { type ConfigField, readConfig } from "../form/config-field.ts";
import { readPairs, withoutEmpty } from "../form/form-values.ts";
import { isFormat, type Service } from "./service.ts";

/** The fields of the config of each service except `headers`, in the order of the form. */
export const serviceFields: Record<Service, readonly ConfigField[]> = {
  SLACK: [webhookUrl("An incoming webhook: https://hooks.slack.com/…")],
  DISCORD: [webhookUrl("From the settings of the channel: https://discord.com/api/webhooks/…")],
  TEAMS: [webhookUrl("From a workflow “When a webhook request is received”.")],
  EMAIL: [{ name: "to", label: "Address", kind: "email" }],
  ...declaredFields(),
};

function webhookUrl(hint: string): ConfigField {
  return { name: "webhookUrl", label: "Webhook URL", kind: "url", isSecret: true, hint };
}

function declaredFields(): Record<WebhookFormat, ConfigField[]> {
  const byFormat = Object.entries<Declaration>(declarations).map(([format, one]) => [format, fieldsOf(one)]);
  const { standard = [], ...others }: Record<string, ConfigField[]> = Object.fromEntries(byFormat);
  const signature: ConfigField = {
    name: "secret",
    label: "Secret",
    hint: "Signs the messages (Standard Webhooks). Optional.",
    isSecret: true,
  };
  return { ...others, standard: [...standard, signature] } as Record<WebhookFormat, ConfigField[]>;
}

/** The address first, unless most readers use the service at its own address. */
function fieldsOf({ url, options }: Declaration): ConfigField[] {
  const { usual: initial, holdsToken: _, ...shown } = url;
  const address: ConfigField = { name: "url", kind: "url", ...shown };
  const fields = Object.entries(options).flatMap(([name, option]) => optionField(name, option));
  return initial === undefined ? [address, ...fields] : [...fields, { ...address, initial, isRare: true }];
}

function optionField(name: string, { label, schema, ...shown }: ServiceOption): ConfigField[] {
  if (label === undefined) return [];
  return [{ name: `options.${name}`, label, ...kindOf({ schema, ...shown }), ...shown }];
}

function kindOf({ schema, choices }: ServiceOption): Pick<ConfigField, "kind"> {
  if (schema.format === SECRET) return { kind: "secret" };
  if (choices) return { kind: "choice" };
  return schema.type === "integer" ? { kind: "number" } : {};
}

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
