import type { Observation } from "../domain/checks/observation.ts";
import type { ProbedType } from "../domain/monitors/monitor.ts";
import { probeDns } from "./dns.ts";
import { type Named, probeEveryAddress } from "./every-address.ts";
import { probeGrpc } from "./grpc.ts";
import { type HttpConfig, targetOf } from "./http/request.ts";
import { probeHttp } from "./http.ts";
import type { ProbeInput } from "./observe.ts";
import type { CheckConfig } from "./probe-messages.ts";
import { probeTcp } from "./tcp.ts";
import { probeTls } from "./tls.ts";
import { probeWebSocket } from "./websocket.ts";

type Probe<T extends ProbedType> = (config: CheckConfig<T>, input: ProbeInput) => Promise<Observation>;

const ofProtocol = { http: probeHttp, websocket: probeWebSocket, grpc: probeGrpc };

const probes: { [T in ProbedType]: Probe<T> } = {
  HTTP: (config, input) =>
    (config.protocol === undefined ? probeHttp : ofProtocol[config.protocol])(config, input),
  TCP: probeTcp,
  TLS: probeTls,
  DNS: probeDns,
};

/** Probes a target of any type. */
export function probe<T extends ProbedType>(
  type: T,
  config: CheckConfig<T>,
  input: ProbeInput,
): Promise<Observation> {
  const named = "everyAddress" in config && config.everyAddress ? namedIn(config) : undefined;
  if (!named) return probes[type](config, input);
  return probeEveryAddress(named, input, (part) => probes[type](config, part));
}

/** The host whose addresses are checked. */
function namedIn(config: Pick<HttpConfig, "url" | "ipFamily"> | { host: string }): Named {
  if ("host" in config) return config;
  return { host: targetOf(new URL(config.url)).target.host, family: config.ipFamily };
}
