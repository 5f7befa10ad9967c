import { isRecord } from '../../data/is-record.ts'
import type { ComputedEntry } from '../model.ts'
import { readRepositoryYaml } from '../yaml.ts'

/**
 * Reads the YAML block for pages that are computed from another source: `type: builtin:openapi` with `props` and
 * `dependencies`. Returns undefined if the block has no type.
 */
export function readComputed(yaml: string): ComputedEntry | undefined {
  const { value } = readRepositoryYaml(yaml)
  if (!isRecord(value) || typeof value['type'] !== 'string') return undefined

  return { kind: 'computed', title: computedTitle(value, value['type']), computed: value }
}

/** The slug of the API description is the best title that the block contains. */
function computedTitle(computed: Record<string, unknown>, type: string): string {
  if (typeof computed['title'] === 'string' && computed['title'].trim() !== '')
    return computed['title'].trim()

  const dependencies = computed['dependencies']
  const spec = isRecord(dependencies) ? dependencies['spec'] : undefined
  const ref = isRecord(spec) ? spec['ref'] : undefined
  const slug = isRecord(ref) ? ref['spec'] : undefined

  return typeof slug === 'string' && slug.trim() !== '' ? slug.trim() : type
}
