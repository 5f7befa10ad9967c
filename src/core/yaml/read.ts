/** The reader of all YAML that users write: front matter and the settings of a repository. */
import type { Document } from 'yaml'

import { yaml } from '../runtime/libraries.ts'
import { yamlProblem, type YamlLimits } from './problem.ts'

/** The value that was read, and the first fault. Both can be present, because parsing continues after a fault. */
export interface YamlReading {
  value?: unknown
  fault?: string
}

/** The most values that aliases may repeat. */
const MOST_ALIASES = 100

/** Reads YAML. A text that `yamlProblem` refuses has a fault and no value. Never throws, and takes linear time. */
export function readYaml(text: string, limits: YamlLimits): YamlReading {
  const problem = yamlProblem(text, limits)
  if (problem !== undefined) return { fault: problem.message }
  try {
    const document = parseYaml(text)
    const value: unknown = document.toJS({ maxAliasCount: MOST_ALIASES })
    const fault = document.errors[0]?.message.split('\n', 1)[0]
    return fault === undefined ? { value } : { value, fault: `is not valid YAML: ${fault}` }
  } catch (error) {
    return { fault: `is not valid YAML: ${error instanceof Error ? error.message : String(error)}` }
  }
}

/**
 * Reads the YAML of a specification, in which aliases may repeat anything: each is the same object as its anchor. Count
 * what the value has before you write it out.
 */
export function readLargeYaml(text: string, limits: YamlLimits): YamlReading {
  const problem = yamlProblem(text, limits)
  if (problem !== undefined) return { fault: problem.message }
  try {
    const document = parseYaml(text)
    const fault = document.errors[0]?.message.split('\n', 1)[0]
    if (fault !== undefined) return { fault: `is not valid YAML: ${fault}` }
    return { value: document.toJS({ maxAliasCount: -1 }) as unknown }
  } catch (error) {
    return { fault: `is not valid YAML: ${error instanceof Error ? error.message : String(error)}` }
  }
}

/** Parses YAML to nodes. Call it only with a text for which `yamlProblem` returns undefined. */
export function parseYaml(text: string): Document.Parsed {
  return yaml().parseDocument(text, {
    uniqueKeys: false,
    strict: false,
    prettyErrors: false,
    logLevel: 'silent',
  })
}
