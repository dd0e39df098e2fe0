import { Disclosure } from "../../form/disclosure.tsx";
import { TextField } from "../../form/fields.tsx";
import type { ConfigProps } from "./config-fields.tsx";
import { ConnectionFields } from "./connection-fields.tsx";
import { ExpectationFields } from "./expectation-fields.tsx";
import { expectationsOf } from "./expectation-values.ts";
import { RequestFields } from "./request-fields.tsx";
import { StatusFields } from "./status-fields.tsx";

export function HttpFields({ config, isNew }: ConfigProps) {
  const { url, interval: _, expect, ...request } = config;
  const { status: __, ...expectations } = expectationsOf(expect);
  return (
    <>
      <TextField name="config.url" label="URL" value={url} kind="url" example="https://example.com/" />
      <StatusFields expect={isNew ? { status: ["2xx"] } : expect} />
      <Disclosure
        summary="Request and expectations"
        isOpen={Object.keys({ ...request, ...expectations }).length > 0}
      >
        <h2>Request</h2>
        <RequestFields config={config} />
        <h2>Expectations</h2>
        <ExpectationFields expect={expectations} />
        <h2>Connection</h2>
        <ConnectionFields config={config} />
      </Disclosure>
    </>
  );
}
