import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { ApiError, api, type Channel, getData } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { NameField } from "../form/fields.tsx";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { textOf } from "../form/form-values.ts";
import { describeBrowser } from "../people/profile.tsx";
import { Dialog, DialogActions, DialogButton } from "../ui/dialog.tsx";
import { UseFor, useCreateChannel } from "./new-channel.tsx";
import { findObstacle, REFUSED } from "./push-obstacle.ts";
import { SendTest } from "./send-test.tsx";

/** Whether notifications can come to this browser, and the button that lets them (behavior 21.70). */
export function ThisDevice({ channels }: { channels: readonly Channel[] }) {
  const { data: endpoint, error } = useQuery({ queryKey: queryKeys.pushEndpoint, queryFn: findEndpoint });
  const own = channels.find(({ config }) => endpoint && "url" in config && config.url === endpoint);
  const obstacle = findObstacle(window) ?? (error ? REFUSED : undefined);
  if (endpoint === undefined && !obstacle) return null;
  return (
    <>
      {own?.enabled ? (
        <p>
          This device is notified: <Link href={`/channels/${own.id}`}>{own.name}</Link>
        </p>
      ) : obstacle ? (
        <p className="text-muted">{obstacle}</p>
      ) : (
        <DialogButton label="Notify this device">
          {(onClose) => <Subscribe own={own} onClose={onClose} />}
        </DialogButton>
      )}
      {/* Stays if the test disables the channel, so that the reader sees why. */}
      {own && <SendTest key={endpoint} id={own.id} />}
    </>
  );
}

const register = () => navigator.serviceWorker?.register("/service-worker.js");

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
      throw new ApiError(0, findObstacle(window) ?? "Allow notifications when the browser asks.");
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
    <Dialog title="Notify this device" onClose={onClose}>
      <Form check={() => []} onSubmit={submit}>
        {!own && <NameField value={describeBrowser(navigator.userAgent)} />}
        {!own && <UseFor />}
        <FormFailure />
        <DialogActions onClose={onClose}>
          <SubmitButton>Notify this device</SubmitButton>
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
    throw new ApiError(0, REFUSED);
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
