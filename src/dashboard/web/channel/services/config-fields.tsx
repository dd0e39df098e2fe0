import { useState } from "react";
import type { Config } from "../../data/api.ts";
import { ConfigControl } from "../../form/config/config-control.tsx";
import { storedValue } from "../../form/config/config-field.ts";
import { Disclosure } from "../../form/disclosure.tsx";
import { HeaderRows } from "../../form/rows/header-rows.tsx";
import { isFormat, type Service } from "./service.ts";
import { serviceFields } from "./service-fields.ts";

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
  const controlOf = (field: (typeof fields)[number]) => {
    const control = (
      <ConfigControl
        key={field.name}
        field={field}
        value={field.value}
        {...(field.name === "options.method" && { onChoice: setMethod })}
      />
    );
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
