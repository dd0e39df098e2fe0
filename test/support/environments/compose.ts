import { parse } from "yaml";

/** A service of a compose file. */
export type Service = Record<string, unknown> & { image: string; environment?: Record<string, string> };

export interface ComposeFile {
  services: Record<string, Service>;
  volumes?: Record<string, unknown>;
  secrets?: Record<string, { file: string }>;
}

/**
 * Reads a compose file with its variables replaced, as compose does.
 *
 * @throws if a variable that the file demands is missing
 */
export function readCompose(text: string, variables: Record<string, string> = {}): ComposeFile {
  const replaced = text.replaceAll(
    /\$\{(\w+)(?:(:-|:\?)([^}]*))?\}/g,
    (_, name: string, operator?: string, rest = "") => {
      const value = variables[name];
      if (value) return value;
      if (operator === ":?") throw new Error(`required variable ${name} is missing a value: ${rest}`);
      return rest;
    },
  );
  return parse(replaced, { merge: true });
}

/** The options of Podman for each key of a service. */
const OPTIONS: Record<string, (value: never) => string[]> = {
  read_only: (on: boolean) => (on ? ["--read-only", "--read-only-tmpfs=false"] : []),
  cap_drop: (names: string[]) => names.map((name) => `--cap-drop=${name}`),
  cap_add: (names: string[]) => names.map((name) => `--cap-add=${name}`),
  security_opt: (options: string[]) =>
    options.map((option) => `--security-opt=${option.replace(/:true$/, "")}`),
  stop_grace_period: (time: string) => [`--stop-timeout=${seconds(time)}`],
  restart: (policy: string) => [`--restart=${policy}`],
  environment: (variables: Record<string, string>) =>
    Object.entries(variables).map(([name, value]) => `--env=${name}=${value}`),
  ports: (ports: string[]) => ports.map((port) => `--publish=${port}`),
  volumes: (volumes: string[]) => volumes.map((volume) => `--volume=${volume}`),
  // The secrets are files, which compose mounts.
  secrets: (names: string[]) => names.map((name) => `--volume=./secrets/${name}:/run/secrets/${name}:ro`),
  // The caller starts the services in their order.
  depends_on: () => [],
  healthcheck: ({ test: [, ...command], ...times }: Healthcheck) => [
    `--health-cmd=${JSON.stringify(command)}`,
    `--health-interval=${times.interval}`,
    `--health-timeout=${times.timeout}`,
    `--health-start-period=${times.start_period}`,
    `--health-retries=${times.retries}`,
  ],
};

interface Healthcheck {
  test: string[];
  interval: string;
  timeout: string;
  start_period: string;
  retries: number;
}

/** The options of `podman run` for a service. @throws for a key that it does not know */
export function runOptions({ image, ...service }: Service): string[] {
  return Object.entries(service).flatMap(([key, value]) => {
    const option = OPTIONS[key];
    if (!option) throw new Error(`test/support/environments/compose.ts does not know ${key}`);
    return option(value as never);
  });
}

function seconds(time: string): number {
  const [, number] = /^(\d+)s$/.exec(time) ?? [];
  return Number(number);
}
