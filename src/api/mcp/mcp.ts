import { Elysia } from "elysia";
import { AppError } from "../../errors.ts";
import { authenticate, authentication } from "../auth/authentication.ts";
import { MAX_BODY, NO_JSON, readJsonObject } from "../http/request-body.ts";
import type { Services } from "../http/services.ts";
import type { McpProtocol } from "./protocol.ts";

/** A message of JSON-RPC, or the answer to a body that is none. */
type Received = { message: object } | { refused: Response };

/**
 * The Model Context Protocol over Streamable HTTP, without sessions (behavior 29.1 to 29.7). The protocol and its tools are loaded by the
 * first message.
 */
export function mcpRoutes(services: Services) {
  const { authenticator, bodies } = services;
  const hidden = { detail: { hide: true } };
  let loaded: Promise<McpProtocol> | undefined;
  const load = () => {
    loaded ??= import("./protocol.ts").then(({ createProtocol }) => createProtocol(services));
    return loaded;
  };
  /** As `bodyFor`: the caller comes before the body. */
  const parse = async ({ request }: { request: Request }): Promise<Received> => {
    const caller = await authenticate(authenticator, request);
    using held = bodies.hold(caller.organizationId);
    return receive(request, held);
  };
  return new Elysia({ normalize: false })
    .get("/mcp", notAllowed, hidden)
    .delete("/mcp", notAllowed, hidden)
    .use(authentication(services))
    .post(
      "/mcp",
      async ({ request, body, caller: { organizationId } }) => {
        const received = body as Received;
        if ("refused" in received) return received.refused;
        return (await load()).answer(received.message, { request, organizationId });
      },
      { ...hidden, parse: [parse, "json"] },
    );
}

/** @throws AppError `too_large`, `unavailable` */
async function receive(
  request: Request,
  held: NonNullable<Parameters<typeof readJsonObject>[1]["held"]>,
): Promise<Received> {
  try {
    // The parts of a document are counted when it is judged, as `POST /api/v1/apply` does.
    const limits = { largest: MAX_BODY.keyed, mostParts: Number.POSITIVE_INFINITY, held };
    return { message: await readJsonObject(request, limits) };
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== "invalid") throw error;
    return { refused: refusal(error) };
  }
}

/** The codes of JSON-RPC 2.0 for a text that is no JSON, and for JSON that is no message. */
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

function refusal({ message }: AppError): Response {
  const isJson = message !== NO_JSON;
  const words = isJson ? `${message}: one JSON-RPC message, and no batch of messages` : message;
  const error = { code: isJson ? INVALID_REQUEST : PARSE_ERROR, message: words };
  return Response.json({ jsonrpc: "2.0", error, id: null }, { status: 400 });
}

/** Behavior 29.2: there is no stream to read, and no session to end. */
function notAllowed({ request }: { request: Request }): Response {
  const error = `${request.method} is not supported here: send each JSON-RPC message by POST`;
  return Response.json({ error }, { status: 405, headers: { allow: "POST" } });
}
