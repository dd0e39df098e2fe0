import { writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { Background } from "../documentation/shell.ts";
import { freePort } from "../free-port.ts";
import type { TempDir } from "../temp-dir.ts";

export const PROXY_ENV = { PATH: `${process.env.PATH}:/usr/sbin` };

/** Runs Caddy until it is disposed. @param options of its global block, in lines */
export function runCaddy({ path }: TempDir, options: string, sites: string): Background {
  const shared = `admin off\n\tskip_install_trust\n\tstorage file_system ${path}`;
  writeFileSync(join(path, "Caddyfile"), `{\n\t${options}\n\t${shared}\n}\n${sites}`);
  const line = "exec caddy run --config Caddyfile --adapter caddyfile";
  return new Background(line, { cwd: path, env: { ...PROXY_ENV, HOME: path } });
}

/** Runs nginx until it is disposed. @param servers the blocks within `http` */
export function runNginx({ path }: TempDir, servers: string): Background {
  const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (of) => `${of}_temp_path ${path}/${of};`,
  );
  writeFileSync(
    join(path, "nginx.conf"),
    // Its workers write the cache to this folder, which only its owner may read.
    `${userInfo().uid === 0 ? "user root; " : ""}daemon off; pid ${path}/pid; error_log stderr; events {}
http { access_log off; ${folders.join(" ")}
${servers}}`,
  );
  return new Background(`exec nginx -e stderr -p ${path} -c nginx.conf`, { cwd: path, env: PROXY_ENV });
}

/** A proxy of `path` of a host on this machine, by plain HTTP; it serves nothing else. */
export interface PathProxy {
  path: string;
  /** Where stillup listens, as host and port. */
  upstream: string;
  /** Whether stillup gets paths without `path`. */
  removesPath: boolean;
}

/** Run a proxy at a port. */
export const PATH_PROXIES = {
  nginx: (folder: TempDir, port: number, { path, upstream, removesPath }: PathProxy) =>
    runNginx(
      folder,
      `server {
  listen 127.0.0.1:${port};
  location ${path}/ {
    proxy_pass http://${upstream}${removesPath ? "/" : ""};
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
  }
}
`,
    ),
  caddy: (folder: TempDir, port: number, { path, upstream, removesPath }: PathProxy) =>
    runCaddy(
      folder,
      `http_port ${freePort()}`,
      `http://127.0.0.1:${port} {
	redir ${path} ${path}/
	${removesPath ? "handle_path" : "handle"} ${path}/* {
		reverse_proxy ${upstream}
	}
	respond 404
}
`,
    ),
};
