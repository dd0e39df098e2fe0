import { useState } from "react";
import type { Config } from "../../data/api.ts";
import { Disclosure } from "../../form/disclosure.tsx";
import { Field, SecretField, TextField } from "../../form/fields.tsx";
import { HeaderRows } from "../../form/rows/header-rows.tsx";
import { shownValue, storedValue } from "./config-values.ts";
import { isFormat, type Service } from "./service.ts";
import { type ServiceField, serviceFields } from "./service-fields.ts";

interface Props {
  service: Service;
  /** The stored config; undefined for a new channel. */
  config: Config | undefined;
}

/** The fields of the config of a service. */
export function ConfigFields({ service, config }: Props) {
  const [method, setMethod] = useState(String((config?.options as Config | undefined)?.method ?? ""));
  const fields = serviceFields[service].map((field) => ({
    ...field,
    value: config ? storedValue(field, config) : field.initial,
  }));
  const onChoice = (name: string, value: string) => name === "options.method" && setMethod(value);
  const controlOf = (field: (typeof fields)[number]) => {
    const control = <Control key={field.name} field={field} value={field.value} onChoice={onChoice} />;
    if (field.name !== "options.body") return control;
    const hasNoBody = method === "GET";
    // Disabled, so that the form has no value for it, and not removed, so that it keeps what was entered.
    return (
      <fieldset key={field.name} disabled={hasNoBody} hidden={hasNoBody}>
        {control}
      </fieldset>
    );
  };
  const isEdited = ({ value, initial }: (typeof fields)[number]) => value !== undefined && value !== initial;
  const rare = fields.filter(({ isRare }) => isRare);
  return (
    <>
      {fields.filter(({ isRare }) => !isRare).map(controlOf)}
      {isFormat(service) && (
        <Disclosure
          summary={rare.length > 0 ? "More settings" : "Request headers"}
          isOpen={rare.some(isEdited) || config?.headers !== undefined}
        >
          {rare.map(controlOf)}
          <HeaderRows config={config ?? {}} />
        </Disclosure>
      )}
    </>
  );
}

interface ControlProps {
  field: ServiceField;
  value: unknown;
  onChoice: (name: string, value: string) => void;
}

function Control({ field, value, onChoice }: ControlProps) {
  const { name, label, kind, hint, example, choices } = field;
  const shown = { name: `config.${name}`, label, hint };
  const text = shownValue(field, value);
  if (kind === "secret") return <SecretField {...shown} value={text} />;
  if (kind === "choice") {
    return (
      <Field {...shown}>
        {(props) => (
          <select
            {...props}
            defaultValue={text}
            onChange={({ currentTarget }) => onChoice(name, currentTarget.value)}
          >
            {choices?.map(({ value: choice = "", label }) => (
              <option key={choice} value={choice}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
    );
  }
  if (kind === "lines" || kind === "text-area") {
    return (
      <Field {...shown}>
        {(props) => (
          <textarea {...props} rows={kind === "lines" ? 3 : 6} defaultValue={text} spellCheck={false} />
        )}
      </Field>
    );
  }
  return (
    <TextField
      {...shown}
      value={text}
      example={example}
      kind={kind === "number" ? "numeric" : (kind ?? "text")}
    />
  );
}
