import { expect } from "bun:test";
import { parseDocument } from "../../../src/domain/configuration/parse-document.ts";
import { importBetterStack } from "../../../src/import/betterstack/betterstack.ts";
import type { Imported } from "../../../src/import/imported.ts";

type Fields = Record<string, unknown>;

/** A monitor as the API of Better Stack lists it. */
export function listedMonitor(attributes: Fields = {}, id = "2"): Fields {
  return {
    ...{ id, type: "monitor" },
    attributes: {
      ...{ url: "https://shop.example.com/", pronounceable_name: "Shop", monitor_type: "status" },
      ...{
        monitor_group_id: null,
        last_checked_at: "2026-09-01T14:17:46.000Z",
        status: "up",
        policy_id: null,
      },
      ...{
        team_name: "Team",
        required_keyword: null,
        verify_ssl: true,
        check_frequency: 180,
        call: false,
        sms: false,
      },
      ...{
        email: false,
        push: false,
        critical_alert: false,
        team_wait: null,
        http_method: "get",
        request_timeout: 30,
      },
      ...{
        recovery_period: 0,
        request_headers: [],
        request_body: "",
        follow_redirects: true,
        remember_cookies: true,
      },
      ...{ paused_at: null, created_at: "2026-02-18T13:38:16.586Z", updated_at: "2026-09-08T13:10:20.202Z" },
      ...{
        ssl_expiration: null,
        domain_expiration: null,
        regions: [],
        maintenance_from: null,
        maintenance_to: null,
      },
      ...{ maintenance_timezone: "UTC", maintenance_days: [], port: null, confirmation_period: 0 },
      ...{
        expected_status_codes: [],
        auth_username: null,
        auth_password: null,
        proxy_host: null,
        proxy_port: null,
      },
      ...{ ip_version: null, expiration_policy_id: null, playwright_script: null, scenario_name: null },
      ...{ environment_variables: {}, checks_version: "v3", ...attributes },
    },
  };
}

/** A heartbeat as the API lists it. */
export function listedHeartbeat(attributes: Fields = {}, id = "12345"): Fields {
  return {
    ...{ id, type: "heartbeat" },
    attributes: {
      ...{ url: "https://uptime.betterstack.com/api/v1/heartbeat/abcd1234abcd1234abcd1234", name: "Backup" },
      ...{
        period: 10_800,
        grace: 300,
        server_timezone: null,
        call: false,
        sms: false,
        email: false,
        push: false,
      },
      ...{ team_wait: null, heartbeat_group_id: null, team_name: "Team", sort_index: null, paused_at: null },
      ...{ maintenance_from: null, maintenance_to: null, maintenance_timezone: "UTC", maintenance_days: [] },
      ...{ created_at: "2026-05-05T11:41:49.327Z", updated_at: "2026-12-10T14:40:23.436Z", status: "up" },
      ...attributes,
    },
  };
}

/** Imports answers with their secrets, and asserts that what they become can be applied. */
export function fromAnswers(...answers: unknown[]): Imported {
  const imported = importBetterStack(answers, { withSecrets: true });
  const { faults } = parseDocument(imported.document);
  expect(faults.filter(({ message }) => !message.includes("${"))).toEqual([]);
  return imported;
}

export function linesOf({ omitted }: Imported): string[] {
  return omitted.map(({ what, why }) => `${what}: ${why}`);
}

/** The only monitor of a team, and the lines about it. */
export function monitorFrom(entry: Fields) {
  const imported = fromAnswers({ data: [entry] });
  const lost = imported.omitted.some((one) => one.lost);
  return { monitor: Object.values(imported.document.monitors ?? {})[0], lines: linesOf(imported), lost };
}
