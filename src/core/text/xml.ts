import { need } from '../data/lists.ts'

// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const ENTITIES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  // HTML 4, which some readers of books use, has no name for it.
  ["'", '&#39;'],
])

/** Text for the content of elements and for quoted attributes. Characters that XML 1.0 does not allow are left out. */
export function escapeXml(text: string): string {
  return withoutForbidden(text).replace(/[&<>"']/g, (character) => need(ENTITIES, character))
}

/** Text without the characters that XML cannot have. */
export function withoutForbidden(text: string): string {
  return text.toWellFormed().replace(FORBIDDEN, '')
}
