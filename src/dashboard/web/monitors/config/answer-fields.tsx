import { useState } from "react";
import { RadioList } from "../../form/choices.tsx";
import { exactText, Field, TextField } from "../../form/fields.tsx";
import { PairRows } from "../../form/rows.tsx";
import { optionsOf } from "../../ui/filters.tsx";
import { type StatusChoice, sameOf, showStatuses, statusChoiceOf } from "./request-values.ts";

/* The expected answer of a request, and the values that later steps take from it. */

/** @property at the place of the request in the values of the form */
interface Place {
  at: string | undefined;
}

const words: Record<StatusChoice, { label: string; hint: string }> = {
  success: {
    label: "An answer with a status of 2xx (success)",
    hint: "An error (4xx, 5xx), a redirect that is not followed, and no answer are Down.",
  },
  listed: { label: "An answer with one of these statuses", hint: "Any other status and no answer are Down." },
  any: { label: "Any answer, also an error such as 500", hint: "Only no answer is Down." },
};

/** The statuses that count as up. @param expect of the config; undefined if every answer counts */
export function StatusFields({ at = "config", expect }: Place & { expect: unknown }) {
  const initial = statusChoiceOf(expect);
  const [choice, setChoice] = useState(initial.choice);
  return (
    <>
      <RadioList
        legend="What counts as up"
        name={`${at}.up`}
        options={(Object.keys(words) as StatusChoice[]).map((value) => ({
          value,
          label: words[value].label,
          sent: initial.sent[value],
        }))}
        value={choice}
        onChange={setChoice}
        hint={words[choice].hint}
      />
      {choice === "listed" && (
        <TextField
          name={`${at}.expect.status`}
          label="Statuses"
          value={showStatuses(expect)}
          example="2xx, 304, 400-404"
          hint="Codes from 100 to 999, classes such as 2xx, and ranges such as 200-204."
        />
      )}
    </>
  );
}

export function ExpectedHeaders({ at = "config", headers }: Place & { headers: unknown }) {
  return (
    <PairRows
      name={`${at}.expect.headers`}
      legend="Headers of the answer"
      labels={["Header", "Contains"]}
      rows={Object.entries(Object(headers) as Record<string, string>)}
      examples={["Content-Type", "application/json"]}
      add="Add an expected header"
    />
  );
}

const comparedParts = [
  { value: "", label: "Nothing" },
  { value: "text", label: "The text of the page" },
  { value: "body", label: "The whole body" },
  { value: "json", label: "A value in a JSON body" },
  { value: "header", label: "A header" },
];

/** The part of an answer that is compared with earlier checks. @param same of the config */
export function SameField({ at = "config", same }: Place & { same: unknown }) {
  const stored = sameOf(same);
  const [part, setPart] = useState(stored.part as string);
  const details: Record<string, { label: string; example: string }> = {
    json: { label: "Path of the value", example: "$.version" },
    header: { label: "Name of the header", example: "ETag" },
  };
  const detail = details[part];
  return (
    <>
      <Field
        name={`${at}.expect.same`}
        label="Degraded if this changes"
        hint="To notice a page that somebody else changed, although its status is 200. Only hashes are stored."
      >
        {({ id, ...props }) => (
          <div className="row">
            <select
              {...props}
              id={id}
              value={part}
              onChange={({ currentTarget }) => setPart(currentTarget.value)}
            >
              {optionsOf(comparedParts)}
            </select>
            {detail && (
              <input
                key={part}
                {...props}
                aria-label={detail.label}
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
          label="A changed value is usual after … days"
          kind="numeric"
          value={stored.days}
          hint="Or once its outage is acknowledged. If empty: 7 days."
        />
      )}
    </>
  );
}

/** @param take of a step */
export function TakenValues({ at = "config", take }: Place & { take: unknown }) {
  return (
    <PairRows
      name={`${at}.take`}
      legend="Take from the answer"
      labels={["Name", "Part of the answer"]}
      rows={Object.entries(Object(take) as Record<string, string>)}
      examples={["TOKEN", "$.token"]}
      add="Add a value"
      hint="$.path of a JSON body, header:Name or cookie:Name. Later steps write {{TOKEN}} in a URL, header or body. Cookies are sent anyway."
    />
  );
}
