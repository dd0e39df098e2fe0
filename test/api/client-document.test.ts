import { describe, expect, test } from "bun:test";
import { type TSchema, Type } from "@sinclair/typebox";
import { clientDocument } from "../../src/api/http/documentation.ts";
import { closed, named, nullable, oneOf } from "../../src/domain/schemas/schema.ts";

const Shop = Type.Object({ id: Type.String() }, named("Shop"));

describe("behavior 16.181: the document for generators of clients", () => {
  test("names bodies by their operation, and entities by their title", () => {
    const { paths, components } = documentOf({ answer: Type.Object({ data: Type.Array(Shop) }, closed) });
    expect(paths["/shops"]?.get?.responses["200"]).toEqual({
      description: "Success.",
      content: { "application/json": { schema: { $ref: "#/components/schemas/ListShopsResponse" } } },
    });
    expect(components.schemas).toEqual({
      ListShopsRequest: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      ListShopsResponse: {
        type: "object",
        properties: { data: { type: "array", items: { $ref: "#/components/schemas/Shop" } } },
        required: ["data"],
      },
      Shop: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
    });
  });

  test("shares the responses with an error", () => {
    const { paths, components } = documentOf({ answer: Shop });
    expect(paths["/shops"]?.get?.responses["404"]).toEqual({ $ref: "#/components/responses/NotFound" });
    expect(components.responses).toEqual({ NotFound: { description: "Nothing has this ID." } });
  });

  test.each([
    ["a choice of words as an enum", oneOf(["up", "down"]), { type: "string", enum: ["up", "down"] }],
    [
      "words or a number",
      Type.Union([...wordsOf("any", "all"), Type.Integer()]),
      {
        anyOf: [{ type: "string", enum: ["any", "all"] }, { type: "integer" }],
      },
    ],
    [
      "a value or null as one type",
      nullable(Type.Integer({ minimum: 1 })),
      { type: ["integer", "null"], minimum: 1 },
    ],
    [
      "words or null",
      nullable(oneOf(["up", "down"])),
      { type: ["string", "null"], enum: ["up", "down", null] },
    ],
    [
      "an entity or null",
      nullable(Shop),
      { anyOf: [{ $ref: "#/components/schemas/Shop" }, { type: "null" }] },
    ],
    [
      "a pattern only without a format",
      Type.String({ format: "tag", pattern: "^a$" }),
      { type: "string", format: "tag" },
    ],
    [
      "another description beside the reference",
      { ...Shop, description: "The first." },
      {
        $ref: "#/components/schemas/Shop",
        description: "The first.",
      },
    ],
  ])("shows %s", (_, schema, expected) => {
    const { components } = documentOf({ answer: Type.Object({ shop: Shop, value: schema }) });
    expect(components.schemas).toHaveProperty("ListShopsResponse.properties.value", expected);
  });

  test("shows an object whose type decides about its config as a choice of objects", () => {
    const configs = [Type.Object({ url: Type.String() }), Type.Object({ host: Type.String() })];
    const monitor = Type.Object(
      { type: oneOf(["HTTP", "TCP"]), config: Type.Object({}, { anyOf: configs }) },
      named("Probe"),
    );
    const { components } = documentOf({ answer: monitor });
    expect(components.schemas).toHaveProperty("Probe", {
      anyOf: [{ $ref: "#/components/schemas/HttpProbe" }, { $ref: "#/components/schemas/TcpProbe" }],
      discriminator: {
        propertyName: "type",
        mapping: { HTTP: "#/components/schemas/HttpProbe", TCP: "#/components/schemas/TcpProbe" },
      },
    });
    expect(components.schemas).toHaveProperty("TcpProbe.properties", {
      type: { type: "string", const: "TCP" },
      config: { type: "object", properties: { host: { type: "string" } }, required: ["host"] },
    });
  });

  test("never gives two schemas one name", () => {
    const other = Type.Object({ name: Type.String() }, named("Shop"));
    expect(() => documentOf({ answer: Type.Object({ shop: Shop, other }) })).toThrow("the title Shop");
  });
});

test("behavior 16.182: objects of responses are open, but not the members of a choice, which differ by their fields", () => {
  const config = Type.Union([Shop, Type.Object({ name: Type.String() }, named("Other"))]);
  const { components } = documentOf({ answer: Type.Object({ config }, closed) });
  expect(components.schemas).not.toHaveProperty("ListShopsResponse.additionalProperties");
  expect(components.schemas).toHaveProperty("Shop.additionalProperties", false);
  expect(components.schemas).toHaveProperty("Other.additionalProperties", false);
});

function wordsOf(...words: string[]) {
  return words.map((word) => Type.Literal(word));
}

/** The document of one operation. */
function documentOf({ answer }: { answer: TSchema }) {
  const notFound = { description: "Nothing has this ID." };
  const get = {
    operationId: "listShops",
    requestBody: { content: contentOf(Type.Object({ name: Type.String() })) },
    responses: { 200: { description: "Success.", content: contentOf(answer) }, 404: notFound },
  };
  return clientDocument({ paths: { "/shops": { get } }, components: {} }, { NotFound: notFound });
}

function contentOf(schema: TSchema) {
  return { "application/json": { schema } };
}
