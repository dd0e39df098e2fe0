import type { Command } from "commander";

/** The examples in the help of each command, by the names of the command: a command line, and the result. */
const EXAMPLES: Record<string, readonly (readonly [line: string, does: string])[]> = {
  serve: [
    ["stillup serve", "on http://127.0.0.1:7070, with the database in ./data"],
    ["stillup serve --port 8080 --base-url https://status.example.com", "behind a reverse proxy"],
    ["stillup serve --demo", "a demonstration, which keeps and sends nothing"],
  ],
  probe: [["stillup probe --server https://status.example.com --key-file location.key", "check from here"]],
  run: [["stillup run --url URL --timeout 2h -- ./backup.sh", "report how the job ends"]],
  status: [
    ["stillup status", "the monitors in trouble"],
    ["stillup status --json | jq .counts", "how many there are by state"],
  ],
  health: [["stillup health --url https://status.example.com", "exit code 0 if it is healthy"]],
  login: [
    ["stillup login https://status.example.com", "asks for a key"],
    ["stillup login https://status.example.com < key", "in a script"],
  ],
  logout: [["stillup logout", "use the database of this machine again"]],
  monitors: [["stillup monitors list --tag shop", "the monitors with a tag"]],
  "monitors list": [
    ["stillup monitors list", "all monitors"],
    ["stillup monitors list --tag shop --json", "for a script"],
  ],
  "monitors pause": [
    ['stillup monitors pause "Shop front"', "one monitor"],
    ["stillup monitors pause --tag shop", "all with a tag"],
  ],
  "monitors resume": [["stillup monitors resume --tag shop", "all with a tag"]],
  "monitors check": [['stillup monitors check "Shop front"', "now, before it is due"]],
  ack: [['stillup ack "Shop front" --note "Disk full, Mia is on it"', "ends the reminders of its outage"]],
  maintenance: [["stillup maintenance start --for 30m --tag shop", "silence for a deployment"]],
  "maintenance start": [
    ['stillup maintenance start --for 30m --tag shop --title "Release 4.2"', "all monitors with a tag"],
    ["stillup maintenance start --for 2h --all", "all monitors"],
  ],
  "maintenance end": [["stillup maintenance end --tag shop", "what was started for exactly this tag"]],
  "maintenance list": [["stillup maintenance list", "with those that have ended"]],
  import: [["stillup import kuma kuma.db > monitors.yaml", "a file for stillup apply"]],
  "import kuma": [
    ["stillup import kuma kuma.db --report left-out.txt > monitors.yaml", "a file for stillup apply"],
  ],
  "import gatus": [["stillup import gatus config.yaml > monitors.yaml", "a file for stillup apply"]],
  "import healthchecks": [
    ["stillup import healthchecks https://hc.example.com > jobs.yaml", "a file for stillup apply"],
  ],
  "import upptime": [["stillup import upptime .upptimerc.yml > monitors.yaml", "a file for stillup apply"]],
  "import openstatus": [
    ["stillup import openstatus openstatus.json > monitors.yaml", "a file for stillup apply"],
  ],
  "import uptimerobot": [
    ["stillup import uptimerobot uptimerobot.json > monitors.yaml", "a file for stillup apply"],
  ],
  "import betterstack": [
    ["stillup import betterstack betterstack.json > monitors.yaml", "a file for stillup apply"],
  ],
  apply: [
    ["stillup apply monitors.yaml --dry-run", "only show the plan"],
    ["stillup apply monitors.yaml --dry-run --replay 30", "and what it would have changed in 30 days"],
    ["stillup apply monitors.yaml --prune", "also delete what the file lacks"],
  ],
  export: [["stillup export > monitors.yaml", "what exists as a file"]],
  mcp: [
    ["stillup mcp", "for the server of stillup login"],
    ["stillup mcp --server https://status.example.com --key-file viewer.key", "as a client starts it"],
  ],
  orgs: [["stillup orgs list", "the organizations"]],
  "orgs create": [["stillup orgs create Acme", "an organization without limits"]],
  "orgs list": [["stillup orgs list", "the organizations"]],
  "orgs update": [["stillup orgs update ID --name Acme", "rename it"]],
  keys: [["stillup keys create --name me", "a key to sign in with"]],
  "keys create": [
    ["stillup keys create --name me", "a key of an owner, to sign in with"],
    ["stillup keys create --name deploy --role admin > key", "a key for a script"],
  ],
  "keys list": [["stillup keys list", "the keys, without their secrets"]],
  "keys revoke": [["stillup keys revoke ID", "an ID that keys list prints"]],
  people: [["stillup people list", "who may sign in"]],
  "people create": [["stillup people create --email mia@example.com --role admin", "prints the invitation"]],
  "people list": [["stillup people list", "who may sign in"]],
  "people disable": [["stillup people disable ID", "an ID that people list prints"]],
  "people link": [["stillup people link ID", "for somebody who has forgotten the password"]],
  backup: [["stillup backup stillup-$(date +%F).db", "also while a server runs"]],
  restore: [["stillup restore stillup-2026-11-28.db", "while no server runs"]],
  check: [["stillup check", "also while a server runs"]],
  copy: [
    ["stillup copy --from data --to postgres://stillup@db.example.com/stillup", "into an empty database"],
  ],
  nodes: [["stillup nodes", "the servers that share the database"]],
  completion: [["stillup completion bash > /etc/bash_completion.d/stillup", "for all users"]],
  "completion bash": [["stillup completion bash > /etc/bash_completion.d/stillup", "for all users"]],
  "completion zsh": [
    ["stillup completion zsh > /usr/local/share/zsh/site-functions/_stillup", "for all users"],
  ],
  "completion fish": [["stillup completion fish > ~/.config/fish/completions/stillup.fish", "for you"]],
  version: [
    ["stillup version", "the version"],
    ["stillup version --check", "whether a newer one is released; nothing else asks"],
  ],
};

/** Adds its examples to the help of a command. @param path the names of its groups, then its name */
export function addExamples(command: Command, path: string): void {
  const examples = EXAMPLES[path];
  if (!examples) return;
  const lines = examples.flatMap(([line, does]) => [`  ${line}`, `      ${does}`]);
  command.addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
}
