import { probeSettings, type SettingName, serveSettings, settings } from "../../src/config.ts";

/** The services of a release, by the name of their unit. */
export const SERVICES = ["stillup", "stillup-probe"] as const;
export type Service = (typeof SERVICES)[number];

const NAMES: Record<Service, SettingName[]> = { stillup: serveSettings, "stillup-probe": probeSettings };

/** Defaults that the units change. */
const UNIT_DEFAULTS: Record<Service, Partial<Record<SettingName, string>>> = {
  stillup: { dataDir: "/var/lib/stillup" },
  "stillup-probe": { dataDir: "/var/lib/stillup-probe", keyFile: "/etc/stillup/stillup-probe.key" },
};

/** `stillup.env` or `stillup-probe.env`: every setting of the service with its explanation, commented out. */
export function environmentFile(service: Service): string {
  const head = `# The settings of ${service}, read by systemd when the service starts: systemctl restart ${service}
# To change a setting, remove the # before its name. The values are the defaults.
`;
  const entries = NAMES[service].map((name) => {
    const setting = settings[name];
    const value = UNIT_DEFAULTS[service][name] ?? ("default" in setting ? setting.default : "");
    return `\n# ${setting.help}\n#${setting.variable}=${value}\n`;
  });
  return head + entries.join("");
}
