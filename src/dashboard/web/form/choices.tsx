import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { Choice, ConfigField, FieldWords } from "../../../domain/schemas/schema.ts";
import { tagsIn } from "../data/monitor-lists.ts";
import { hidden, rich } from "../languages/rich.tsx";
import { texts } from "../languages/texts.ts";
import { shownValue } from "./config-field.ts";
import {
  DurationField,
  exactText,
  Field,
  SecretField,
  SelectField,
  SwitchField,
  selectMask,
  TextField,
  useFieldNotes,
} from "./fields.tsx";
import { reportChange } from "./form.tsx";

interface CheckListProps {
  legend: string;
  /** The name of the form value that has the checked values. */
  name: string;
  options: readonly { value: string; label: ReactNode; isChecked: boolean }[];
  /** A sentence instead of options, or below them. */
  children?: ReactNode;
  describedBy?: string | undefined;
  /** Called with the number of checked boxes when it changes. */
  onCount?: (count: number) => void;
}

/** Check boxes under one heading. */
export function CheckList({ legend, name, options, children, describedBy, onCount }: CheckListProps) {
  const count = ({ currentTarget }: FormEvent<HTMLElement>) =>
    onCount?.(currentTarget.querySelectorAll(":checked").length);
  return (
    <fieldset className="check-list" aria-describedby={describedBy} onInput={count}>
      <legend>{legend}</legend>
      {options.map(({ value, label, isChecked }) => (
        <label key={value}>
          <input type="checkbox" name={name} value={value} defaultChecked={isChecked} />
          {label}
        </label>
      ))}
      {children}
    </fieldset>
  );
}

interface RadioProps<Value> {
  legend: string;
  /** The name of the form value. */
  name: string;
  options: readonly { value: Value; label: string; sent?: string }[];
  value: Value;
  onChange: (value: Value) => void;
  hint?: string | undefined;
  /** Whether the buttons are beside each other. */
  isInline?: true;
}

/** Radio buttons under one heading. @property options `sent` is the form value, if it is not the value */
export function RadioList<Value extends string>({
  legend,
  name,
  options,
  value,
  onChange,
  hint,
  isInline,
}: RadioProps<Value>) {
  const { describedBy, hintBelow } = useFieldNotes(undefined, hint);
  return (
    <fieldset className={`check-list${isInline ? " check-list-inline" : ""}`} {...describedBy}>
      <legend>{legend}</legend>
      {options.map(({ value: one, label, sent = one }) => (
        <label key={one}>
          <input
            type="radio"
            name={name}
            value={sent}
            checked={one === value}
            onChange={() => onChange(one)}
          />
          {label}
        </label>
      ))}
      {hintBelow}
    </fieldset>
  );
}

interface TypeProps<Type extends string> {
  legend: string;
  options: readonly { type: Type; label: string; description?: string; icon?: ReactNode }[];
  value: Type;
  onChange: (type: Type) => void;
}

/** A tile for each type, of which one is selected. */
export function TypePicker<Type extends string>({ legend, options, value, onChange }: TypeProps<Type>) {
  return (
    <fieldset className="type-picker">
      <legend>{legend}</legend>
      {options.map(({ type, label, description, icon }) => (
        <label key={type}>
          <input
            type="radio"
            name="type"
            value={type}
            checked={type === value}
            onChange={() => onChange(type)}
          />
          <span>
            <b>
              {icon}
              {label}
            </b>
            {description && <small>{description}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface Props {
  name: string;
  label: string;
  tags: readonly string[];
  /** Tags that monitors have, the most frequent ones first. */
  known: readonly string[];
  hint?: string;
}

const MAX_OFFERED = 12;

/** Tags in one line of text, and buttons that add tags of other monitors. */
export function TagField({ name, label, tags, known, hint }: Props) {
  const [text, setText] = useState(tags.join(" "));
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => reportChange(element.current), [text]);
  const entered = tagsIn(text);
  const offered = known.filter((tag) => !entered.includes(tag)).slice(0, MAX_OFFERED);
  return (
    <div className="tag-field" ref={element}>
      <Field name={name} label={label} hint={hint}>
        {(props) => (
          <input
            {...props}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
            placeholder={texts.form.tags.example}
            {...exactText}
          />
        )}
      </Field>
      {offered.length > 0 && (
        <ul className="tag-field-offered" aria-label={texts.form.tags.ofOthers}>
          {offered.map((tag) => (
            <li key={tag}>
              <button
                type="button"
                className="button-small"
                onClick={() => setText([...entered, tag].join(" "))}
              >
                {rich(texts.form.tags.add, { hidden, tag })}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface ConfigControlProps {
  field: ConfigField;
  words: FieldWords;
  /** The place of the config in the values of the form. */
  at?: string;
  /** Its value in the config. */
  value: unknown;
  /** Called with the value of a `choice` when it changes. */
  onChoice?: (value: string) => void;
}

/** The control of a field of a config, with its label. */
export function ConfigControl({ field, words, at = "config", value, onChoice }: ConfigControlProps) {
  const { kind, choices = [], rows = 3, isShort, isSecret } = field;
  const { label, hint, example = field.example } = words;
  const shown = { name: `${at}.${field.name}`, label, hint };
  const text = shownValue(field, value);
  switch (kind) {
    case "secret":
      return <SecretField {...shown} value={text} />;
    case "choice":
      return (
        <SelectField
          {...shown}
          value={text}
          options={choices.map((choice) => ({
            value: choice.value ?? "",
            label: choiceLabel(choice, words),
          }))}
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
          {(props) => (
            <textarea
              {...props}
              rows={rows}
              defaultValue={text}
              placeholder={example}
              {...(isSecret && { "data-secret": "", onFocus: selectMask })}
              {...exactText}
            />
          )}
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

/** The label of a choice: its name, which no language translates, or its words. */
export function choiceLabel({ value = "default", label }: Choice, { choices }: FieldWords): string {
  return label ?? choices?.[value] ?? String(value);
}
