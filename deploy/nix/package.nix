# The program of a release. Its archive is the same for all distributions: only the path of the loader is changed.
{
  lib,
  stdenv,
  fetchurl,
  autoPatchelfHook,
  installShellFiles,
}:
let
  version = "0.1.0";
  # SHA-256 of the archives. Zeros, if this file is not from a release: Nix then refuses the archive.
  checksums = {
    linux-x64 = "0000000000000000000000000000000000000000000000000000000000000000";
    linux-arm64 = "0000000000000000000000000000000000000000000000000000000000000000";
  };
  targets = {
    x86_64-linux = "linux-x64";
    aarch64-linux = "linux-arm64";
  };
  system = stdenv.hostPlatform.system;
  target = targets.${system} or (throw "stillup has no release for ${system}");
in
stdenv.mkDerivation {
  pname = "stillup";
  inherit version;

  src = fetchurl {
    url = "https://github.com/stillup/stillup/releases/download/v${version}/stillup-${version}-${target}.tar.gz";
    sha256 = checksums.${target};
  };

  nativeBuildInputs = [
    autoPatchelfHook
    installShellFiles
  ];

  dontConfigure = true;
  dontBuild = true;
  # The executable contains its sources.
  dontStrip = true;

  installPhase = ''
    runHook preInstall
    install -D --mode=755 stillup $out/bin/stillup
    installManPage stillup.1
    installShellCompletion --cmd stillup --bash stillup.bash --zsh stillup.zsh --fish stillup.fish
    install -D --mode=644 stillup.service $out/lib/systemd/system/stillup.service
    substituteInPlace $out/lib/systemd/system/stillup.service --replace-fail /usr/local/bin/stillup $out/bin/stillup
    runHook postInstall
  '';

  doInstallCheck = true;
  installCheckPhase = ''
    runHook preInstallCheck
    test "$($out/bin/stillup version)" = ${version}
    runHook postInstallCheck
  '';

  meta = {
    description = "Uptime monitoring in one binary";
    homepage = "https://stillup.dev";
    license = lib.licenses.mit;
    mainProgram = "stillup";
    platforms = builtins.attrNames targets;
    sourceProvenance = [ lib.sourceTypes.binaryNativeCode ];
  };
}
