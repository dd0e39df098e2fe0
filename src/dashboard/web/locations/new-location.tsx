import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, getData } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { NameField } from "../form/fields.tsx";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { textOf } from "../form/form-values.ts";
import { nameFaults } from "../form/validation.ts";
import { CopyableText } from "../ui/clipboard.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { KEY_FILE, probeCommand, probeUnit, UNIT_FILE } from "./probe-commands.ts";

/** Creates a location. The key of its probe is shown once, in this dialog. */
export function NewLocation({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<{ name: string; key: string } | null>(null);
  const queries = useQueryClient();
  const create = async (name: string) => {
    setCreated(await getData(api.locations.post({ name })));
    await queries.invalidateQueries({ queryKey: queryKeys.locations });
  };
  // One dialog for both steps: a second one would report the first as closed.
  return (
    <Dialog
      title={
        created ? (
          <>
            The probe in “<bdi>{created.name}</bdi>”
          </>
        ) : (
          "New location"
        )
      }
      onClose={onClose}
    >
      {created ? (
        <ProbeSetup apiKey={created.key} onDone={onClose} />
      ) : (
        <LocationForm action="Create location" onSubmit={create} onCancel={onClose} />
      )}
    </Dialog>
  );
}

interface Props {
  /** The name of the location to rename. */
  name?: string;
  /** The label of the button that sends the form. */
  action: string;
  onSubmit: (name: string) => Promise<unknown>;
  onCancel: () => void;
}

export function LocationForm({ name, action, onSubmit, onCancel }: Props) {
  const nameOf = (data: FormData) => textOf(data, "name") ?? "";
  return (
    <Form check={(data) => nameFaults(nameOf(data))} onSubmit={(data) => onSubmit(nameOf(data))}>
      <NameField value={name} />
      <FormFailure />
      <div className="actions actions-end">
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
        <SubmitButton>{action}</SubmitButton>
      </div>
    </Form>
  );
}

const WAYS = ["Command line", "systemd"] as const;

/** How to run the probe of a new location. @property apiKey the key of the probe */
function ProbeSetup({ apiKey, onDone }: { apiKey: string; onDone: () => void }) {
  const [way, setWay] = useState<(typeof WAYS)[number]>("Command line");
  return (
    <>
      <p>
        <b>Copy the key now.</b> This is the only time it is shown.
      </p>
      <CopyableText text={apiKey} label="the key" />
      <fieldset className="segments location-ways">
        <legend className="visually-hidden">How to run the probe</legend>
        {WAYS.map((one) => (
          <button key={one} type="button" aria-pressed={one === way} onClick={() => setWay(one)}>
            {one}
          </button>
        ))}
      </fieldset>
      {way === "systemd" ? <ServiceSetup /> : <CommandSetup />}
      <p className="text-hint">
        The probe only connects to this server, and needs no open port. Replace the address if it reaches the
        server at another one.
      </p>
      <div className="actions actions-end">
        <button type="button" className="button-primary" onClick={onDone}>
          Done
        </button>
      </div>
    </>
  );
}

function CommandSetup() {
  return (
    <>
      <p>
        On the other machine, save the key in the file <code>probe.key</code>, then run:
      </p>
      <CopyableText text={probeCommand(location.origin)} label="the command" />
    </>
  );
}

function ServiceSetup() {
  return (
    <>
      <p>
        On the other machine, save the key as <code>{KEY_FILE}</code>, readable only by root, and this unit as{" "}
        <code>{UNIT_FILE}</code>:
      </p>
      <CopyableText text={probeUnit(location.origin)} label="the unit" />
      <p>Then run:</p>
      <CopyableText text="systemctl enable --now stillup-probe" label="the command" />
    </>
  );
}
