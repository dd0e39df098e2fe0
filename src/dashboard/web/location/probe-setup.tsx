import { useState } from "react";
import { CopyableText } from "../ui/clipboard.tsx";
import { KEY_FILE, probeCommand, probeUnit, UNIT_FILE } from "./probe-commands.ts";

const WAYS = ["Command line", "systemd"] as const;

/** How to run the probe of a new location. @property apiKey the key of the probe */
export function ProbeSetup({ apiKey, onDone }: { apiKey: string; onDone: () => void }) {
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
