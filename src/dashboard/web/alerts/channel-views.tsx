import { useQuery } from "@tanstack/react-query";
import { Link, Route, Switch } from "wouter";
import { base } from "../app/base.ts";
import { useHasRole } from "../app/session.tsx";
import { ApiError, api, type Channel, getData } from "../data/api.ts";
import { channelsQuery, queryKeys } from "../data/query-keys.ts";
import { useChange, useWithoutHidden } from "../data/use-change.ts";
import { textOf } from "../form/field-errors.ts";
import { NameField } from "../form/fields.tsx";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { rich } from "../languages/rich.tsx";
import { plural, texts } from "../languages/texts.ts";
import { describeBrowser } from "../people/profile.tsx";
import { Dialog, DialogActions, DialogButton } from "../ui/dialog.tsx";
import { ListRow, ListView } from "../ui/list.tsx";
import { ServiceIcon, useCanMail } from "./channel-fields.tsx";
import { ChannelPage, describeNotifyOn, NewChannel } from "./channel-page.tsx";
import { ChooseView } from "./choose-channels.tsx";
import { SendTest, UseFor, useCreateChannel } from "./new-channel.tsx";
import { serviceLabel, serviceOf } from "./service.ts";

/** The views of channels. */
export function ChannelViews() {
  return (
    <Switch>
      <Route path="/channels" component={ChannelList} />
      <Route path="/channels/new" component={NewChannel} />
      <Route path="/channels/choose" component={ChooseView} />
      <Route path="/channels/:id">{({ id }) => <ChannelPage key={id} id={id} />}</Route>
    </Switch>
  );
}

function ChannelList() {
  const { data: all, error } = useQuery(channelsQuery);
  const data = useWithoutHidden(all);
  const mayWrite = useHasRole("admin");
  const { title, lead, none } = texts.alerts.list;
  return (
    <ListView
      title={title}
      lead={lead}
      items={data}
      error={error}
      none={none}
      row={(channel) => <ChannelRow key={channel.id} channel={channel} />}
      create={{ role: "admin", label: texts.alerts.create, href: "/channels/new" }}
    >
      {data && mayWrite && <ThisDevice channels={data} />}
    </ListView>
  );
}

function ChannelRow({ channel }: { channel: Channel }) {
  const { id, name, type, enabled, notifyOn, boundMonitors } = channel;
  const cannotMail = !useCanMail() && type === "EMAIL";
  const { details, detailsCannotMail } = texts.alerts.list;
  const words = { service: serviceLabel(channel), changes: describeNotifyOn(notifyOn) };
  return (
    <ListRow
      className="channel-row"
      icon={<ServiceIcon service={serviceOf(channel)} />}
      title={name}
      href={`/channels/${id}`}
      details={
        <span className="list-row-detail">
          {cannotMail
            ? rich(detailsCannotMail, {
                ...words,
                warning: (text) => <span className="warning">{text}</span>,
              })
            : rich(details, words)}
        </span>
      }
    >
      <p className="text-muted">
        {enabled ? plural(texts.alerts.boundMonitors, boundMonitors) : texts.alerts.disabled}
      </p>
    </ListRow>
  );
}

/** Whether notifications can come to this browser, and the button that lets them (behavior 21.70). */
function ThisDevice({ channels }: { channels: readonly Channel[] }) {
  const { data: endpoint, error } = useQuery({ queryKey: queryKeys.pushEndpoint, queryFn: findEndpoint });
  const own = channels.find(({ config }) => endpoint && "url" in config && config.url === endpoint);
  const obstacle = findObstacle(window) ?? (error ? texts.alerts.device.refused : undefined);
  if (endpoint === undefined && !obstacle) return null;
  return (
    <>
      {own?.enabled ? (
        <p>
          {rich(texts.alerts.device.notified, {
            channel: own.name,
            link: (text) => <Link href={`/channels/${own.id}`}>{text}</Link>,
          })}
        </p>
      ) : obstacle ? (
        <p className="text-muted">{obstacle}</p>
      ) : (
        <DialogButton label={texts.alerts.device.notify}>
          {(onClose) => <Subscribe own={own} onClose={onClose} />}
        </DialogButton>
      )}
      {/* Stays if the test disables the channel, so that the reader sees why. */}
      {own && <SendTest key={endpoint} id={own.id} />}
    </>
  );
}

