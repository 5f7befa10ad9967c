/** Diagrams that try to run something, or to load something. */

/** A Mermaid diagram in Markdown. */
export const fence = (...lines: string[]) => `\`\`\`mermaid\n${lines.join('\n')}\n\`\`\`\n`

const RUN = `top.hacked = 1; parent.hacked = 1; hacked = 1; fetch('/stolen')`
/** Each of them would set `hacked` of a window, or request `/stolen`. */
export const HOSTILE_DIAGRAMS = [
  fence('flowchart TD', `  A["<img src=x onerror='${RUN}'>"] --> B["<script>${RUN}</script>"]`),
  fence(
    'flowchart TD',
    '  A --> B',
    `  click A "javascript:${RUN.replaceAll('"', '')}"`,
    '  click B call hacked()',
  ),
  fence(
    `%%{init: {"securityLevel": "loose", "htmlLabels": true, "flowchart": {"htmlLabels": true}, "themeCSS": "* { background: url(/stolen) }"}}%%`,
    'flowchart TD',
    `  A["<iframe src='javascript:${RUN}'></iframe><svg onload='${RUN}'></svg><img src='/stolen'>"]`,
  ),
].join('\n')
