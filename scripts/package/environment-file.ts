import { settings } from "../../src/config.ts";

/** The defaults that the unit changes. */
const OF_THE_UNIT: Record<string, string> = { [settings.dataDir.variable]: "/var/lib/stillup" };

const HEAD = `# The settings of stillup, read by systemd when the service starts: systemctl restart stillup
# To change one, remove the # before its name. What is shown is the default, where there is one.
`;

/** `stillup.env`: every setting with its explanation, commented out. */
export function environmentFile(): string {
  const entries = Object.values(settings).map((setting) => {
    const standard = OF_THE_UNIT[setting.variable] ?? ("default" in setting ? setting.default : "");
    return `\n# ${setting.help}\n#${setting.variable}=${standard}\n`;
  });
  return HEAD + entries.join("");
}
