import { onOneLine } from '../../text/trimming.ts'
import { namesCondition, readsVariable } from './tag-words.ts'

/** A `{% name arguments %}` tag of the source. */
export interface Tag {
  /** The whole tag, from `{%` to `%}`. */
  source: string
  /** The name without `end`; an integration's block is `@integration/block`. */
  name: string
  closes: boolean
  /** The text between the name and `%}`, trimmed. */
  argument: string
  /** What a condition is, if it is no `if`. */
  form?: 'unless' | 'case' | 'else'
  /** It looks like a condition, but is in other brackets. As a closing tag, it ends no condition in braces. */
  isInOtherBrackets?: true
  /** Of a section of Mustache or Handlebars, its helper, or '' without one. */
  section?: string
}

/** How a tag is used: around content, alone, or either way. */
type TagForm = 'around' | 'alone' | 'either'

/** All known tags. Any other `{% … %}` is text, because template languages use the same delimiters. */
const TAGS: Record<string, TagForm> = {
  hint: 'around',
  tabs: 'around',
  tab: 'around',
  code: 'around',
  'content-ref': 'around',
  'page-ref': 'either',
  embed: 'either',
  file: 'either',
  include: 'alone',
  stepper: 'around',
  step: 'around',
  columns: 'around',
  column: 'around',
  if: 'around',
  updates: 'around',
  update: 'around',
  prompt: 'around',
  openapi: 'either',
  'openapi-operation': 'either',
  'openapi-schemas': 'either',
  'openapi-webhook': 'either',
  swagger: 'either',
  'swagger-description': 'around',
  'swagger-parameter': 'around',
  'swagger-response': 'around',
  'api-method': 'around',
  'api-method-summary': 'around',
  'api-method-description': 'around',
  'api-method-spec': 'around',
  'api-method-request': 'around',
  'api-method-path-parameters': 'around',
  'api-method-headers': 'around',
  'api-method-query-parameters': 'around',
  'api-method-form-data-parameters': 'around',
  'api-method-body-parameters': 'around',
  'api-method-parameter': 'around',
  'api-method-response': 'around',
  'api-method-response-example': 'around',
  'api-method-response-example-description': 'around',
}

