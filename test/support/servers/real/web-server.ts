import { freePort } from "../../free-port.ts";
import type { ServerCertificate } from "../certificates.ts";
import { certificateFiles, type Daemon, folderOf, startDaemon, unprivileged } from "./daemon.ts";

/** nginx. @param servers the blocks of its servers for their ports, in a folder with `cert.pem`, `key.pem` and `client-ca.pem` */
export async function startNginx(
  own: ServerCertificate,
  clientAuthority: string,
  servers: (ports: { secure: number; plain: number }) => string,
): Promise<Daemon> {
  const [secure, plain] = [freePort(), freePort()];
  const files = { ...certificateFiles(own), "client-ca.pem": clientAuthority };
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const config = `
daemon off; pid nginx.pid; error_log stderr; worker_processes 1;
events {}
http {
  access_log off;
  ${temporary.map((one) => `${one}_temp_path ${one};`).join(" ")}
  ${servers({ secure, plain })}
}`;
  const folder = folderOf(unprivileged, { ...files, conf: config });
  const command = `nginx -e stderr -p ${folder.path} -c ${folder.path}/conf`;
  return startDaemon({ command, folder, ports: [secure, plain], user: unprivileged });
}
