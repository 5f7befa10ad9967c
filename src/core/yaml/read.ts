/** The reader of all YAML that users write: front matter and the settings of a repository. */
import type { Document } from 'yaml'

import type { WithReason } from '../languages/reasoned.ts'
import { because } from '../languages/reasons.ts'
import { yaml } from '../runtime/libraries.ts'
import { yamlProblem, type YamlLimits } from './problem.ts'

/** The value that was read, and the first fault. Both can be present, because parsing continues after a fault. */
export interface YamlReading {
  value?: unknown
  fault?: WithReason
}

/** The most values that aliases may repeat. */
const MOST_ALIASES = 100

/** Reads YAML. A text that `yamlProblem` refuses has a fault and no value. Never throws, and takes linear time. */
export function readYaml(text: string, limits: YamlLimits): YamlReading {
  const problem = yamlProblem(text, limits)
  if (problem !== undefined) return { fault: problem }
  try {
    const document = parseYaml(text)
    const value: unknown = document.toJS({ maxAliasCount: MOST_ALIASES })
    const cause = document.errors[0]?.message.split('\n', 1)[0]
    return cause === undefined ? { value } : { value, fault: because('yaml-invalid', { cause }) }
  } catch (error) {
    return invalidYaml(error)
  }
}

/**
 * Reads the YAML of a specification, in which aliases may repeat anything: each is the same object as its anchor. Count
 * what the value has before you write it out.
 */
export function readLargeYaml(text: string, limits: YamlLimits): YamlReading {
  const problem = yamlProblem(text, limits)
  if (problem !== undefined) return { fault: problem }
  try {
    const document = parseYaml(text)
    const cause = document.errors[0]?.message.split('\n', 1)[0]
    if (cause !== undefined) return { fault: because('yaml-invalid', { cause }) }
    return { value: document.toJS({ maxAliasCount: -1 }) as unknown }
  } catch (error) {
    return invalidYaml(error)
  }
}

function invalidYaml(error: unknown): YamlReading {
  const cause = error instanceof Error ? error.message : String(error)
  return { fault: because('yaml-invalid', { cause }) }
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
