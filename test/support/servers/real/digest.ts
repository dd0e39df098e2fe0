import { createHash } from "node:crypto";
import { freePort } from "../../free-port.ts";
import { type Daemon, folderOf, startDaemon, unprivileged } from "./daemon.ts";

const REALM = "members only";

export interface Credentials {
  user: string;
  password: string;
}

/** A line of a file of users: the hash is all that the server knows of the password. */
function userLine({ user, password }: Credentials, algorithm: string): string {
  const hash = createHash(algorithm).update(`${user}:${REALM}:${password}`).digest("hex");
  return `${user}:${REALM}:${hash}\n`;
}

const PAGE = { "index.html": "welcome" };

/** lighttpd, which asks for Digest with one algorithm. */
export async function startLighttpd(credentials: Credentials, algorithm: "SHA-256" | "MD5"): Promise<Daemon> {
  const port = freePort();
  const users = userLine(credentials, algorithm === "MD5" ? "md5" : "sha256");
  const folder = folderOf(unprivileged, { ...PAGE, users });
  const configuration = `
    server.modules = ("mod_auth", "mod_authn_file")
    server.document-root = "${folder.path}"
    server.bind = "127.0.0.1"
    server.port = ${port}
    index-file.names = ("index.html")
    auth.backend = "htdigest"
    auth.backend.htdigest.userfile = "${folder.path}/users"
    auth.require = ("/" => (
      "method" => "digest", "algorithm" => "${algorithm}", "realm" => "${REALM}", "require" => "valid-user"
    ))
  `;
  await Bun.write(`${folder.path}/lighttpd.conf`, configuration);
  return startDaemon({ command: "lighttpd -D -f lighttpd.conf", folder, ports: [port], user: unprivileged });
}

const MODULES = ["mpm_event", "authn_core", "authn_file", "authz_core", "authz_user", "auth_digest", "dir"];

/** Apache, which asks for Digest with MD5. */
export async function startApache(credentials: Credentials): Promise<Daemon> {
  const port = freePort();
  const folder = folderOf(unprivileged, { ...PAGE, users: userLine(credentials, "md5") });
  const configuration = `
    ServerRoot ${folder.path}
    DefaultRuntimeDir ${folder.path}
    ServerName localhost
    Listen 127.0.0.1:${port}
    PidFile pid
    ErrorLog errors
    ${MODULES.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join("\n")}
    DocumentRoot ${folder.path}
    DirectoryIndex index.html
    <Directory ${folder.path}>
      AuthType Digest
      AuthName "${REALM}"
      AuthDigestProvider file
      AuthUserFile users
      Require valid-user
    </Directory>
  `;
  await Bun.write(`${folder.path}/httpd.conf`, configuration);
  const command = `apache2 -f ${folder.path}/httpd.conf -D FOREGROUND`;
  return startDaemon({ command, folder, ports: [port], user: unprivileged });
}
