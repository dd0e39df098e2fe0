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
import { named, rich } from "../languages/rich.tsx";
import { fill, texts } from "../languages/texts.ts";
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
  const words = texts.accounts.wallLinks;
  const button = (
    <DialogButton label={words.new}>{(onClose) => <NewWallLink onClose={onClose} />}</DialogButton>
  );
  return (
    <Card id="wall" title={words.title} aside={mayWrite && button}>
      <p>{rich(words.lead, { link: (text) => <a href={`${base}/wall`}>{text}</a> })}</p>
      <List
        items={data}
        error={error}
        label={words.list}
        row={(link) => <LinkRow key={link.id} link={link} />}
      />
    </Card>
  );
}

function LinkRow({ link: { id, name, tag, createdAt } }: { link: WallLink }) {
  const mayWrite = useHasRole("admin");
  const change = useChange(queryKeys.wallLinks);
  const remove = () => change(api["wall-links"]({ id }).delete());
  const words = texts.accounts.wallLinks;
  const date = <Time at={createdAt} only="date" />;
  return (
    <ListRow
      title={name}
      details={
        <span className="list-row-detail">
          {tag === null ? rich(words.ofAll, { date }) : rich(words.ofTag, { tag, date })}
        </span>
      }
    >
      {mayWrite && (
        <DeleteButton
          name={name}
          question={words.question}
          label={fill(words.deleteLabel, { name })}
          onDelete={remove}
        >
          {words.deleteText}
        </DeleteButton>
      )}
    </ListRow>
  );
}

function NewWallLink({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<{ name: string; url: string } | null>(null);
  const queries = useQueryClient();
  const words = texts.accounts.wallLinks;
  const create = async (data: FormData) => {
    const tag = textOf(data, "tag") || null;
    setCreated(await getData(api["wall-links"].post({ name: textOf(data, "name") ?? "", tag })));
    await queries.invalidateQueries({ queryKey: queryKeys.wallLinks });
  };
  return (
    <Dialog title={created ? named(words.createdTitle, created.name) : words.newTitle} onClose={onClose}>
      {created ? (
        <>
          <p>{rich(words.shownOnce, { b: (text) => <b>{text}</b> })}</p>
          <CopyableText text={created.url} label={words.copy} />
          <DialogActions close={words.done} onClose={onClose} />
        </>
      ) : (
        <Form check={(data) => nameFaults(textOf(data, "name") ?? "")} onSubmit={create}>
          <NameField />
          <Field name="tag" label={words.tag} hint={words.tagHint}>
            {(props) => <input {...props} autoComplete="off" />}
          </Field>
          <FormFailure />
          <DialogActions onClose={onClose}>
            <SubmitButton>{words.submit}</SubmitButton>
          </DialogActions>
        </Form>
      )}
    </Dialog>
  );
}
