import { Route, Switch } from "wouter";
import { NewChannel } from "./channel-form.tsx";
import { ChannelList } from "./channel-list.tsx";
import { ChannelPage } from "./channel-page.tsx";
import { ChooseView } from "./choose-view.tsx";

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
