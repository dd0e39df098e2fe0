import { useState } from "react";
import type { Config } from "../../data/api.ts";
import { Rows } from "../../form/rows.tsx";
import { type JsonRow, type JsonTest, jsonRowOf } from "./json-expectation.ts";

const tests: Record<JsonTest, { label: string; example?: string }> = {
  text: { label: "is the text", example: "ok" },
  literal: { label: "is", example: "5, true, false or null" },
  min: { label: "is at least", example: "1" },
  max: { label: "is at most", example: "100" },
  range: { label: "is from … to …", example: "1 to 100" },
  exists: { label: "exists" },
  missing: { label: "does not exist" },
};

/** Expected values of a JSON body, by path. */
export function JsonRows({ json }: { json: Config }) {
  const rows = Object.entries(json).map(([path, value]) => jsonRowOf(path, value));
  return (
    <Rows<JsonRow>
      name="config.expect.json"
      legend="Values in a JSON body"
      rows={rows}
      blank={{ path: "", test: "text", value: "" }}
      add="Add a value"
      hint="A path leads to one value, such as $.queue.depth or $.jobs[0]['last run']. Down if the value differs."
    >
      {(row, number, isInvalid) => <Fields row={row} number={number} isInvalid={isInvalid} />}
    </Rows>
  );
}

function Fields({ row, number, isInvalid }: { row: JsonRow; number: number; isInvalid: boolean }) {
  const [test, setTest] = useState(row.test);
  const { example } = tests[test];
  const shared = {
    name: "config.expect.json",
    ...(isInvalid && { "aria-invalid": true as const }),
    autoComplete: "off",
    autoCapitalize: "none",
    spellCheck: false,
  };
  return (
    <>
      <input {...shared} aria-label={`Path ${number}`} defaultValue={row.path} placeholder="$.status" />
      <select
        name={shared.name}
        aria-label={`Condition ${number}`}
        value={test}
        onChange={({ target }) => setTest(target.value as JsonTest)}
      >
        {Object.entries(tests).map(([one, { label }]) => (
          <option key={one} value={one}>
            {label}
          </option>
        ))}
      </select>
      {example === undefined ? (
        <input type="hidden" name={shared.name} value="" />
      ) : (
        <input {...shared} aria-label={`Value ${number}`} defaultValue={row.value} placeholder={example} />
      )}
    </>
  );
}
