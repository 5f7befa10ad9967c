{{- /* The name of every object: that of the release. */ -}}
{{- define "lectern.name" -}}
{{- if contains "lectern" .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-lectern" (.Release.Name | trunc 42 | trimSuffix "-") -}}
{{- end -}}
{{- end -}}

{{- define "lectern.selector" -}}
app.kubernetes.io/name: lectern
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{- define "lectern.labels" -}}
{{ include "lectern.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end -}}

{{- define "lectern.host" -}}
{{- required "Set url to the public URL of Lectern, such as https://docs.example.com" .Values.url | trimPrefix "https://" | trimPrefix "http://" -}}
{{- end -}}

{{- define "lectern.sitesHost" -}}
{{- .Values.sitesHost | default (include "lectern.host" .) -}}
{{- end -}}

{{- /* The pod, which a StatefulSet and a Deployment have in common. */ -}}
{{- define "lectern.pod" -}}
metadata:
  labels:
    {{- include "lectern.labels" . | nindent 4 }}
  annotations:
    checksum/secret: {{ .Values.secretEnv | toJson | sha256sum | quote }}
    {{- range $name, $value := .Values.podAnnotations }}
    {{ $name | quote }}: {{ $value | quote }}
    {{- end }}
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false
  terminationGracePeriodSeconds: 30
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    fsGroup: 10001
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  imagePullSecrets: {{ .Values.imagePullSecrets | toJson }}
  nodeSelector: {{ .Values.nodeSelector | toJson }}
  tolerations: {{ .Values.tolerations | toJson }}
  affinity: {{ .Values.affinity | toJson }}
  containers:
    - name: lectern
      image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      securityContext:
        readOnlyRootFilesystem: true
        allowPrivilegeEscalation: false
        capabilities:
          drop: [ALL]
      ports:
        - name: http
          containerPort: 3000
      env:
        - name: LECTERN_URL
          value: {{ .Values.url | quote }}
        - name: LECTERN_SITES_HOST
          value: {{ include "lectern.sitesHost" . | quote }}
        - name: LECTERN_TRUSTED_PROXIES
          value: {{ .Values.trustedProxies | quote }}
        {{- range $name, $value := .Values.env }}
        - name: {{ $name | quote }}
          value: {{ $value | quote }}
        {{- end }}
      {{- if or .Values.secretEnv .Values.existingSecret }}
      envFrom:
        {{- if .Values.secretEnv }}
        - secretRef:
            name: {{ include "lectern.name" . }}
        {{- end }}
        {{- if .Values.existingSecret }}
        - secretRef:
            name: {{ .Values.existingSecret | quote }}
        {{- end }}
      {{- end }}
      # A first start migrates the database, for up to ten minutes.
      startupProbe:
        httpGet: { path: /livez, port: http }
        periodSeconds: 2
        failureThreshold: 300
      # A restart would not bring a database back that is away, so this only asks whether the process serves requests.
      livenessProbe:
        httpGet: { path: /livez, port: http }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /readyz, port: http }
        periodSeconds: 5
        timeoutSeconds: 3
      lifecycle:
        # The service has to learn that the pod ends before the pod accepts no more connections.
        preStop:
          sleep:
            seconds: 5
      resources: {{ .Values.resources | toJson }}
      volumeMounts:
        - name: data
          mountPath: /data
        - name: tmp
          mountPath: /tmp
  volumes:
    # On the disk of the node: imports put archives of up to 500 MB there.
    - name: tmp
      emptyDir: {}
    {{- if .Values.cluster.enabled }}
    - name: data
      emptyDir: {}
    {{- else if .Values.persistence.existingClaim }}
    - name: data
      persistentVolumeClaim:
        claimName: {{ .Values.persistence.existingClaim | quote }}
    {{- end }}
{{- end -}}
