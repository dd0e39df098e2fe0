# What the flake of the kit and its module declare, as nix-instantiate --eval --strict --json reads it. Only functions of nixpkgs that they
# call are here.
{ folder }:
let
  lib = {
    licenses.mit = "MIT";
    sourceTypes.binaryNativeCode = "binaryNativeCode";
    genAttrs = names: value: builtins.listToAttrs (map (name: { inherit name; value = value name; }) names);
    mkEnableOption = description: { inherit description; default = false; };
    mkOption = option: option;
    mkDefault = value: value;
    mkIf = condition: value: if condition then value else { };
    optionalAttrs = condition: value: if condition then value else { };
    types = {
      attrsOf = type: type;
      bool = "bool";
      nullOr = type: type;
      package = "package";
      path = "path";
      port = "port";
      str = "str";
    };
  };
  pkgsOf = system: rec {
    stdenv = { hostPlatform = { inherit system; }; mkDerivation = attributes: attributes; };
    callPackage = path: _: import path {
      inherit lib stdenv;
      fetchurl = source: source;
      autoPatchelfHook = "autoPatchelfHook";
      installShellFiles = "installShellFiles";
    };
  };
  nixpkgs = { inherit lib; legacyPackages = lib.genAttrs [ "x86_64-linux" "aarch64-linux" ] pkgsOf; };
  flake = import (folder + "/flake.nix");
  self = flake.outputs { inherit self nixpkgs; };
  pkgs = pkgsOf "x86_64-linux";
  evaluate = settings:
    let
      module = import (folder + "/module.nix") { inherit lib pkgs; config.services.stillup = defaults // settings; };
      defaults = builtins.mapAttrs (_: option: option.default or null) module.options.services.stillup;
    in
    module;
  wrapper = self.nixosModules.default { inherit pkgs lib; };
in
{
  inherit (self) packages;
  overlay = (self.overlays.default pkgs null).stillup;
  package = wrapper.services.stillup.package;
  off = (evaluate { }).config;
  on = (evaluate { enable = true; package = "stillup"; }).config;
  open = (evaluate {
    enable = true;
    package = "stillup";
    openFirewall = true;
    port = 8080;
    ownerEmail = "ana@example.com";
    baseUrl = "https://up.example.com";
    settings.STILLUP_RETENTION_DAYS = "30";
    environmentFile = "/run/secrets/stillup.env";
  }).config;
}
