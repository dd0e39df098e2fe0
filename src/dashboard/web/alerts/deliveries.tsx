import { Link } from "wouter";
import { api, type Delivery, getAnswer } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { Card } from "../ui/card.tsx";
import { PagedTable, usePages } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { contentOf } from "./channel-words.ts";

/** The notifications of a channel, page by page. */
export function Deliveries({ id }: { id: string }) {
  const pages = usePages<Delivery>({
    queryKey: queryKeys.deliveries(id),
    load: (query) => getAnswer(api.alerts({ id }).deliveries.get({ query: { limit: "25", ...query } })),
    isUnderWay: ({ status }) => status === "pending",
  });
  return (
    <Card id="deliveries" title="Deliveries">
      <PagedTable
        of="deliveries"
        pages={pages}
        columns={["Time", "Outcome", "About", "Change", { number: "Attempts" }, "Answer"]}
        row={(delivery) => <DeliveryRow key={delivery.id} delivery={delivery} />}
        none="No deliveries yet."
      />
    </Card>
  );
}

const deliveryLabels: Record<Delivery["status"], string> = {
  pending: "Pending",
  delivered: "Delivered",
  failed: "Failed",
  muted: "Muted",
  withdrawn: "Withdrawn",
};

function DeliveryRow({ delivery }: { delivery: Delivery }) {
  const { createdAt, status, attempts, error, answer, nextAttemptAt } = delivery;
  const { subject, change } = contentOf(delivery);
  return (
    <tr>
      <td>
        <Time at={createdAt} />
      </td>
      <td className={`outcome-${status}`}>{deliveryLabels[status]}</td>
      <td className="table-long">
        <Link href={subject.href}>{subject.name}</Link>
      </td>
      <td>{change}</td>
      <td className="table-number">{attempts}</td>
      <td className="table-long table-detail">
        {error ?? answer}
        {nextAttemptAt && attempts === 0 && "queued behind earlier notifications"}
        {nextAttemptAt && attempts > 0 && (
          <>
            , next attempt at <Time at={nextAttemptAt} />
          </>
        )}
      </td>
    </tr>
  );
}
