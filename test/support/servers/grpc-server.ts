import {
  type Metadata,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceDefinition,
  type sendUnaryData,
} from "@grpc/grpc-js";

type Bytes = (value: Buffer) => Buffer;

const asItIs: Bytes = (value) => value;

const HEALTH: ServiceDefinition = {
  Check: {
    path: "/grpc.health.v1.Health/Check",
    requestStream: false,
    responseStream: false,
    requestSerialize: asItIs,
    requestDeserialize: asItIs,
    responseSerialize: asItIs,
    responseDeserialize: asItIs,
  },
};

export type Answer = Parameters<sendUnaryData<Buffer>>;

/** A call as the server sees it. @property service of which the call asks the health @property deadline milliseconds since 1970 */
export interface SeenCall {
  service: string;
  metadata: Metadata;
  host: string;
  deadline: number;
}

export interface GrpcServer extends AsyncDisposable {
  port: number;
}

/** The message of `HealthCheckResponse`. */
export function health(status: number): Buffer {
  return Buffer.from([0x08, status]);
}

/** A real gRPC server. @param answer what its health service says; without it, it has none */
export async function startGrpcServer(
  answer?: (call: SeenCall) => Answer | Promise<Answer>,
  credentials = ServerCredentials.createInsecure(),
): Promise<GrpcServer> {
  const server = new Server();
  if (answer) {
    const Check = async (call: ServerUnaryCall<Buffer, Buffer>, send: sendUnaryData<Buffer>) =>
      send(...(await answer(seen(call))));
    server.addService(HEALTH, { Check });
  }
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", credentials, (error, bound) => (error ? reject(error) : resolve(bound))),
  );
  return {
    port,
    async [Symbol.asyncDispose]() {
      server.forceShutdown();
    },
  };
}

/** The request has one field, a text, whose length fits in one byte or two. */
function seen(call: ServerUnaryCall<Buffer, Buffer>): SeenCall {
  const { request } = call;
  const start = (request[1] ?? 0) < 0x80 ? 2 : 3;
  const service = request.subarray(start).toString();
  return { service, metadata: call.metadata, host: call.getHost(), deadline: Number(call.getDeadline()) };
}
