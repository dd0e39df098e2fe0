# stillup for Nix: the program of a release, and a module of NixOS.
#
# The archive of a release with these files has the checksums that package.nix needs:
#   nix run 'https://github.com/stillup/stillup/releases/download/v0.1.0/stillup-0.1.0-deploy.tar.gz?dir=nix' -- --help
{
  description = "Uptime monitoring in one binary";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      systems = [
        "x86_64-linux"
        "aarch64-linux"
      ];
      eachSystem = nixpkgs.lib.genAttrs systems;
    in
    {
      packages = eachSystem (system: {
        default = nixpkgs.legacyPackages.${system}.callPackage ./package.nix { };
      });

      overlays.default = final: _: { stillup = final.callPackage ./package.nix { }; };

      nixosModules.default =
        { pkgs, lib, ... }:
        {
          imports = [ ./module.nix ];
          services.stillup.package = lib.mkDefault self.packages.${pkgs.stdenv.hostPlatform.system}.default;
        };
    };
}