const register = () => navigator.serviceWorker?.register(`${base}/service-worker.js`);

/** The address of the subscription of this browser; null without one. */
async function findEndpoint(): Promise<string | null> {
  return (await (await register())?.pushManager?.getSubscription())?.endpoint ?? null;
}

/** @property own the channel of an earlier subscription of this browser, which gets the new one */
function Subscribe({ own, onClose }: { own: Channel | undefined; onClose: () => void }) {
  const create = useCreateChannel();
  const change = useChange(queryKeys.channels);
  const submit = async (data: FormData) => {
    // First, because some browsers ask only directly after a click.
    if ((await Notification.requestPermission()) !== "granted")
      throw new ApiError(0, findObstacle(window) ?? texts.alerts.device.allow);
    // A subscription that is still valid stays: a channel of another organization may have it too.
    const test = own && (await getData(api.alerts({ id: own.id }).test.post()));
    const config = await subscribe(test?.status === "failed");
    const notifyOn: Channel["notifyOn"] = ["down", "warning", "healthy"];
    const name = textOf(data, "name") ?? "";
    if (own) await change(api.alerts({ id: own.id }).patch({ config, enabled: true }));
    else await create({ name, type: "WEBHOOK", config, notifyOn }, data);
    onClose();
  };
  return (
    <Dialog title={texts.alerts.device.notify} onClose={onClose}>
      <Form check={() => []} onSubmit={submit}>
        {!own && <NameField value={describeBrowser(navigator.userAgent)} />}
        {!own && <UseFor />}
        <FormFailure />
        <DialogActions onClose={onClose}>
          <SubmitButton>{texts.alerts.device.notify}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** @param renews whether the push service has ended the present subscription @returns the config of a channel */
async function subscribe(renews: boolean) {
  const { publicKey } = await getData(api.webpush.get());
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  try {
    const { pushManager } = await install();
    if (renews) await end(pushManager);
    // A subscription with the key of an earlier database cannot be used.
    const subscription = await pushManager.subscribe(options).catch(async () => {
      await end(pushManager);
      return pushManager.subscribe(options);
    });
    const { endpoint: url = "", keys = {} } = subscription.toJSON();
    return { url, format: "webpush", options: { p256dh: keys.p256dh, auth: keys.auth } };
  } catch {
    throw new ApiError(0, texts.alerts.device.refused);
  }
}

/** Waits until a service worker is active. Unlike `ready`, it ends if the browser cannot install one. */
async function install(): Promise<ServiceWorkerRegistration> {
  const registration = await register();
  const worker = registration.installing ?? registration.waiting;
  while (!registration.active) {
    if (!worker || worker.state === "redundant") throw new Error();
    await new Promise((done) => worker.addEventListener("statechange", done, { once: true }));
  }
  return registration;
}

async function end(pushManager: PushManager): Promise<void> {
  await (await pushManager.getSubscription())?.unsubscribe();
}

/** The properties of a window that decide whether notifications can come to it. */
export interface BrowserWindow {
  isSecureContext: boolean;
  navigator: Pick<Navigator, "userAgent" | "maxTouchPoints"> & { serviceWorker?: unknown };
  PushManager?: unknown;
  Notification?: Pick<typeof Notification, "permission">;
}

/** Why a browser cannot be notified, and what the reader can do. Undefined if it can be, as far as is known before a try. */
export function findObstacle({
  isSecureContext,
  navigator: { userAgent, maxTouchPoints, serviceWorker },
  PushManager,
  Notification,
}: BrowserWindow): string | undefined {
  const { insecure, homeScreen, noPush, denied } = texts.alerts.device.obstacle;
  if (!isSecureContext) return insecure;
  if (!PushManager || !serviceWorker)
    // An iPad says that it is a Mac, which has no touch screen.
    return /iP|Mac/.test(userAgent) && maxTouchPoints > 1 ? homeScreen : noPush;
  return Notification?.permission === "denied" ? denied : undefined;
}
