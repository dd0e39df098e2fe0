# A module of NixOS: services.stillup. The unit is the one of the release, with all its restrictions.
{
  config,
  lib,
  pkgs,
  ...
}:
let
  cfg = config.services.stillup;
in
{
  options.services.stillup = {
    enable = lib.mkEnableOption "stillup, uptime monitoring in one binary";

    package = lib.mkOption {
      type = lib.types.package;
      description = "The package of stillup.";
    };

    ownerEmail = lib.mkOption {
      type = lib.types.str;
      default = "";
      example = "ana@example.com";
      description = "Invites the owner at the first start. The link is in the journal of the service.";
    };

    baseUrl = lib.mkOption {
      type = lib.types.nullOr lib.types.str;
      default = null;
      example = "https://up.example.com";
      description = "The URL at which browsers and jobs reach stillup.";
    };

    port = lib.mkOption {
      type = lib.types.port;
      default = 7070;
      description = "The port to listen on.";
    };

    openFirewall = lib.mkOption {
      type = lib.types.bool;
      default = false;
      description = "Opens the port in the firewall, and listens on all addresses.";
    };

    settings = lib.mkOption {
      type = lib.types.attrsOf lib.types.str;
      default = { };
      example = {
        STILLUP_RETENTION_DAYS = "30";
      };
      description = "Other settings, by the variables of `stillup serve --help`. All users of the system can read them.";
    };

    environmentFile = lib.mkOption {
      type = lib.types.nullOr lib.types.path;
      default = null;
      example = "/run/secrets/stillup.env";
      description = "A file with settings that contain secrets, such as STILLUP_SMTP_URL.";
    };
  };

  config = lib.mkIf cfg.enable {
    environment.systemPackages = [ cfg.package ];
    networking.firewall.allowedTCPPorts = lib.mkIf cfg.openFirewall [ cfg.port ];

    users.groups.stillup = { };
    users.users.stillup = {
      isSystemUser = true;
      group = "stillup";
      home = "/var/lib/stillup";
    };

    systemd.packages = [ cfg.package ];
    systemd.services.stillup = {
      wantedBy = [ "multi-user.target" ];
      environment = {
        STILLUP_PORT = toString cfg.port;
        STILLUP_OWNER_EMAIL = cfg.ownerEmail;
      }
      // lib.optionalAttrs cfg.openFirewall { STILLUP_HOST = "0.0.0.0"; }
      // lib.optionalAttrs (cfg.baseUrl != null) { STILLUP_BASE_URL = cfg.baseUrl; }
      // cfg.settings;
      serviceConfig = lib.optionalAttrs (cfg.environmentFile != null) {
        EnvironmentFile = cfg.environmentFile;
      };
    };
  };
}
