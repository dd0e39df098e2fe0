/** The properties of a window that decide whether notifications can come to it. */
export interface BrowserWindow {
  isSecureContext: boolean;
  navigator: Pick<Navigator, "userAgent" | "maxTouchPoints"> & { serviceWorker?: unknown };
  PushManager?: unknown;
  Notification?: Pick<typeof Notification, "permission">;
}

/** Why a browser without an obstacle fails: it says only `AbortError` or the like. */
export const REFUSED =
  "This browser cannot notify this device: it must trust the certificate of stillup, load and store its files, and reach a push service.";

/** Why a browser cannot be notified, and what the reader can do. Undefined if it can be, as far as is known before a try. */
export function findObstacle({
  isSecureContext,
  navigator: { userAgent, maxTouchPoints, serviceWorker },
  PushManager,
  Notification,
}: BrowserWindow): string | undefined {
  if (!isSecureContext)
    return "To notify this device, open stillup by https://. Browsers allow it only there.";
  if (!PushManager || !serviceWorker)
    // An iPad says that it is a Mac, which has no touch screen.
    return /iP|Mac/.test(userAgent) && maxTouchPoints > 1
      ? "To notify this device (iOS 16.4 or later), tap Share, then “Add to Home Screen”, and open stillup from there."
      : "This browser cannot notify this device, at least not in a private window: open stillup in another window or browser.";
  if (Notification?.permission === "denied")
    return "Notifications of stillup are blocked, as always in a private window. Allow them for this site in the settings of the browser or of iOS, and open stillup again.";
  return undefined;
}
