import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useMay } from "../app/session.tsx";
import type { Channel } from "../data/api.ts";
import { channelsQuery } from "../data/shared-queries.ts";
import { Badge } from "../ui/badge.tsx";
import { Failure } from "../ui/failure.tsx";
import { countWords } from "../ui/numbers.ts";
import { View } from "../ui/view.tsx";
import { channelTypeWords } from "./channel-type.ts";

export function Channels() {
  const { data, error } = useQuery(channelsQuery);
  const mayWrite = useMay("admin");
  const add = mayWrite && (
    <Link className="button primary" href="/channels/new">
      New channel
    </Link>
  );
  return (
    <View title="Channels" aside={add}>
      <p className="lead">Who is told when a monitor changes its status.</p>
      <Failure error={error} />
      {data?.length === 0 && <p className="none">No channel yet: nobody is told of anything.</p>}
      <ul className="rows">
        {data?.map(({ id, name, type, enabled, notifyOn, bindings }) => (
          <li key={id} className="row simple">
            <div className="row-name">
              <Link href={`/channels/${id}`}>{name}</Link>
              <span className="target">
                <Badge>{channelTypeWords[type]}</Badge> {notifyWords(notifyOn)}
              </span>
            </div>
            <p className="muted">{enabled ? countWords(bindings.length, "monitor") : "Disabled"}</p>
          </li>
        ))}
      </ul>
    </View>
  );
}

export function notifyWords(notifyOn: Channel["notifyOn"]): string {
  return notifyOn.length === 3 ? "every change" : `only ${notifyOn.join(" and ")}`;
}
