// Placeholder by the lead until the real one is written: overwrite freely.
import type { ContentRef, Document } from './model.ts'

const isRef = (value: unknown): value is ContentRef =>
  typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string'

function walk(
  value: unknown,
  change: (ref: ContentRef, place: string) => ContentRef,
  place: string,
): unknown {
  if (Array.isArray(value)) return value.map((item) => walk(item, change, place))
  if (typeof value !== 'object' || value === null) return value
  if (isRef(value)) return change(value, place)
  const here = 'type' in value && typeof value.type === 'string' && 'object' in value ? value.type : place
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item, change, here)]))
}

export function mapReferences(
  document: Document,
  change: (ref: ContentRef, place: string) => ContentRef,
): Document {
  return walk(document, change, '') as Document
}

export function listReferences(document: Document): { ref: ContentRef; place: string }[] {
  const found: { ref: ContentRef; place: string }[] = []
  mapReferences(document, (ref, place) => {
    found.push({ ref, place })
    return ref
  })
  return found
}
