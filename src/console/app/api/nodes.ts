/** The nodes of documents. The OpenAPI document, and so the types in `operations/`, describes them in outline only. */

/** A block, an inline, a text or a fragment of a document; the manual defines each. */
export interface DocumentNode {
  object: 'block' | 'inline' | 'text' | 'fragment' | 'document'
  type?: string
  key?: string
  data?: Record<string, unknown>
  nodes?: DocumentNode[]
  fragments?: DocumentNode[]
  fragment?: string
  isVoid?: boolean
  leaves?: {
    object: 'leaf'
    text: string
    marks: { object: 'mark'; type: string; data?: Record<string, unknown> }[]
  }[]
}
