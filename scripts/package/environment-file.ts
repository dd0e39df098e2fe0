import { settings } from "../../src/config.ts";

/** The services of a release, by the name of their unit. */
export type ServiceName = "stillup" | "stillup-probe";

/** Settings of the probe, by their variables. It shares all of them with the server, except these. */
const ONLY_OF_PROBE = ["STILLUP_SERVER", "STILLUP_KEY_FILE"];
const OF_PROBE = [
  ...ONLY_OF_PROBE,
  "STILLUP_DATA_DIR",
  "STILLUP_DNS_SERVERS",
  "STILLUP_PRIVATE_TARGETS",
  "STILLUP_NETWORK_CHECK",
  "STILLUP_LOG_LEVEL",
  "STILLUP_LOG_FORMAT",
];

/** Defaults that the units change. */
const UNIT_DEFAULTS: Record<ServiceName, Record<string, string>> = {
  stillup: { STILLUP_DATA_DIR: "/var/lib/stillup" },
  "stillup-probe": {
    STILLUP_DATA_DIR: "/var/lib/stillup-probe",
    STILLUP_KEY_FILE: "/etc/stillup/stillup-probe.key",
  },
};

/** The settings that a service reads. */
export function settingsOf(service: ServiceName) {
  return Object.values(settings).filter(({ variable }) =>
    service === "stillup" ? !ONLY_OF_PROBE.includes(variable) : OF_PROBE.includes(variable),
  );
}

/** `stillup.env` or `stillup-probe.env`: every setting of the service with its explanation, commented out. */
export function environmentFile(service: ServiceName): string {
  const head = `# The settings of ${service}, read by systemd when the service starts: systemctl restart ${service}
# To change a setting, remove the # before its name. The values are the defaults.
`;
  const entries = settingsOf(service).map((setting) => {
    const value = UNIT_DEFAULTS[service][setting.variable] ?? ("default" in setting ? setting.default : "");
    return `\n# ${setting.help}\n#${setting.variable}=${value}\n`;
  });
  return head + entries.join("");
}
