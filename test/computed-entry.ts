/**
 * The entry of a table of contents that stands for the pages of an OpenAPI specification.
 * @param more further lines of `props`, each with its line feed before it
 */
export function computedEntry(spec: string, more = ''): string {
  return `* \`\`\`yaml
  type: builtin:openapi
  props:
    models: true${more}
  dependencies:
    spec:
      ref:
        kind: openapi
        spec: ${spec}
  \`\`\`
`
}
