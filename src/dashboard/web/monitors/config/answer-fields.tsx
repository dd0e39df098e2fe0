import { useState } from "react";
import { RadioList } from "../../form/choices.tsx";
import { exactText, Field, TextField } from "../../form/fields.tsx";
import { PairRows } from "../../form/rows.tsx";
import { fill, texts } from "../../languages/texts.ts";
import { optionsOf } from "../../ui/filters.tsx";
import { type StatusChoice, sameOf, showStatuses, statusChoiceOf } from "./request-values.ts";

/* The expected answer of a request, and the values that later steps take from it. */

/** @property at the place of the request in the values of the form */
interface Place {
  at: string | undefined;
}

/** The statuses that count as up. @param expect of the config; undefined if every answer counts */
export function StatusFields({ at = "config", expect }: Place & { expect: unknown }) {
  const initial = statusChoiceOf(expect);
  const [choice, setChoice] = useState(initial.choice);
  const { title, values, list } = texts.config.statuses;
  return (
    <>
      <RadioList
        legend={title}
        name={`${at}.up`}
        options={(Object.keys(values) as StatusChoice[]).map((value) => ({
          value,
          label: values[value].label,
          sent: initial.sent[value],
        }))}
        value={choice}
        onChange={setChoice}
        hint={values[choice].hint}
      />
      {choice === "listed" && (
        <TextField
          name={`${at}.expect.status`}
          label={list.label}
          value={showStatuses(expect)}
          example="2xx, 304, 400-404"
          hint={list.hint}
        />
      )}
    </>
  );
}

export function ExpectedHeaders({ at = "config", headers }: Place & { headers: unknown }) {
  const { title, name, contains, add } = texts.config.answerHeaders;
  return (
    <PairRows
      name={`${at}.expect.headers`}
      legend={title}
      labels={[name, contains]}
      rows={Object.entries(Object(headers) as Record<string, string>)}
      examples={["Content-Type", "application/json"]}
      add={add}
    />
  );
}

const COMPARED = ["text", "body", "json", "header"] as const;

const DETAILS: Record<string, { part: "json" | "header"; example: string }> = {
  json: { part: "json", example: "$.version" },
  header: { part: "header", example: "ETag" },
};

/** The part of an answer that is compared with earlier checks. @param same of the config */
export function SameField({ at = "config", same }: Place & { same: unknown }) {
  const stored = sameOf(same);
  const [part, setPart] = useState(stored.part as string);
  const { parts, details, ...words } = texts.config.same;
  const detail = DETAILS[part];
  return (
    <>
      <Field name={`${at}.expect.same`} label={words.label} hint={words.hint}>
        {({ id, ...props }) => (
          <div className="row">
            <select
              {...props}
              id={id}
              value={part}
              onChange={({ currentTarget }) => setPart(currentTarget.value)}
            >
              {optionsOf([
                { value: "", label: parts.none },
                ...COMPARED.map((value) => ({ value, label: parts[value] })),
              ])}
            </select>
            {detail && (
              <input
                key={part}
                {...props}
                aria-label={details[detail.part]}
                defaultValue={part === stored.part ? stored.detail : ""}
                placeholder={detail.example}
                {...exactText}
              />
            )}
          </div>
        )}
      </Field>
      {part !== "" && (
        <TextField
          name={`${at}.expect.same.keepDays`}
          label={words.usualAfter}
          kind="numeric"
          value={stored.days}
          hint={words.usualHint}
        />
      )}
    </>
  );
}

/** @param take of a step */
export function TakenValues({ at = "config", take }: Place & { take: unknown }) {
  const { title, name, source, add, hint } = texts.config.taken;
  return (
    <PairRows
      name={`${at}.take`}
      legend={title}
      labels={[name, source]}
      rows={Object.entries(Object(take) as Record<string, string>)}
      examples={["TOKEN", "$.token"]}
      add={add}
      hint={fill(hint, { token: "{{TOKEN}}" })}
    />
  );
}
