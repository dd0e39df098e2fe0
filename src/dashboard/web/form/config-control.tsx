import { type ConfigField, shownValue } from "./config-field.ts";
import { DurationField, Field, SecretField, SelectField, SwitchField, TextField } from "./fields.tsx";

interface Props {
  field: ConfigField;
  /** Its value in the config. */
  value: unknown;
  /** Called with the value of a `choice` when it changes. */
  onChoice?: (value: string) => void;
}

/** The control of a field of a config, with its label. */
export function ConfigControl({ field, value, onChoice }: Props) {
  const { label, kind, hint, example, choices = [], rows = 3, isShort, isSecret } = field;
  const shown = { name: `config.${field.name}`, label, hint };
  const text = shownValue(field, value);
  switch (kind) {
    case "secret":
      return <SecretField {...shown} value={text} />;
    case "choice":
      return (
        <SelectField
          {...shown}
          value={text}
          options={choices.map(({ value = "", label }) => ({ value, label }))}
          className={isShort && "field-short"}
          onChange={onChoice}
        />
      );
    case "switch":
      return <SwitchField {...shown} isOn={value === true} />;
    case "lines":
    case "texts":
    case "text-area":
      return (
        <Field {...shown}>
          {(props) => <textarea {...props} rows={rows} defaultValue={text} spellCheck={false} />}
        </Field>
      );
    case "duration":
      return <DurationField {...shown} seconds={value} />;
    case "number":
      return <TextField {...shown} value={text} kind="numeric" example={example} />;
    case "url":
    case "email":
      return <TextField {...shown} value={text} kind={kind} example={example} isSecret={isSecret} />;
    default:
      return <TextField {...shown} value={text} example={example} isSecret={isSecret} />;
  }
}
