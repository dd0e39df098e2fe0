import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { $ } from "bun";
import { type PackageContent, writePackageFiles } from "./package-files.ts";

/**
 * Builds a package of RPM; the same content gives the same bytes.
 *
 * @param work an empty folder @param time seconds since 1970 @param file the package
 */
export async function buildRpm(
  content: PackageContent,
  options: { architecture: string; version: string; time: number; work: string; file: string },
): Promise<void> {
  const { work, time, architecture, file } = options;
  const tree = join(work, "tree");
  await writePackageFiles(tree, { kind: "rpm", content, time });
  const spec = join(work, "stillup.spec");
  await Bun.write(spec, specFile(tree, options));
  const definitions = {
    _topdir: work,
    _buildhost: "reproducible",
    use_source_date_epoch_as_buildtime: "1",
    clamp_mtime_to_source_date_epoch: "1",
    source_date_epoch_from_changelog: "0",
    _binary_payload: "w3.zstdio",
    _build_id_links: "none",
    debug_package: "%{nil}",
    __os_install_post: "%{nil}",
  };
  const defined = Object.entries(definitions).flatMap(([name, value]) => ["--define", `${name} ${value}`]);
  await $`rpmbuild -bb --quiet --target ${architecture} ${defined} ${spec}`
    .env({ ...process.env, SOURCE_DATE_EPOCH: String(time), LC_ALL: "C" })
    .quiet();
  const [built = ""] = readdirSync(join(work, "RPMS", architecture));
  copyFileSync(join(work, "RPMS", architecture, built), file);
}

function specFile(tree: string, { version }: { version: string }): string {
  return `Name: stillup
Version: ${version.replace("-", "~")}
Release: 1
Summary: Uptime monitoring in one binary
License: MIT
Requires: systemd
AutoReqProv: no

%description
Monitors websites, ports, certificates, DNS records and jobs, and notifies
chat services, e-mail and webhooks. The server and the probe of another
location are one program.

%install
cp -a ${tree}/. %{buildroot}/

%files
%defattr(-,root,root,-)
/usr/bin/stillup
%dir /usr/lib/stillup
/usr/lib/stillup/allow-ping
/usr/lib/systemd/system/stillup.service
/usr/lib/systemd/system/stillup-probe.service
/usr/lib/sysusers.d/stillup.conf
/usr/lib/sysusers.d/stillup-probe.conf
/usr/share/man/man1/stillup.1
/usr/share/bash-completion/completions/stillup
/usr/share/zsh/site-functions/_stillup
/usr/share/fish/vendor_completions.d/stillup.fish
%license /usr/share/licenses/stillup/LICENSE
%dir /etc/stillup
%config(noreplace) %attr(0600,root,root) /etc/stillup/stillup.env
%config(noreplace) %attr(0600,root,root) /etc/stillup/stillup-probe.env

%pre
if [ -e /usr/local/bin/stillup ]; then
  echo "stillup: /usr/local/bin/stillup exists. If install.sh has installed it, remove it first with install.sh --uninstall" >&2
  exit 1
fi

%post
systemd-sysusers stillup.conf stillup-probe.conf || :
/usr/lib/stillup/allow-ping || :
if [ -d /run/systemd/system ]; then systemctl daemon-reload || :; fi
if [ "$1" = 1 ]; then
  systemctl enable --quiet stillup.service || :
  if [ -d /run/systemd/system ]; then systemctl start stillup.service || :; fi
fi

%preun
if [ "$1" = 0 ]; then systemctl disable --quiet --now stillup.service stillup-probe.service || :; fi

%postun
if [ "$1" = 0 ]; then rm -f /etc/sysctl.d/10-stillup.conf /etc/sysctl.d/90-stillup.conf; fi
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload || :
  if [ "$1" -ge 1 ]; then systemctl try-restart stillup.service stillup-probe.service || :; fi
fi
`;
}
