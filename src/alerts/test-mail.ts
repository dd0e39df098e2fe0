import type { DeliveryAttempt } from "../domain/alerts/delivery.ts";
import type { DeliverySettings } from "./delivery-settings.ts";
import { sendLinkMail } from "./link-mail.ts";

/**
 * Sends an e-mail that only shows that this server can send e-mail (behavior 16.333).
 *
 * @param now milliseconds since 1970
 */
export function sendTestMail(to: string, settings: DeliverySettings, now: number): Promise<DeliveryAttempt> {
  const title = "Test e-mail of stillup";
  const before = ["This server can send e-mail."];
  return sendLinkMail({ to, title, before, action: "Open stillup", url: settings.baseUrl() }, settings, now);
}
