import type { ReactNode } from "react";
import { type Receiver, type Service, serviceLabel, serviceOf } from "./service.ts";

/** Lines of our own in a square of 24: things that the services are used for, never their logos. */
const shapes: Record<Service, string> = {
  /* A number sign */
  SLACK: "M9.5 4 7.5 20M16.5 4l-2 16M4.5 9h16M3.5 15h16",
  /* A headset */
  DISCORD: "M4 15v-3a8 8 0 0 1 16 0v3M4 14h3v6H6a2 2 0 0 1-2-2zM20 14h-3v6h1a2 2 0 0 0 2-2z",
  /* Two people */
  TEAMS:
    "M9 11a3.2 3.2 0 1 0 0-6.4A3.2 3.2 0 0 0 9 11zM3 19.5c0-3.3 2.6-5.3 6-5.3s6 2 6 5.3M15.8 10.6a2.7 2.7 0 1 0-.6-5.3M17.6 14.6c2.1.6 3.4 2.3 3.4 4.9",
  /* An envelope */
  EMAIL: "M4 6h16v12H4zM4.5 7l7.5 6 7.5-6",
  /* A robot */
  telegram: "M5 9h14v10H5zM12 9V5M9.2 13v1M14.8 13v1M9.5 16.5h5M2.5 12.5v3M21.5 12.5v3",
  /* Two speech bubbles */
  googlechat: "M4 5h11v8H9l-3 3v-3H4zM18 9h2v8h-2v3l-3-3h-4",
  /* A network */
  matrix:
    "M12 8.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM6 20a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM18 20a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM10.8 8.2l-3.6 7M13.2 8.2l3.6 7M8.5 17.5h7",
  /* A padlock */
  signal: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3M12 14.5v2",
  /* A bell */
  ntfy: "M6 17v-6a6 6 0 0 1 12 0v6M4 17h16M10.5 20.5h3",
  /* A phone that vibrates */
  pushover: "M8 3.5h8v17H8zM11 17.5h2M4.5 8.5v7M19.5 8.5v7",
  /* A tray */
  gotify: "M4 13.5V19h16v-5.5M4 13.5h4.5L10 16h4l1.5-2.5H20M12 4v7M8.8 8 12 11.2 15.2 8",
  /* A pager */
  pagerduty: "M3 6.5h18v11H3zM6 9.5h8v4H6zM17.5 10v.01M17.5 13.5v.01",
  /* A siren */
  alertmanager: "M7 17v-4.5a5 5 0 0 1 10 0V17M4.5 17h15v3h-15zM12 3v1.5M4.8 6l1 1M19.2 6l-1 1",
  /* A phone with a dot */
  webpush: "M7 3.5h10v17H7zM11 17.5h2M17.5 5.5v.01",
  /* A hook */
  standard: "M15 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM15 7v8.5a4.8 4.8 0 0 1-9.6 0V12l3.2 3.2",
  /* Braces */
  custom:
    "M9 4C6.5 4 6 5 6 7v2c0 2-.7 3-2.5 3C5.3 12 6 13 6 15v2c0 2 .5 3 3 3M15 4c2.5 0 3 1 3 3v2c0 2 .7 3 2.5 3-1.8 0-2.5 1-2.5 3v2c0 2-.5 3-3 3",
};

/** Decoration: the name of the service is always beside it. */
export function ServiceIcon({ service }: { service: Service }) {
  return (
    <svg className="service-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={shapes[service]} />
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
