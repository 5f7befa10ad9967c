/** Which parts of specifications a page shows. */
import { pointerTo } from './spec-parts.ts'

/** The parts of a specification that a page shows, by their pointers. The part at the empty pointer describes it. */
export type SpecSourceParts = Record<string, unknown>

/** A block that shows a part of a specification. */
export type WantedPart =
  | { kind: 'operation'; spec: string; path: string; method: string }
  | { kind: 'webhook'; spec: string; name: string; method: string }
  | { kind: 'schemas'; spec: string; schemas: readonly string[] }

/** The most blocks of one page that are described. */
const MOST_BLOCKS = 50
const TAG = /\{%\s*openapi-(operation|webhook|schemas)\s([^%]{1,4000})%\}/g
const ATTRIBUTE = /([a-z]+)="([^"]*)"/g

/** The blocks of Markdown sources that show specifications, and perhaps more, such as those in code. */
export function wantedIn(sources: readonly string[]): WantedPart[] {
  const wanted: WantedPart[] = []
  for (const source of sources) {
    for (const [, kind, written = ''] of source.matchAll(TAG)) {
      if (wanted.length === MOST_BLOCKS) return wanted
      const given = Object.fromEntries([...written.matchAll(ATTRIBUTE)].map(([, key, value]) => [key, value]))
      const { spec = '', path = '', method = '', name = '', schemas = '' } = given as Record<string, string>
      if (kind === 'operation') wanted.push({ kind, spec, path, method })
      else if (kind === 'webhook') wanted.push({ kind, spec, name, method })
      else if (kind === 'schemas')
        wanted.push({ kind, spec, schemas: schemas.split(',').map((one) => one.trim()) })
    }
  }
  return wanted
}

/** The places of what a block shows. */
export function wantedPointers(wanted: WantedPart): string[] {
  if (wanted.kind === 'schemas')
    return wanted.schemas.slice(0, 100).map((name) => pointerTo(['components', 'schemas', name]))
  const method = wanted.method.toLowerCase()
  if (wanted.kind === 'operation') return [pointerTo(['paths', wanted.path, method])]
  return [pointerTo(['webhooks', wanted.name, method])]
}
