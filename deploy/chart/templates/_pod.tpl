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
{{- if .Values.oidc.only -}}{{- $_ := set $env "STILLUP_OIDC_ONLY" "true" -}}{{- end -}}
{{- if .Values.oidc.clientSecret.name -}}{{- $_ := set $env "STILLUP_OIDC_CLIENT_SECRET_FILE" "/etc/stillup/oidc/client-secret" -}}{{- end -}}
{{- if include "stillup.configurationSource" . -}}{{- $_ := set $env "STILLUP_CONFIG" "/etc/stillup/configuration/stillup.yaml" -}}{{- end -}}
{{- range $name, $value := $env -}}
{{- if ne ($value | toString) "" -}}
{{ include "stillup.variable" (dict "name" $name "value" $value) }}
{{- end -}}
{{- end -}}
{{- with .Values.postgres.urlSecret.name -}}
{{ include "stillup.secretVariable" (dict "name" "STILLUP_DATABASE_URL" "secret" $values.postgres.urlSecret) }}
{{- end -}}
{{- with .Values.postgres.passwordSecret.name -}}
{{ include "stillup.secretVariable" (dict "name" "PGPASSWORD" "secret" $values.postgres.passwordSecret) }}
{{- end -}}
{{- with .Values.smtp.urlSecret.name -}}
{{ include "stillup.secretVariable" (dict "name" "STILLUP_SMTP_URL" "secret" $values.smtp.urlSecret) }}
{{- end -}}
{{- range $name, $secret := .Values.configuration.variables -}}
{{ include "stillup.secretVariable" (dict "name" $name "secret" $secret) }}
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

{{/* The secrets that are files: for each the name of its volume, the Secret, and the name of the file. */}}
{{- define "stillup.secretFiles" -}}
{{- with .Values.postgres.caSecret -}}
{{- if .name }}
- { volume: postgres, secret: {{ .name | quote }}, key: {{ .key | quote }}, file: ca.crt }
{{- end }}
{{- end }}
{{- with .Values.oidc.clientSecret -}}
{{- if .name }}
- { volume: oidc, secret: {{ .name | quote }}, key: {{ .key | quote }}, file: client-secret }
{{- end }}
{{- end }}
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
  # stillup asks nothing of Kubernetes.
  automountServiceAccountToken: false
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
        {{- range include "stillup.secretFiles" . | fromYamlArray }}
        - name: {{ .volume }}
          mountPath: /etc/stillup/{{ .volume }}
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
{{- range include "stillup.secretFiles" . | fromYamlArray }}
- name: {{ .volume }}
  secret:
    secretName: {{ .secret }}
    defaultMode: 0440
    items:
      - key: {{ .key }}
        path: {{ .file }}
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
