import { useState } from "react";
import { api } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { NameField } from "../form/fields.tsx";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { textOf } from "../form/form-values.ts";
import { ShownOnceDialog } from "../form/shown-once-dialog.tsx";
import { nameFaults } from "../form/validation.ts";
import { CopyableText } from "../ui/clipboard.tsx";
import { DialogActions, quote } from "../ui/dialog.tsx";
import { KEY_FILE, probeCommand, probeUnit, UNIT_FILE } from "./probe-commands.ts";

/** Creates a location with the key of its probe. */
export function NewLocation({ onClose }: { onClose: () => void }) {
  return (
    <ShownOnceDialog<{ name: string; key: string }>
      title="New location"
      createdTitle={({ name }) => quote("The probe in", name)}
      queryKey={queryKeys.locations}
      form={(create) => (
        <LocationForm
          action="Create location"
          onSubmit={(name) => create(api.locations.post({ name }))}
          onCancel={onClose}
        />
      )}
      onClose={onClose}
    >
      {({ key }) => <ProbeSetup apiKey={key} />}
    </ShownOnceDialog>
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
      <DialogActions onClose={onCancel}>
        <SubmitButton>{action}</SubmitButton>
      </DialogActions>
    </Form>
  );
}

const WAYS = ["Command line", "systemd"] as const;

/** How to run the probe of a new location. @property apiKey the key of the probe */
function ProbeSetup({ apiKey }: { apiKey: string }) {
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
