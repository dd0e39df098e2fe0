import { useRef, useState } from "react";
import type { Config } from "../../data/api.ts";
import { TextField } from "../../form/fields.tsx";
import { useFormData } from "../../form/form.tsx";
import { textOf } from "../../form/form-values.ts";

const USUAL_DAYS = 14;

/** Whether, and how many days before its end, a certificate makes the monitor Degraded. It needs HTTPS. */
export function ExpiryField({ config, isNew }: { config: Config; isNew: boolean }) {
  const element = useRef<HTMLDivElement>(null);
  const data = useFormData(element);
  const [isOn, setOn] = useState(isNew || config.expiryWarning !== undefined);
  const url = data ? textOf(data, "config.url") : config.url;
  const isPlain = /^http:/i.test(String(url));
  return (
    <div className="form-fields" ref={element}>
      <div className="check-list">
        <label>
          <input
            type="checkbox"
            name="expires"
            checked={isOn && !isPlain}
            disabled={isPlain}
            onChange={({ target }) => setOn(target.checked)}
          />
          Also warn before the certificate expires
        </label>
      </div>
      {isOn && !isPlain && (
        <TextField
          name="config.expiryWarning"
          label="Degraded: … days before its end"
          kind="numeric"
          value={config.expiryWarning ?? USUAL_DAYS}
        />
      )}
    </div>
  );
}
