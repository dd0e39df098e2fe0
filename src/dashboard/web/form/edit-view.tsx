import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import type { SaidFault } from "../../../domain/schemas/validation.ts";
import { useHasRole } from "../app/session.tsx";
import { type Answer, getData } from "../data/api.ts";
import { fill, texts } from "../languages/texts.ts";
import { ManagedBy } from "../ui/card.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { View } from "../ui/view.tsx";
import { Form, FormFailure, SubmitButton, useForm } from "./form.tsx";

interface Props {
  noun: keyof typeof texts.form.newView;
  /** The name of what is edited; undefined if it is created. */
  name: string | undefined;
  /** The ref of what is edited. */
  reference?: string | null | undefined;
  /** Returns all errors of the values, as sentences of the API. */
  check: (data: FormData) => SaidFault[];
  onSubmit: (data: FormData) => Promise<unknown>;
  /** The view that replaces this one, or what the button does. */
  cancel: string | (() => void);
  /** Content that stays in view beside the fields, with the buttons below it. Without it, the buttons are below the fields. */
  side?: ReactNode;
  /** Above the buttons. */
  note?: ReactNode;
  children: ReactNode;
}

/** The view that creates or edits something, for readers with the right to do it. */
export function EditView({ noun, name, reference, check, onSubmit, cancel, side, note, children }: Props) {
  const mayWrite = useHasRole("admin");
  const isNew = name === undefined;
  const end = (
    <>
      <FormFailure />
      <div className="actions">
        {note}
        <SubmitButton>{isNew ? texts.form.newView[noun].create : texts.form.actions.save}</SubmitButton>
        <Cancel to={cancel} />
      </div>
    </>
  );
  const fields = (
    <>
      <ManagedBy reference={reference} />
      {children}
    </>
  );
  return (
    <View title={isNew ? texts.form.newView[noun].title : fill(texts.form.editTitle, { name })}>
      {mayWrite ? (
        <Form className={side ? "form-columns" : "form card"} keepsDraft check={check} onSubmit={onSubmit}>
          {side ? (
            <>
              <div className="form card">{fields}</div>
              <aside className="form-side card">
                {side}
                {end}
              </aside>
            </>
          ) : (
            <>
              {fields}
              {end}
            </>
          )}
        </Form>
      ) : (
        <p>{texts.form.roleNeeded}</p>
      )}
    </View>
  );
}

/** Leaves the form without what was entered. */
export function Cancel({ to }: { to: Props["cancel"] }) {
  const { forget } = useForm();
  if (typeof to !== "string") {
    return (
      <button
        type="button"
        onClick={() => {
          forget();
          to();
        }}
      >
        {texts.form.actions.cancel}
      </button>
    );
  }
  return (
    <Link className="button" replace href={to} onClick={forget}>
      {texts.form.actions.cancel}
    </Link>
  );
}

interface ShownOnceDialogProps<Created> {
  title: ReactNode;
  /** The title once it is created. */
  createdTitle: (created: Created) => ReactNode;
  /** The query of the list that shows it. */
  queryKey: QueryKey;
  form: (create: (request: Promise<Answer<{ readonly data: Created }>>) => Promise<void>) => ReactNode;
  onClose: () => void;
  /** Shows the secret. */
  children: (created: Created) => ReactNode;
}

/** Creates something with a secret, such as a key, which is shown once: in this dialog. */
export function ShownOnceDialog<Created>({
  title,
  createdTitle,
  queryKey,
  form,
  onClose,
  children,
}: ShownOnceDialogProps<Created>) {
  const [created, setCreated] = useState<Created | null>(null);
  const queries = useQueryClient();
  // One dialog for both steps: a second one would report the first as closed.
  return (
    <Dialog title={created ? createdTitle(created) : title} onClose={onClose}>
      {!created &&
        form(async (request) => {
          setCreated(await getData(request));
          await queries.invalidateQueries({ queryKey });
        })}
      {created && (
        <>
          {children(created)}
          <div className="actions actions-end">
            <button type="button" className="button-primary" onClick={onClose}>
              {texts.form.actions.done}
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}
