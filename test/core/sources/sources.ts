import type { ConvertedSource } from '../../../src/core/sources/converted.ts'
import { planImport } from '../../../src/core/repository/plan.ts'

/** The files of a source, from texts by path. */
export function bytesIn(texts: Record<string, string | Uint8Array>): Map<string, Uint8Array> {
  return new Map(
    Object.entries(texts).map(([path, text]) => [path, typeof text === 'string' ? Buffer.from(text) : text]),
  )
}

/** The files of a converted source as texts. */
export function textsOf({ files }: ConvertedSource): Record<string, string> {
  return Object.fromEntries([...files].map(([path, bytes]) => [path, Buffer.from(bytes).toString()]))
}

/** The redirects that an import of a project writes, as sorted lines `from > file`. */
export async function redirectsIn(source: Parameters<typeof planImport>[0]): Promise<string[]> {
  const { redirects } = await planImport(source, () => ({ references: [] }))
  return redirects
    .map(({ from, target }) => `${from} > ${'url' in target ? target.url : target.file}`)
    .toSorted()
}
