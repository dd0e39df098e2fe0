import type { ReactNode } from "react";
import { declarations } from "../../../domain/alerts/services/registry.ts";
import { isFormat, type Receiver, type Service, serviceLabel, serviceOf } from "./service.ts";

/** Lines of our own in a square of 24, as a declaration has them. */
const shapes = {
  // A number sign.
  SLACK: "M9.5 4 7.5 20M16.5 4l-2 16M4.5 9h16M3.5 15h16",
  // A headset.
  DISCORD: "M4 15v-3a8 8 0 0 1 16 0v3M4 14h3v6H6a2 2 0 0 1-2-2zM20 14h-3v6h1a2 2 0 0 0 2-2z",
  // Two people.
  TEAMS:
    "M9 11a3.2 3.2 0 1 0 0-6.4A3.2 3.2 0 0 0 9 11zM3 19.5c0-3.3 2.6-5.3 6-5.3s6 2 6 5.3M15.8 10.6a2.7 2.7 0 1 0-.6-5.3M17.6 14.6c2.1.6 3.4 2.3 3.4 4.9",
  // An envelope.
  EMAIL: "M4 6h16v12H4zM4.5 7l7.5 6 7.5-6",
};

/** Decoration: the name of the service is always beside it. */
export function ServiceIcon({ service }: { service: Service }) {
  return (
    <svg className="service-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={isFormat(service) ? declarations[service].icon : shapes[service]} />
    </svg>
  );
}

interface NameProps {
  channel: Receiver;
  /** Beside the name. */
  children?: ReactNode;
}

/** The icon and the name of the service of a channel. */
export function ServiceName({ channel, children }: NameProps) {
  return (
    <p className="channel-service">
      <ServiceIcon service={serviceOf(channel)} />
      {serviceLabel(channel)}
      {children}
    </p>
  );
}
