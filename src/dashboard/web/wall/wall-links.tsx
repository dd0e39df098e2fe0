import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { base } from "../app/base.ts";
import { useHasRole } from "../app/session.tsx";
import { api, getData, type WallLink } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { textOf } from "../form/field-errors.ts";
import { Field, NameField } from "../form/fields.tsx";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { nameFaults } from "../form/validation.ts";
import { named } from "../languages/rich.tsx";
import { Card } from "../ui/card.tsx";
import { CopyableText, DeleteButton } from "../ui/clipboard.tsx";
import { Dialog, DialogActions, DialogButton } from "../ui/dialog.tsx";
import { List, ListRow } from "../ui/list.tsx";
import { Time } from "../ui/time.tsx";

/** The links that open the wall without a key. */
export function WallLinks() {
  const mayWrite = useHasRole("admin");
  const { data, error } = useQuery({
    queryKey: queryKeys.wallLinks,
    queryFn: () => getData(api["wall-links"].get()),
  });
  const button = (
    <DialogButton label="New link">{(onClose) => <NewWallLink onClose={onClose} />}</DialogButton>
  );
  return (
    <Card id="wall" title="Wall" aside={mayWrite && button}>
      <p>
        <a href={`${base}/wall`}>Open the wall</a>, the monitors on a large screen. A link shows it without a
        key, and gives access to nothing else.
      </p>
      <List
        items={data}
        error={error}
        label="Links of the wall"
        row={(link) => <LinkRow key={link.id} link={link} />}
      />
    </Card>
  );
}

function LinkRow({ link: { id, name, tag, createdAt } }: { link: WallLink }) {
  const mayWrite = useHasRole("admin");
  const change = useChange(queryKeys.wallLinks);
  const remove = () => change(api["wall-links"]({ id }).delete());
  return (
    <ListRow
      title={name}
      details={
        <span className="list-row-detail">
          {tag === null ? "All monitors" : `Monitors with the tag ${tag}`}, created{" "}
          <Time at={createdAt} only="date" />
        </span>
      }
    >
      {mayWrite && (
        <DeleteButton
          name={name}
          question="Delete the link “{name}”?"
          label={`Delete the link ${name}`}
          onDelete={remove}
        >
          Screens that use this link show nothing from now on. You cannot undo this.
        </DeleteButton>
      )}
    </ListRow>
  );
}

function NewWallLink({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<{ name: string; url: string } | null>(null);
  const queries = useQueryClient();
  const create = async (data: FormData) => {
    const tag = textOf(data, "tag") || null;
    setCreated(await getData(api["wall-links"].post({ name: textOf(data, "name") ?? "", tag })));
    await queries.invalidateQueries({ queryKey: queryKeys.wallLinks });
  };
  return (
    <Dialog
      title={created ? named("The link “{name}”", created.name) : "New link of the wall"}
      onClose={onClose}
    >
      {created ? (
        <>
          <p>
            <b>Copy it now.</b> This is the only time it is shown.
          </p>
          <CopyableText text={created.url} label="Copy the link" />
          <DialogActions close="Done" onClose={onClose} />
        </>
      ) : (
        <Form check={(data) => nameFaults(textOf(data, "name") ?? "")} onSubmit={create}>
          <NameField />
          <Field name="tag" label="Tag" hint="Only monitors with this tag. If empty: all.">
            {(props) => <input {...props} autoComplete="off" />}
          </Field>
          <FormFailure />
          <DialogActions onClose={onClose}>
            <SubmitButton>Create link</SubmitButton>
          </DialogActions>
        </Form>
      )}
    </Dialog>
  );
}
