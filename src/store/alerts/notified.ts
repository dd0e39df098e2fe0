/** SQL: whether a row of `monitors` notifies somebody, so that at least one of its channels is enabled. */
export const IS_NOTIFIED = `EXISTS (SELECT 1 FROM alert_bindings
  JOIN alert_channels ON alert_channels.pk = alert_bindings.channel_pk
  WHERE alert_bindings.monitor_pk = monitors.pk AND alert_channels.enabled)`;
