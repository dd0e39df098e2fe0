/** The slug of the page of `createPage`. */
export const SLUG = "bench";

const GROUPS = ["Website", "Payments", "Delivery", "API", "Internal"];
const MEMBERS = 10;

/** @property monitorIds each is a component */
interface NewPage {
  url: string;
  key: string;
  monitorIds: string[];
}

interface Created {
  id: string;
  components: { id: string }[];
}

/** Creates a public page with groups of ten, and some incidents, through the API. */
export async function createPage({ url, key, monitorIds }: NewPage): Promise<void> {
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const response = await fetch(`${url}/api/v1${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    if (response.status !== 201) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { data: Created }).data;
  };
  const components = monitorIds.map((monitorId, at) => ({
    monitorId,
    name: `Component ${at + 1} of the shop`,
    group: GROUPS[Math.floor(at / MEMBERS)] ?? "Others",
  }));
  const page = {
    slug: SLUG,
    title: "Shop status",
    description: "All parts of the shop.",
    visibility: "public",
  };
  const { id, components: created } = await post("/pages", {
    ...page,
    days: 90,
    showLatency: true,
    components,
  });
  for (const title of ["Slow payments", "Orders were not confirmed", "Search was not available"]) {
    await post(`/pages/${id}/incidents`, {
      title,
      impact: "minor",
      componentIds: created.slice(0, 1).map((component) => component.id),
      updates: [
        { status: "investigating", body: "We are looking into **it**." },
        {
          status: "resolved",
          body: "Everything works again. Details: [our blog](https://blog.example.com/).",
        },
      ],
    });
  }
}
