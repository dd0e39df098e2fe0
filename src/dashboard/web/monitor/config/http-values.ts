import type { Config } from "../../data/api.ts";
import { numberOf, rawTextOf, textOf } from "../../form/form-values.ts";
import { readPairs } from "../../form/rows/pair-values.ts";
import { showLines, unlessEdited } from "../../form/shown-text.ts";
import { expectationsOf, readExpectations } from "./expectation-values.ts";
import { withStatus } from "./status-choice.ts";

/** The config of an HTTP monitor in a form. @param stored the config that the form showed */
export function readHttp(data: FormData, stored: Config): Config {
  return {
    url: textOf(data, "config.url"),
    interval: numberOf(data, "config.interval"),
    method: textOf(data, "config.method"),
    headers: readPairs(data, "config.headers"),
    body: unlessEdited(data.get("config.body"), stored.body, showLines, (text) => text || undefined),
    basicAuth: readSignIn(data),
    timeout: numberOf(data, "config.timeout"),
    redirects: numberOf(data, "config.redirects"),
    verifyTls: data.has("config.verifyTls") ? false : stored.verifyTls === true || undefined,
    ipFamily: numberOf(data, "config.ipFamily"),
    expect: withStatus(data, readExpectations(data, expectationsOf(stored.expect))),
  };
}

function readSignIn(data: FormData): Config | undefined {
  const user = rawTextOf(data, "config.basicAuth.user");
  const password = rawTextOf(data, "config.basicAuth.password");
  if (user === undefined && password === undefined) return undefined;
  return { user: user ?? "", password: password ?? "" };
}
