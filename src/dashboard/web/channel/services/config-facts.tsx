import { MASK } from "../../../../domain/schemas/mask.ts";
import type { Config } from "../../data/api.ts";
import { type ConfigField, storedValue } from "../../form/config/config-field.ts";
import { Fact } from "../../ui/fact.tsx";
import type { Service } from "./service.ts";
import { serviceFields } from "./service-fields.ts";

/** The config of a channel, in the words of its service. */
export function ConfigFacts({ service, config }: { service: Service; config: Config }) {
  const { headers } = config;
  const facts = serviceFields[service]
    .map((field) => ({ field, value: storedValue(field, config) }))
    .filter(({ value }) => value !== undefined);
  return (
    <>
      {facts.map(({ field, value }) => (
        <Fact key={field.name} name={field.label}>
          {field.kind === "text-area" ? (
            <code className="channel-body">{String(value)}</code>
          ) : (
            wordsOf(field, value)
          )}
        </Fact>
      ))}
      {headers !== undefined && (
        <Fact name="Request headers">{Object.keys(headers as object).join(", ")}</Fact>
      )}
    </>
  );
}

function wordsOf({ name, kind, choices }: ConfigField, value: unknown): string {
  // The secret of a signature is not masked by the API.
  if (kind === "secret" || name === "secret") return MASK;
  const choice = kind === "choice" ? choices?.find((one) => one.value === value) : undefined;
  return choice?.label ?? [value].flat().join(", ");
}
