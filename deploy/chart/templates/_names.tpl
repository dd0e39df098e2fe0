{{- define "stillup.name" -}}
{{- .Values.nameOverride | default .Chart.Name | trunc 49 | trimSuffix "-" -}}
{{- end -}}

{{/* Short enough for what is appended to it. */}}
{{- define "stillup.fullname" -}}
{{- $name := include "stillup.name" . -}}
{{- $full := contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name) -}}
{{- .Values.fullnameOverride | default $full | trunc 49 | trimSuffix "-" -}}
{{- end -}}

{{- define "stillup.selector" -}}
app.kubernetes.io/name: {{ include "stillup.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "stillup.labels" -}}
{{ include "stillup.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | quote }}
{{- with .Values.labels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "stillup.metadata" -}}
name: {{ include "stillup.fullname" . }}
namespace: {{ .Release.Namespace }}
labels:
  {{- include "stillup.labels" . | nindent 2 }}
{{- end -}}

{{- define "stillup.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "stillup.onPostgres" -}}
{{- if or .Values.postgres.url .Values.postgres.urlSecret.name -}}true{{- end -}}
{{- end -}}

{{- define "stillup.serviceUrl" -}}
{{- $port := int .Values.service.port -}}
http://{{ include "stillup.fullname" . }}.{{ .Release.Namespace }}.svc{{ if ne $port 80 }}:{{ $port }}{{ end }}
{{- end -}}

{{/* The path of the base URL, which a proxy passes on. */}}
{{- define "stillup.path" -}}
{{- (urlParse (include "stillup.baseUrl" .)).path | trimSuffix "/" | default "/" -}}
{{- end -}}

{{- define "stillup.baseUrl" -}}
{{- with .Values -}}
{{- if .baseUrl -}}
{{ .baseUrl }}
{{- else if .ingress.enabled -}}
{{ ne .ingress.tlsSecret "" | ternary "https" "http" }}://{{ first .ingress.hosts }}
{{- else if and .httpRoute.enabled .httpRoute.hostnames -}}
https://{{ first .httpRoute.hostnames }}
{{- else -}}
{{ include "stillup.serviceUrl" $ }}
{{- end -}}
{{- end -}}
{{- end -}}
