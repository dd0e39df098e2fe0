import { useState } from "react";
import type { Page } from "../data/api.ts";
import { exactText, Field, SecretField, TextField } from "../form/fields.tsx";
import { Disclosure } from "../form/form.tsx";
import { pathOf } from "./page-queries.ts";
import { slugOf } from "./page-values.ts";

interface Props {
  stored: Page | undefined;
}

/** The title, the address and who sees the page. */
export function PageFields({ stored }: Props) {
  const [slug, setSlug] = useState(stored?.slug ?? "");
  // Until the reader edits the address of a new page, it follows the title.
  const [follows, setFollows] = useState(stored === undefined);
  return (
    <>
      <Field name="title" label="Title">
        {(props) => (
          <input
            {...props}
            defaultValue={stored?.title}
            onInput={({ currentTarget }) => follows && setSlug(slugOf(currentTarget.value))}
            autoComplete="off"
          />
        )}
      </Field>
      <Field
        name="slug"
        label="Address"
        hint="a-z, 0-9 and -. Existing links stop working if you change this."
      >
        {(props) => (
          <span className="page-slug">
            <span aria-hidden="true">{pathOf("")}</span>
            <input
              {...props}
              value={slug}
              onInput={({ currentTarget }) => {
                setFollows(false);
                setSlug(currentTarget.value);
              }}
              {...exactText}
            />
          </span>
        )}
      </Field>
      <Field name="description" label="Description" hint="Optional. A few words below the title.">
        {(props) => <textarea {...props} rows={2} defaultValue={stored?.description ?? ""} />}
      </Field>
      <div className="field">
        <label className="check">
          <input
            type="checkbox"
            name="visibility"
            value="public"
            defaultChecked={stored && stored.visibility !== "off"}
            aria-describedby="visibility-hint"
          />
          Public
        </label>
        <p className="text-hint" id="visibility-hint">
          Everybody who knows the address can read the page. Otherwise nobody can.
        </p>
      </div>
      <SecretField
        // Once it is saved, the field has what keeps it.
        key={stored?.visibility}
        name="password"
        label="Password"
        value={stored?.password ?? ""}
        hint="Optional. Readers then need it too."
      />
    </>
  );
}

/** How much history the page shows. */
export function HistoryFields({ stored }: Props) {
  return (
    <Disclosure summary="History, outages and latency" isOpen={false}>
      <div className="field-halves">
        <TextField
          name="days"
          label="Days of history"
          value={stored?.days ?? 90}
          kind="numeric"
          hint="7 to 90, today included."
        />
        <TextField
          name="minOutage"
          label="Shortest outage, in seconds"
          value={stored?.minOutage ?? 120}
          kind="numeric"
          hint="Only longer outages are shown as incidents."
        />
      </div>
      <label className="check">
        <input type="checkbox" name="showLatency" defaultChecked={stored?.showLatency} />
        Show the mean latency of the last 24 hours
      </label>
    </Disclosure>
  );
}
