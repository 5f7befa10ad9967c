import type { Node } from 'prosemirror-model'

/** The source of the diagram that a block of code or of an integration shows; undefined for other blocks. */
export function diagramSource(node: Node): string | undefined {
  const { syntax, integration, block, props } = node.attrs.data as Record<string, unknown>
  if (node.type.name === 'code_block')
    return typeof syntax === 'string' && /^\s*(?:lang(?:uage)?-)?(?:mermaid|mmd)\s*$/i.test(syntax)
      ? node.children.map(({ textContent }) => textContent).join('\n')
      : undefined
  const { content } = (props ?? {}) as { content?: unknown }
  return integration === 'mermaid' && block === 'diagram' && typeof content === 'string' ? content : undefined
}
