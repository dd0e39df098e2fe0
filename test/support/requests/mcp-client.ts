import { Client as SdkClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Client } from "./client.ts";

/** The answer of a tool. */
export interface ToolAnswer {
  isError: boolean;
  note: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests assert the shape
  data: any;
  confirm?: string;
}

/** An agent, with the client of the SDK, over HTTP. */
export class McpClient implements AsyncDisposable {
  private constructor(readonly sdk: SdkClient) {}

  /** @param client with the key of the agent @param more headers */
  static async connect(
    { url, key }: Pick<Client, "url" | "key">,
    more: Record<string, string> = {},
  ): Promise<McpClient> {
    const sdk = new SdkClient({ name: "agent", version: "1.0.0" });
    const requestInit = { headers: { authorization: `Bearer ${key}`, ...more } };
    const transport = new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit });
    await sdk.connect(transport as Transport);
    return new McpClient(sdk);
  }

  /** @throws if the text of the answer is not the JSON of its structured content */
  async call(name: string, given: Record<string, unknown> = {}): Promise<ToolAnswer> {
    const {
      isError = false,
      structuredContent,
      content,
    } = await this.sdk.callTool({ name, arguments: given });
    const [{ type, text }] = content as [{ type: string; text: string }];
    if (type !== "text" || !Bun.deepEquals(JSON.parse(text), structuredContent))
      throw new Error(`the text of ${name} is not its structured content: ${text}`);
    return { isError: isError === true, ...(structuredContent as Omit<ToolAnswer, "isError">) };
  }

  /** Writes with the confirmation of a dry run. @throws if either fails */
  async write(name: string, given: Record<string, unknown> = {}): Promise<ToolAnswer> {
    const tried = await this.call(name, given);
    const written = await this.call(name, { ...given, confirm: tried.confirm });
    if (written.isError) throw new Error(`${name} failed: ${JSON.stringify(written.data)}`);
    return written;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sdk.close();
  }
}
