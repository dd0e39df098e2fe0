import { useState } from "react";
import { RadioList } from "../../form/check-list.tsx";
import { TextField } from "../../form/fields.tsx";
import { type StatusChoice, showStatuses, statusChoiceOf } from "./status-choice.ts";

const words: Record<StatusChoice, { label: string; hint: string }> = {
  success: {
    label: "An answer with a status of 2xx (success)",
    hint: "An error (4xx, 5xx), a redirect that is not followed, and no answer are Down.",
  },
  listed: { label: "An answer with one of these statuses", hint: "Any other status and no answer are Down." },
  any: { label: "Any answer, also an error such as 500", hint: "Only no answer is Down." },
};

/** The statuses that count as up. @param expect of the config; undefined if every answer counts */
export function StatusFields({ expect }: { expect: unknown }) {
  const initial = statusChoiceOf(expect);
  const [choice, setChoice] = useState(initial.choice);
  return (
    <>
      <RadioList
        legend="What counts as up"
        name="up"
        options={(Object.keys(words) as StatusChoice[]).map((value) => ({
          value,
          label: words[value].label,
          ...(value === "success" && { sent: initial.success }),
        }))}
        value={choice}
        onChange={setChoice}
        hint={words[choice].hint}
      />
      {choice === "listed" && (
        <TextField
          name="config.expect.status"
          label="Statuses"
          value={showStatuses(expect)}
          example="2xx, 304, 400-404"
          hint="Codes, classes such as 2xx, and ranges such as 200-204."
        />
      )}
    </>
  );
}
