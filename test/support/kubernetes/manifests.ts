import { resolve } from "node:path";
import { parseAllDocuments, stringify } from "yaml";

const TOOLS = resolve(".tools/kubernetes");

/** The programs that render; `scripts/requirements` unpacks them. */
export const HELM = `${TOOLS}/helm`;
export const KUBECTL = `${TOOLS}/kubectl`;

export const CHART = "deploy/chart";

/** Any object of Kubernetes. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  // biome-ignore lint/suspicious/noExplicitAny: the schemas of Kubernetes say what it is, and faultsOf tests it
  [field: string]: any;
}

/** How the chart is rendered. */
interface Release {
  release?: string;
  namespace?: string;
}

/** The end of `helm`. */
export interface Verdict {
  code: number;
  stdout: string;
  stderr: string;
}

async function run(command: string[], values: object = {}): Promise<Verdict> {
  const child = Bun.spawn(command, {
    // Nothing of the user: no plugins, repositories or clusters.
    env: { HOME: "/nonexistent", HELM_NO_PLUGINS: "1", KUBECONFIG: "/dev/null" },
    stdio: [Buffer.from(stringify(values, { version: "1.1" })), "pipe", "pipe"],
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr };
}

export function lint(values: object): Promise<Verdict> {
  return run([HELM, "lint", "--strict", CHART, "--values", "-"], values);
}

/** Renders the chart, whatever comes out. */
export function tryTemplate(
  values: object,
  { release = "up", namespace = "watch" }: Release = {},
): Promise<Verdict> {
  return run([HELM, "template", release, CHART, "--namespace", namespace, "--values", "-"], values);
}

const rendered = new Map<string, Promise<Verdict>>();

/** The objects of the chart; the same values are rendered once. @throws Error if the chart refuses the values */
export async function template(values: object, release?: Release): Promise<Manifest[]> {
  const key = JSON.stringify([values, release]);
  const verdict = rendered.get(key) ?? tryTemplate(values, release);
  rendered.set(key, verdict);
  const { code, stdout, stderr } = await verdict;
  if (code !== 0) throw new Error(stderr);
  return manifestsIn(stdout);
}

/** The text that a user reads after an installation. */
export async function notes(values: object): Promise<string> {
  const command = [HELM, "install", "up", CHART, "--namespace", "watch", "--dry-run=client", "--values", "-"];
  const { stdout } = await run(command, values);
  return stdout.slice(stdout.indexOf("NOTES:"));
}

/** The objects of a folder with a `kustomization.yaml`. */
export async function kustomize(folder: string): Promise<Manifest[]> {
  const { code, stdout, stderr } = await run([KUBECTL, "kustomize", folder]);
  if (code !== 0) throw new Error(stderr);
  return manifestsIn(stdout);
}

/** As a cluster reads them: by YAML 1.1, where `0440` is octal, and a key that occurs twice is a fault. */
function manifestsIn(text: string): Manifest[] {
  return parseAllDocuments(text, { version: "1.1" }).flatMap((document) => {
    if (document.errors[0]) throw document.errors[0];
    return document.toJS() ?? [];
  });
}

/** The only object of a kind. @throws Error if there is another number */
export function only(manifests: Manifest[], kind: string): Manifest {
  const [found, ...others] = manifests.filter((manifest) => manifest.kind === kind);
  if (!found || others.length > 0)
    throw new Error(`there are ${found ? others.length + 1 : 0} objects ${kind}`);
  return found;
}

/** The object that runs the pods. */
export function workloadOf(manifests: Manifest[]): Manifest {
  const kind = manifests.some((manifest) => manifest.kind === "Deployment") ? "Deployment" : "StatefulSet";
  return only(manifests, kind);
}
