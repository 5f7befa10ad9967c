import { yaml } from '../libraries.ts'
import { repositoryLimits } from './model.ts'

/** The value that was read, and the first fault. Both can be present, because parsing continues after a fault. */
export interface YamlReading {
  value?: unknown
  fault?: string
}

/**
 * Reads YAML that people typed or pasted: removes invisible characters and treats tabs in the indentation as spaces.
 * Size, nesting and aliases are bounded.
 */
export function readYaml(source: string): YamlReading {
  if (source.length > repositoryLimits.configurationBytes) return { fault: 'is larger than 1 MB' }

  const text = source
    .replace(/[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g, '')
    .replace(/[\u00a0\u2007\u202f]/g, ' ')
    .replace(/^[ \t]+/gm, (indent) => indent.replaceAll('\t', '  '))
  if (deepestNesting(text) > maxNesting) return { fault: `nests more than ${maxNesting} levels deep` }

  try {
    const document = yaml().parseDocument(text, {
      uniqueKeys: false,
      strict: false,
      prettyErrors: false,
      logLevel: 'silent',
    })
    const value: unknown = document.toJS({ maxAliasCount: 100 })
    const fault = document.errors[0]?.message.split('\n', 1)[0]

    return fault === undefined ? { value } : { value, fault: `is not valid YAML: ${fault}` }
  } catch (error) {
    return { fault: `is not valid YAML: ${error instanceof Error ? error.message : String(error)}` }
  }
}

const maxNesting = 16

/**
 * Returns the deepest nesting that brackets, the indicators of one line, or its indentation can open. The parser takes
 * time that grows with a high power of the depth: a line of 500 `? ` takes it 20 s. The depth is therefore checked
 * before parsing.
 */
function deepestNesting(text: string): number {
  let brackets = 0
  let deepest = 0

  for (const line of text.split('\n')) {
    const leading = /^ *(?:[-:&!|>]\S*[ \t]+)*/.exec(line)?.[0] ?? ''
    const indent = leading.search(/[^ ]|$/)
    const indicators = leading.trim().split(/\s+/).length
    const keys = line.match(/(?<!\S)\?(?!\S)/g)?.length ?? 0
    deepest = Math.max(deepest, Math.floor(indent / 16), indicators + keys)

    for (const character of line) {
      if (character === '[' || character === '{') deepest = Math.max(deepest, ++brackets)
      else if ((character === ']' || character === '}') && brackets > 0) brackets--
    }
  }

  return deepest
}
