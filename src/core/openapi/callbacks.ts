import { isRecord } from '../data/is-record.ts'
import type { SpecSourceParts } from './described.ts'
import { OPERATION_METHODS } from './methods.ts'
import { itemsIn, resolvePart } from './schemas/schema.ts'

/** A request that the server sends because of an operation. */
export interface Callback {
  /** Its name, method and address, which is an expression such as `{$request.body#/url}`. */
  title: string
  method: string
  operation: Record<string, unknown>
}

/** The most callbacks of an operation, and the characters of the title of one. */
const [MOST_CALLBACKS, LONGEST_TITLE] = [20, 200]

/** The callbacks of an operation, without the callbacks of these. */
export function callbacksOf(parts: SpecSourceParts, callbacks: unknown): Callback[] {
  if (!isRecord(callbacks)) return []
  const found: Callback[] = []
  for (const [name, value] of Object.entries(callbacks)) {
    const callback = resolvePart(parts, value).value
    if (name.startsWith('x-') || !isRecord(callback)) continue
    for (const [address, path] of Object.entries(callback)) {
      const item = resolvePart(parts, path).value
      if (address.startsWith('x-') || !isRecord(item)) continue
      for (const method of OPERATION_METHODS) {
        const own = item[method]
        if (!isRecord(own)) continue
        if (found.length === MOST_CALLBACKS) return found
        const parameters = [...itemsIn(item['parameters']), ...itemsIn(own['parameters'])]
        // The security of the specification is that of its own server.
        const operation = { security: [], ...own, parameters, callbacks: undefined }
        const title = `${name}: ${method.toUpperCase()} ${address}`.slice(0, LONGEST_TITLE)
        found.push({ title, method, operation })
      }
    }
  }
  return found
}
