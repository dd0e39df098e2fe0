import { sortedJson } from "../documentation/hcl.ts";

/** The settings of the provider that change requests. */
export interface ProviderSettings {
  uri: string;
  bearer_token: string;
  id_attribute: string;
  create_method: string;
  update_method: string;
}

/** A resource `restapi_object`. @property data JSON */
export interface ObjectSettings {
  path: string;
  create_path: string;
  update_path: string;
  ignore_server_additions: boolean;
  data: string;
}

/** An object as Terraform keeps it. */
interface State extends Partial<ObjectSettings> {
  id: string;
  data: string;
  path: string;
}

/** A request that was sent, as method and path, and the status of its answer. */
export type Sent = [request: string, status: number];

/**
 * Sends the requests of the provider Mastercard/restapi 3.0.0, in its order, as its source has them (internal/apiclient/object.go,
 * internal/provider/resource_api_object.go): for what `docs/terraform.md` uses of it.
 */
export class RestProvider {
  readonly #states = new Map<string, State>();
  #sent: Sent[] = [];

  constructor(private readonly settings: ProviderSettings) {}

  /** The requests since the last call. */
  takeSent(): Sent[] {
    const sent = this.#sent;
    this.#sent = [];
    return sent;
  }

  idOf(name: string): string {
    return this.#states.get(name)?.id ?? "unknown";
  }

  /** Creates or updates an object, if the plan says so. */
  async apply(name: string, wanted: ObjectSettings): Promise<void> {
    const planned = await this.plan(name, wanted);
    if (planned === "create")
      await this.#write(name, wanted, this.settings.create_method, wanted.create_path);
    if (planned === "update")
      await this.#write(name, wanted, this.settings.update_method, wanted.update_path);
  }

  /** Refreshes the state of an object, and compares what is wanted with it. */
  async plan(name: string, wanted: ObjectSettings): Promise<"create" | "update" | "nothing"> {
    const state = await this.#refresh(name);
    if (!state) return "create";
    const { data, ...paths } = wanted;
    const isSame = Object.entries(paths).every(([key, value]) => state[key as keyof typeof paths] === value);
    return isSame && sortedJson(JSON.parse(data)) === sortedJson(JSON.parse(state.data))
      ? "nothing"
      : "update";
  }

  async destroy(name: string): Promise<void> {
    const state = this.#states.get(name);
    if (!state) throw new Error(`${name} is not in the state`);
    const { status } = await this.#send("DELETE", `${state.path}/${state.id}`);
    if (status >= 300 && status !== 404 && status !== 410)
      throw new Error(`unexpected response code '${status}'`);
    this.#states.delete(name);
  }

  /** @param address such as `/monitors/ID` */
  async import(name: string, address: string): Promise<void> {
    const at = address.lastIndexOf("/");
    const [path, id] = [address.slice(0, at), address.slice(at + 1)];
    const { text } = await this.#succeed("GET", address);
    this.#states.set(name, { id, path, data: text });
  }

  async #refresh(name: string): Promise<State | undefined> {
    const state = this.#states.get(name);
    if (!state) return undefined;
    const { status, text } = await this.#send("GET", `${state.path}/${state.id}`);
    if (status === 404) this.#states.delete(name);
    else if (status >= 300) throw new Error(`unexpected response code '${status}': ${text}`);
    else if (!state.ignore_server_additions) state.data = text;
    return this.#states.get(name);
  }

  async #write(name: string, wanted: ObjectSettings, method: string, path: string): Promise<void> {
    const { text } = await this.#succeed(method, path, sortedJson(JSON.parse(wanted.data)));
    // An ID that is known stays.
    const id = this.#states.get(name)?.id ?? valueAt(JSON.parse(text), this.settings.id_attribute);
    this.#states.set(name, { ...wanted, id });
  }

  async #succeed(method: string, path: string, body?: string): Promise<{ status: number; text: string }> {
    const answer = await this.#send(method, path, body);
    if (answer.status >= 300) throw new Error(`unexpected response code '${answer.status}': ${answer.text}`);
    return answer;
  }

  async #send(method: string, path: string, body?: string): Promise<{ status: number; text: string }> {
    const { uri, bearer_token } = this.settings;
    const response = await fetch(uri + path, {
      method,
      headers: {
        authorization: `Bearer ${bearer_token}`,
        "user-agent": "Go-http-client/1.1",
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body }),
    });
    this.#sent.push([`${method} ${path}`, response.status]);
    return { status: response.status, text: (await response.text()) || "{}" };
  }
}

/** @param path such as `data/id` @throws Error if there is no text */
function valueAt(answer: unknown, path: string): string {
  const value = path.split("/").reduce((one, name) => Object(one)[name], answer);
  if (typeof value !== "string") throw new Error(`error extracting ID from data element: ${path}`);
  return value;
}
