import type { ComponentType, ReactNode } from "react";
import { Link } from "wouter";
import { useHasRole } from "../app/session.tsx";
import { DialogButton } from "./dialog.tsx";
import { Failure } from "./failure.tsx";
import { View } from "./view.tsx";

type Dialog = ComponentType<{ onClose: () => void }>;

interface ViewProps<Item> extends ListProps<Item> {
  title: string;
  /** Explains the items. */
  lead: ReactNode;
  /** How readers with a role create an item: in another view, or in a dialog. */
  create: { role: "admin" | "owner"; label: string } & ({ href: string } | { dialog: Dialog });
  /** Content below the list. */
  children?: ReactNode;
}

/** The view that lists all items of one kind. */
export function ListView<Item>({ title, lead, error, create, children, ...list }: ViewProps<Item>) {
  const mayCreate = useHasRole(create.role);
  const button =
    "href" in create ? (
      <Link className="button button-primary" href={create.href}>
        {create.label}
      </Link>
    ) : (
      <DialogButton label={create.label} className="button-primary">
        {(onClose) => <create.dialog onClose={onClose} />}
      </DialogButton>
    );
  return (
    <View title={title} aside={mayCreate && button}>
      <p className="text-lead">{lead}</p>
      <List {...list} error={error} />
      {children}
    </View>
  );
}

interface ListProps<Item> {
  /** Undefined until they are loaded. */
  items: readonly Item[] | undefined;
  error?: unknown;
  /** The sentence without items. */
  none?: string | undefined;
  label?: string | undefined;
  /** An element with a key. */
  row: (item: Item) => ReactNode;
}

/** Items in rows. */
export function List<Item>({ items, error, none, label, row }: ListProps<Item>) {
  return (
    <>
      <Failure error={error} />
      {none !== undefined && items?.length === 0 && <p className="view-empty">{none}</p>}
      {items && (
        <ul className="list" aria-label={label}>
          {items.map(row)}
        </ul>
      )}
      {!items && !error && <div className="skeleton" />}
    </>
  );
}

interface RowProps {
  className?: string;
  /** A column before the title. */
  state?: ReactNode;
  icon?: ReactNode;
  title: string;
  /** Its view; undefined if it has none for this reader. */
  href?: string | undefined;
  /** Lines below the title. */
  details: ReactNode;
  /** Actions, or a word about the item. */
  children?: ReactNode;
}

/** One item of a list. */
export function ListRow({ className = "", state, icon, title, href, details, children }: RowProps) {
  return (
    <li className={`list-row ${state ? "list-row-stated" : ""} ${className}`}>
      {state}
      <div className="list-row-name">
        {icon}
        {href === undefined ? (
          <span className="list-row-title">{title}</span>
        ) : (
          <Link href={href}>{title}</Link>
        )}
        {details}
      </div>
      {children}
    </li>
  );
}
