import type { ComputedEntry } from './model.ts'
import { readYaml } from './yaml.ts'

/**
 * Reads the block of YAML that stands for pages computed from another source (api-facts 6.1):
 * `type: builtin:openapi` with `props` and `dependencies`. Undefined when it names no type.
 */
export function readComputed(yaml: string): ComputedEntry | undefined {
  const { value } = readYaml(yaml)
  if (!isRecord(value) || typeof value['type'] !== 'string') return undefined

  return { kind: 'computed', title: titleOf(value, value['type']), computed: value }
}

/** The slug of the API description that the pages come from is the best name for them that the block has. */
function titleOf(computed: Record<string, unknown>, type: string): string {
  if (typeof computed['title'] === 'string' && computed['title'].trim() !== '')
    return computed['title'].trim()

  const dependencies = computed['dependencies']
  const spec = isRecord(dependencies) ? dependencies['spec'] : undefined
  const ref = isRecord(spec) ? spec['ref'] : undefined
  const slug = isRecord(ref) ? ref['spec'] : undefined

  return typeof slug === 'string' && slug.trim() !== '' ? slug.trim() : type
}

/** True for a plain object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
