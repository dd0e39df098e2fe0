{{/* The seconds of --drain: with several nodes, the others get the requests before one stops. */}}
{{- define "stillup.drain" -}}
{{- if hasKey .Values.settings "drain" -}}
{{ int .Values.settings.drain }}
{{- else -}}
{{ eq (include "stillup.onPostgres" .) "true" | ternary 10 0 }}
{{- end -}}
{{- end -}}

{{/* A variable whose value is in a Secret. */}}
{{- define "stillup.secretVariable" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret.name }}
      key: {{ .secret.key }}
{{ end -}}

{{- define "stillup.variable" -}}
- name: {{ .name }}
  value: {{ .value | toString | quote }}
{{ end -}}

{{- define "stillup.env" -}}
{{- $values := .Values -}}
{{- $env := dict
  "STILLUP_HOST" .Values.host
  "STILLUP_PORT" "7070"
  "STILLUP_DATA_DIR" "/var/lib/stillup"
  "TMPDIR" "/var/lib/stillup"
  "STILLUP_BASE_URL" (include "stillup.baseUrl" .)
  "STILLUP_DRAIN" (include "stillup.drain" .)
  "STILLUP_OWNER_EMAIL" .Values.ownerEmail
  "STILLUP_DATABASE_URL" .Values.postgres.url
  "STILLUP_SMTP_URL" .Values.smtp.url
  "STILLUP_SMTP_FROM" .Values.smtp.from
  "STILLUP_OIDC_ISSUER" .Values.oidc.issuer
  "STILLUP_OIDC_CLIENT_ID" .Values.oidc.clientId
  "STILLUP_OIDC_SCOPES" .Values.oidc.scopes
  "STILLUP_OIDC_ROLE_CLAIM" .Values.oidc.roleClaim
  "STILLUP_OIDC_ROLES" .Values.oidc.roles
  "STILLUP_OIDC_ORG" .Values.oidc.organization
  "STILLUP_CONFIG_ORG" .Values.configuration.organization
-}}
{{- range $name, $value := .Values.settings -}}
{{- if kindIs "float64" $value -}}{{- $value = int64 $value -}}{{- end -}}
{{- /* YAML reads on and off so. */ -}}
{{- if kindIs "bool" $value -}}{{- $value = ternary "on" "off" $value -}}{{- end -}}
{{- $_ := set $env (printf "STILLUP_%s" ($name | snakecase | upper)) ($value | toString) -}}
{{- end -}}
{{- if .Values.discovery.kubernetes -}}
{{- $_ := set $env "STILLUP_DISCOVER" (prepend (compact (list .Values.settings.discover)) "kubernetes" | join ",") -}}
{{- end -}}
{{- if .Values.oidc.only -}}{{- $_ := set $env "STILLUP_OIDC_ONLY" "true" -}}{{- end -}}
{{- range include "stillup.secretFiles" . | fromYamlArray -}}
{{- if .variable -}}{{- $_ := set $env .variable (printf "/etc/stillup/secrets/%s" .file) -}}{{- end -}}
{{- end -}}
{{- /* As with systemd, a placeholder whose variable is not set is a file there. */ -}}
{{- if .Values.configuration.variables -}}{{- $_ := set $env "CREDENTIALS_DIRECTORY" "/etc/stillup/variables" -}}{{- end -}}
{{- if include "stillup.configurationSource" . -}}{{- $_ := set $env "STILLUP_CONFIG" "/etc/stillup/configuration/stillup.yaml" -}}{{- end -}}
{{- range $name, $value := $env -}}
{{- if ne ($value | toString) "" -}}
{{ include "stillup.variable" (dict "name" $name "value" $value) }}
{{- end -}}
{{- end -}}
{{- with .Values.postgres.urlSecret.name -}}
{{ include "stillup.secretVariable" (dict "name" "STILLUP_DATABASE_URL" "secret" $values.postgres.urlSecret) }}
{{- end -}}
{{- end -}}

{{- define "stillup.configurationSource" -}}
{{- if or .Values.configuration.document .Values.configuration.existingConfigMap.name -}}true{{- end -}}
{{- end -}}

{{- define "stillup.configurationDocument" -}}
{{- with .Values.configuration.document -}}
{{- kindIs "string" . | ternary . (toYaml .) -}}
{{- end -}}
{{- end -}}

{{/* The secrets that are files: for each the Secret with its key, the name of the file, and the setting that has its path. */}}
{{- define "stillup.secretFiles" -}}
{{- with .Values.postgres.caSecret -}}
{{- if .name }}
- { secret: {{ .name | quote }}, key: {{ .key | quote }}, file: postgres-ca.crt }
{{- end }}
{{- end }}
{{- with .Values.postgres.passwordSecret -}}
{{- if .name }}
- { secret: {{ .name | quote }}, key: {{ .key | quote }}, file: database-password, variable: STILLUP_DATABASE_PASSWORD_FILE }
{{- end }}
{{- end }}
{{- with .Values.smtp.passwordSecret -}}
{{- if .name }}
- { secret: {{ .name | quote }}, key: {{ .key | quote }}, file: smtp-password, variable: STILLUP_SMTP_PASSWORD_FILE }
{{- end }}
{{- end }}
{{- with .Values.oidc.clientSecret -}}
{{- if .name }}
- { secret: {{ .name | quote }}, key: {{ .key | quote }}, file: oidc-client-secret, variable: STILLUP_OIDC_CLIENT_SECRET_FILE }
{{- end }}
{{- end }}
{{- end -}}

