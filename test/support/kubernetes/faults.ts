import { resolve } from "node:path";
import type { Manifest } from "./manifests.ts";

/** The file with the compiled schema of a kind. */
const SCHEMAS: Record<string, string> = {
  "apps/v1 StatefulSet": "kubernetes-models/_schemas/IoK8sApiAppsV1StatefulSet.js",
  "apps/v1 Deployment": "kubernetes-models/_schemas/IoK8sApiAppsV1Deployment.js",
  "v1 Service": "kubernetes-models/_schemas/IoK8sApiCoreV1Service.js",
  "v1 ConfigMap": "kubernetes-models/_schemas/IoK8sApiCoreV1ConfigMap.js",
  "v1 Pod": "kubernetes-models/_schemas/IoK8sApiCoreV1Pod.js",
  "v1 ServiceAccount": "kubernetes-models/_schemas/IoK8sApiCoreV1ServiceAccount.js",
  "rbac.authorization.k8s.io/v1 ClusterRole": "kubernetes-models/_schemas/IoK8sApiRbacV1ClusterRole.js",
  "rbac.authorization.k8s.io/v1 ClusterRoleBinding":
    "kubernetes-models/_schemas/IoK8sApiRbacV1ClusterRoleBinding.js",
  "policy/v1 PodDisruptionBudget": "kubernetes-models/_schemas/IoK8sApiPolicyV1PodDisruptionBudget.js",
  "networking.k8s.io/v1 NetworkPolicy": "kubernetes-models/_schemas/IoK8sApiNetworkingV1NetworkPolicy.js",
  "networking.k8s.io/v1 Ingress": "kubernetes-models/_schemas/IoK8sApiNetworkingV1Ingress.js",
  "gateway.networking.k8s.io/v1 HTTPRoute":
    "@kubernetes-models/gateway-api/_schemas/IoK8sSigsGatewayApiApisV1HTTPRoute.js",
  "monitoring.coreos.com/v1 ServiceMonitor":
    "@kubernetes-models/prometheus-operator/_schemas/ComGithubPrometheusOperatorPrometheusOperatorPkgApisMonitoringV1ServiceMonitor.js",
};

interface Validate {
  (data: unknown): boolean;
  errors?: { instancePath: string; message?: string; keyword: string; params: object }[];
}

/**
 * The faults that the schema of an object finds, and the fields that the schema does not know. A cluster drops an unknown field, so that a
 * misspelled one would have no effect.
 */
export async function faultsOf(manifest: Manifest): Promise<string[]> {
  const kind = `${manifest.apiVersion} ${manifest.kind}`;
  const schema = SCHEMAS[kind];
  if (schema === undefined) return [`${kind} has no schema here`];
  const { validate }: { validate: Validate } = await import(resolve("node_modules", schema));
  const read = new Set<string>();
  const isValid = validate(watched(manifest, "", read));
  const refused = isValid
    ? []
    : (validate.errors ?? []).map(
        ({ instancePath, keyword, params }) => `${kind}${instancePath}: ${keyword} ${JSON.stringify(params)}`,
      );
  return [...refused, ...unread(manifest, "", read).map((path) => `${kind}${path}: is unknown`)];
}

/** Notes each field that the schema looks at: the compiled schemas have no list of them. */
function watched<T extends object>(value: T, path: string, read: Set<string>): T {
  return new Proxy(value, {
    get(target, key, receiver) {
      const field = Reflect.get(target, key, receiver);
      if (typeof key === "symbol") return field;
      read.add(`${path}/${key}`);
      return typeof field === "object" && field !== null ? watched(field, `${path}/${key}`, read) : field;
    },
  });
}

function unread(value: object, path: string, read: Set<string>): string[] {
  return Object.entries(value).flatMap(([key, field]) => {
    const at = `${path}/${key}`;
    if (!read.has(at)) return [at];
    return typeof field === "object" && field !== null ? unread(field, at, read) : [];
  });
}
