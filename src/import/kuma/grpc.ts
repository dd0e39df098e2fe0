import { isProtocolHeader } from "../../domain/monitors/protocol-headers.ts";
import { flagOf, isRow, jsonOf, type Row, textIn } from "./data.ts";
import {
  intervalOf,
  type Mapped,
  type OmittedPart,
  omittedTimes,
  type Refused,
  timeoutOf,
} from "./fields.ts";
import { COMPUTED } from "./http.ts";

const ONLY = "stillup calls only grpc.health.v1.Health/Check";

/** Type `grpc-keyword`: taken over if it asks for the health that servers have in common. */
export function grpcFrom(row: Row): Mapped | Refused {
  const service = textIn(row, "grpc_service_name");
  const isHealth =
    /^\.?(grpc\.health\.v1\.)?Health$/.test(service) &&
    textIn(row, "grpc_method").toLowerCase() === "check" &&
    /\bpackage\s+grpc\.health\.v1\s*;/.test(textIn(row, "grpc_protobuf"));
  if (!isHealth) return { why: `its call is another one: ${ONLY}` };
  const keyword = textIn(row, "keyword").replaceAll('"', "");
  if (flagOf(row, "invert_keyword")) return { why: "its keyword is inverted: only SERVING is up here" };
  if (keyword !== "" && keyword !== "SERVING")
    return { why: "its keyword is not SERVING, which alone is up here" };
  const omitted = omittedTimes(row);
  return {
    type: "HTTP",
    config: {
      url: `${flagOf(row, "grpc_enable_tls") ? "https" : "http"}://${textIn(row, "grpc_url")}`,
      protocol: "grpc",
      ...serviceIn(row),
      ...headersIn(row, omitted),
      interval: intervalOf(row),
      timeout: timeoutOf(row),
    },
    omitted,
    notes: [],
  };
}

/** The body of the call is the request as JSON. */
function serviceIn(row: Row): { service?: string } {
  const request = jsonOf(row, "grpc_body");
  const service = isRow(request) ? textIn(request, "service") : "";
  return service === "" ? {} : { service };
}

/** Whether stillup or the protocol sets a header. */
function isOwn(name: string): boolean {
  return COMPUTED.has(name.toLowerCase()) || isProtocolHeader(name, "grpc");
}

function headersIn(row: Row, omitted: OmittedPart[]): { headers?: Record<string, string> } {
  const metadata = jsonOf(row, "grpc_metadata");
  const entries = isRow(metadata) ? Object.entries(metadata) : [];
  const taken = entries.filter(([name]) => !isOwn(name));
  for (const [name] of entries.filter(([one]) => isOwn(one)))
    omitted.push({ part: `metadata ${name}`, why: "stillup sets it itself" });
  return taken.length === 0
    ? {}
    : { headers: Object.fromEntries(taken.map(([name, value]) => [name, String(value)])) };
}