{{/* A part of a volume: one key of a Secret as a file. */}}
{{- define "stillup.secretFile" -}}
- secret:
    name: {{ .secret }}
    items:
      - key: {{ .key }}
        path: {{ .file }}
{{- end -}}

{{- define "stillup.probe" -}}
httpGet:
  path: /healthz?for={{ . }}
  port: http
timeoutSeconds: 5
{{- end -}}

{{/* The metadata and the specification of a pod. */}}
{{- define "stillup.podTemplate" -}}
metadata:
  labels:
    {{- include "stillup.selector" . | nindent 4 }}
    {{- with .Values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- $document := include "stillup.configurationDocument" . }}
  {{- if or $document .Values.podAnnotations }}
  annotations:
    {{- with $document }}
    # A pod reads the document at its start.
    stillup.dev/configuration: {{ sha256sum . }}
    {{- end }}
    {{- with .Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- end }}
spec:
  {{- if .Values.discovery.kubernetes }}
  serviceAccountName: {{ include "stillup.fullname" . }}
  automountServiceAccountToken: true
  {{- else }}
  # stillup asks nothing of Kubernetes.
  automountServiceAccountToken: false
  {{- end }}
  # The variables of a Service with the name stillup would be taken for settings, such as STILLUP_PORT.
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ add (include "stillup.drain" . | int) 30 }}
  securityContext:
    runAsNonRoot: true
    {{- if not .Values.openshift }}
    runAsUser: 10001
    runAsGroup: 10001
    fsGroup: 10001
    {{- end }}
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
    {{- if .Values.ping }}
    sysctls:
      - name: net.ipv4.ping_group_range
        value: {{ .Values.openshift | ternary "0 2147483647" "10001 10001" | quote }}
    {{- end }}
  {{- with .Values.image.pullSecrets }}
  imagePullSecrets:
    {{- range . }}
    - name: {{ . }}
    {{- end }}
  {{- end }}
  containers:
    - name: stillup
      image: {{ include "stillup.image" . | quote }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      args: [serve]
      env:
        {{- include "stillup.env" . | trim | nindent 8 }}
      ports:
        - name: http
          containerPort: 7070
      # Before the server listens, it migrates its database, which nothing may interrupt.
      startupProbe:
        {{- include "stillup.probe" "liveness" | nindent 8 }}
        periodSeconds: 2
        failureThreshold: {{ div (add .Values.startWithin 1) 2 }}
      livenessProbe:
        {{- include "stillup.probe" "liveness" | nindent 8 }}
        periodSeconds: 10
        failureThreshold: 3
      readinessProbe:
        {{- include "stillup.probe" "readiness" | nindent 8 }}
        periodSeconds: 5
        failureThreshold: 2
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      resources:
        {{- toYaml .Values.resources | nindent 8 }}
      volumeMounts:
        - name: data
          mountPath: /var/lib/stillup
        {{- if include "stillup.secretFiles" . | trim }}
        - name: secrets
          mountPath: /etc/stillup/secrets
          readOnly: true
        {{- end }}
        {{- if .Values.configuration.variables }}
        - name: variables
          mountPath: /etc/stillup/variables
          readOnly: true
        {{- end }}
        {{- if include "stillup.configurationSource" . }}
        - name: configuration
          mountPath: /etc/stillup/configuration
          readOnly: true
        {{- end }}
  {{- with include "stillup.volumes" . | trim }}
  volumes:
    {{- . | nindent 4 }}
  {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if .Values.topologySpreadConstraints }}
  topologySpreadConstraints:
    {{- toYaml .Values.topologySpreadConstraints | nindent 4 }}
  {{- else if gt (int .Values.replicas) 1 }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "stillup.selector" . | nindent 10 }}
  {{- end }}
  {{- with .Values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
{{- end -}}

{{- define "stillup.volumes" -}}
{{- if include "stillup.onPostgres" . }}
# The key of a first start, and what `stillup import kuma` copies.
- name: data
  emptyDir:
    sizeLimit: 1Gi
{{- else if .Values.persistence.existingClaim }}
- name: data
  persistentVolumeClaim:
    claimName: {{ .Values.persistence.existingClaim }}
{{- end }}
{{- with include "stillup.secretFiles" . | fromYamlArray }}
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      {{- range . }}
      {{- include "stillup.secretFile" . | nindent 6 }}
      {{- end }}
{{- end }}
{{- with .Values.configuration.variables }}
- name: variables
  projected:
    defaultMode: 0440
    sources:
      {{- range $name, $ref := . }}
      {{- include "stillup.secretFile" (dict "secret" $ref.name "key" $ref.key "file" $name) | nindent 6 }}
      {{- end }}
{{- end }}
{{- if include "stillup.configurationSource" . }}
{{- $given := .Values.configuration.existingConfigMap }}
- name: configuration
  configMap:
    name: {{ $given.name | default (printf "%s-configuration" (include "stillup.fullname" .)) }}
    items:
      - key: {{ $given.key | default "stillup.yaml" }}
        path: stillup.yaml
{{- end }}
{{- end -}}
