import { settings } from "../../src/config.ts";

/** Defaults that the systemd unit changes. */
const UNIT_DEFAULTS: Record<string, string> = { [settings.dataDir.variable]: "/var/lib/stillup" };

const HEAD = `# The settings of stillup, read by systemd when the service starts: systemctl restart stillup
# To change a setting, remove the # before its name. The values are the defaults.
`;

/** `stillup.env`: every setting with its explanation, commented out. */
export function environmentFile(): string {
  const entries = Object.values(settings).map((setting) => {
    const value = UNIT_DEFAULTS[setting.variable] ?? ("default" in setting ? setting.default : "");
    return `\n# ${setting.help}\n#${setting.variable}=${value}\n`;
  });
  return HEAD + entries.join("");
}