const NAME = /[ \t]*(@[\w-]+\/[\w.-]+|[a-z][a-z-]*)(?=[ \t%"'])/y

/** The most characters before a tag in which code can begin that ends in the tag. */
const MOST_BEFORE = 1000
/** The most characters of a source that are read behind the first `%}` of a tag, because quotes are open there. */
const MOST_BEHIND = 1_000_000
/** The length of the longest tag. Longer tags stay text. */
const MAX_TAG_LENGTH = 100_000

/** True for a tag that needs no end tag. */
export function standsAlone(name: string): boolean {
  return name.startsWith('@') || TAGS[name] !== 'around'
}

/** True for a tag that may have content. */
export function standsAround(name: string): boolean {
  return !name.startsWith('@') && TAGS[name] !== 'alone'
}

/**
 * Reads the tag whose `{%` is at `start`. Returns undefined if the tag does not end on its line, or if its name is
 * unknown.
 */
export function readTag(source: string, start: number, budget = { left: MOST_BEHIND }): Tag | undefined {
  const named = nameAt(source, start)
  if (!named) return undefined
  const { end: from, name, closes } = named
  const end = endOfTag(source, from, budget)
  if (end === -1 || (closes && source.slice(from, end).includes('{%'))) return undefined
  const argument = source.slice(from, end).trim()
  if (inCode(source, start, end) && !(name === 'if' && namesCondition(argument))) return undefined
  return { source: source.slice(start, end + 2), name, closes, argument }
}

/** Whether code that began in the line before a tag ends in the tag, so that the tag begins in code. */
export function inCode(source: string, start: number, end: number): boolean {
  if (!source.slice(start, end).includes('`')) return false
  const before = source.slice(Math.max(0, start - MOST_BEFORE), start)
  const line = before.slice(Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1)
  return (line.match(/`+/g)?.length ?? 0) % 2 === 1
}

/** Reads the tags of one source, from its beginning to its end. */
export function tagReader(source: string): (start: number) => Tag | undefined {
  let end = 0
  const budget = { left: MOST_BEHIND }
  return (start) => {
    if (end !== -1 && end < start + 2) end = source.indexOf('%}', start + 2)
    const isNear = end !== -1 && end - start <= MAX_TAG_LENGTH && source.startsWith('{%', start)
    return isNear ? readTag(source, start, budget) : undefined
  }
}

/** Whether a known name is after the `{%` at `start`. */
export function namesTag(source: string, start: number): boolean {
  return source.startsWith('{%', start) && nameAt(source, start) !== undefined
}

function nameAt(source: string, start: number): (Pick<Tag, 'name' | 'closes'> & { end: number }) | undefined {
  NAME.lastIndex = start + 2
  const written = NAME.exec(source)?.[1]
  if (written === undefined) return undefined
  const closes = written.startsWith('end') && TAGS[written] === undefined
  const name = closes ? written.slice(3) : written
  const isKnown = name.startsWith('@') || Object.hasOwn(TAGS, name)
  return isKnown ? { name, closes, end: NAME.lastIndex } : undefined
}

/**
 * The offset of the `%}` that ends a tag; -1 if another tag begins before it. Quoted values may contain both. Unpaired
 * quotes have no meaning.
 * @param budget how many characters behind the first `%}` may still be read to find out whether it is in a quoted value
 */
function endOfTag(source: string, from: number, budget: { left: number }): number {
  const limit = Math.min(source.length, from + MAX_TAG_LENGTH)
  let open = ''
  let first = -1

  for (let at = from; at < limit; at += 1) {
    const char = source[at]
    if (char === '\n' || (first !== -1 && (budget.left -= 1) < 0)) break
    // Another tag begins, so that this one ends before it, or nowhere.
    if (open === '' && char === '{' && source[at + 1] === '%') break
    const ends = char === '%' && source[at + 1] === '}' && at + 1 < limit
    if (ends && first === -1) first = at
    if (ends && open === '') return at
    if (open !== '' && char === '\\') at += 1
    else if (char === open) open = ''
    else if (open === '' && (char === '"' || (char === "'" && opensQuote(source, at)))) open = char
  }
  return first === -1 || source.slice(from, first).includes('{%') ? -1 : first
}

/**
 * Whether a tag of a block has an attribute that can only have been meant as a condition. Lectern does not
 * know the attributes of blocks of integrations, so those never count.
 */
export function hasOwnCondition({ name, closes, argument }: Tag): boolean {
  if (closes || name === 'if' || name.startsWith('@') || !MAYBE_CONDITION.test(argument)) return false
  let faults = 0
  for (ARGUMENT.lastIndex = 0; ARGUMENT.lastIndex < argument.length;) {
    const from = ARGUMENT.lastIndex
    const match = ARGUMENT.exec(argument)
    if (match) {
      const [, key, value = ''] = match
      const isBare = BARE_CONDITION.test(value) || (name !== 'include' && readsVariable(value))
      if (key === undefined ? isBare : isCondition(key, value)) return true
    } else {
      // What follows a lone quote is read for a bounded number of them.
      if ((faults += 1) > MOST_FAULTS) return true
      ARGUMENT.lastIndex = from + 1
    }
  }
  return false
}

const MAYBE_CONDITION = /if|unless|when|cond|visitor|vars/i
const CONDITION_NAME =
  /^(?:v|x|ng)?(?:(?:show|visible|display|only|hide|hidden)?iff?|unless|when|cond(?:ition)?)$/
const BARE_CONDITION = /^(?:if|unless|when)(?![\w-])|^[!(]*visitor\??[.[]/i
const MOST_FAULTS = 100

/** Whether a field or an attribute can only have been meant as a condition. */
export function isCondition(name: string, value: string): boolean {
  return isConditionName(name) || (!isTextName(name) && readsVariable(value))
}

/** Whether a field or an attribute with this name has a text or an address, which may be about the variables of conditions. */
export function isTextName(name: string): boolean {
  return TEXT_NAME.test(name.toLowerCase().replace(/[^a-z]/g, ''))
}

const TEXT_NAME =
  /^(?:(?:sub|meta|seo|page|short)?(?:title|description|summary|text|name|label|caption|alt|heading)|abstract|author|base|baseurl|comment|content|cover|coverdark|default|example|excerpt|head|href|icon|keywords?|note|path|permalink|prompt|slug|src|tags?|url|value|variables|vars)$/

/** Whether an attribute with this name can only have been meant as a condition. */
export function isConditionName(key: string): boolean {
  return CONDITION_NAME.test(key.toLowerCase().replace(/[^a-z]/g, ''))
}

/** An apostrophe is a quote only where a value begins. */
function opensQuote(source: string, at: number): boolean {
  return /[\s=(]/.test(source[at - 1] ?? ' ')
}

const ARGUMENT = /\s*(?:([\w@.:-]+)\s*=\s*)?("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s"'=]+)/y

/**
 * The arguments of a tag by name. An argument without a name has the name ''. Values are strings. In quotes, only `\"`
 * and `\\` are unescaped.
 */
export function readArguments(argument: string): Map<string, string> {
  const values = new Map<string, string>()
  ARGUMENT.lastIndex = 0

  for (let match = ARGUMENT.exec(argument); match; match = ARGUMENT.exec(argument)) {
    const [, name = '', written = ''] = match
    const quoted = written.startsWith('"') || written.startsWith("'")
    const value = quoted ? written.slice(1, -1).replace(/\\(["'\\])/g, '$1') : written
    if (!values.has(name)) values.set(name, value)
  }
  return values
}

/** Prints `{% name a="1" %}`. Undefined arguments are omitted, and line breaks in values become spaces. */
export function printTag(
  name: string,
  args: Record<string, string | number | boolean | undefined> = {},
): string {
  return `{% ${[name, ...printArguments(args)].join(' ')} %}`
}

/** Prints arguments as `a="1"`, one string for each. */
export function printArguments(args: Record<string, string | number | boolean | undefined>): string[] {
  return Object.entries(args).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${quote(String(value))}`],
  )
}

/** A value in double quotes, on one line. */
export function quote(value: string): string {
  return `"${onOneLine(value.replace(/[\\"]/g, '\\$&'))}"`
}

/**
 * The properties of an integration's block as JSON values. Strings use JSON escapes, so that a diagram of several lines
 * fits on the one line of the tag. A value that is not JSON is a plain string.
 */
export function readProperties(argument: string): Record<string, unknown> {
  const properties: Record<string, unknown> = {}
  const name = /\s*([\w@.:-]+)\s*=\s*/y

  for (let match = name.exec(argument); match; match = name.exec(argument)) {
    const end = endOfValue(argument, name.lastIndex)
    const key = match[1]
    if (key !== undefined && key !== '__proto__')
      properties[key] = readValue(argument.slice(name.lastIndex, end))
    name.lastIndex = end
  }
  return properties
}

/** Prints the properties as `name=value`. A `%}` within a string is escaped so that it does not end the tag. */
export function printProperties(properties: Record<string, unknown>): string[] {
  return Object.entries(properties).flatMap(([name, value]) => {
    const json = JSON.stringify(value)
    return json === undefined ? [] : [`${name}=${json.replaceAll('%}', '%\\u007d')}`]
  })
}

function endOfValue(argument: string, from: number): number {
  const first = argument[from]
  if (first !== '{' && first !== '[' && first !== '"' && first !== "'") {
    const space = argument.slice(from).search(/\s/)
    return space === -1 ? argument.length : from + space
  }

  let depth = 0
  let quoted = ''
  for (let at = from; at < argument.length; at += 1) {
    const char = argument[at] ?? ''
    if (quoted !== '') {
      if (char === '\\') at += 1
      else if (char === quoted) quoted = ''
    } else if (char === '"' || (char === "'" && first === "'")) quoted = char
    else if (char === '{' || char === '[') depth += 1
    else if (char === '}' || char === ']') depth -= 1
    if (depth === 0 && quoted === '') return at + 1
  }
  return argument.length
}

function readValue(written: string): unknown {
  try {
    return JSON.parse(written)
  } catch {
    const quoted = /^(["']).*\1$/s.test(written)
    return quoted
      ? written.slice(1, -1).replace(/\\(["'\\n])/g, (_, char: string) => (char === 'n' ? '\n' : char))
      : written
  }
}
