import { ScimFault } from './fault.ts'

/** The longest filter or path, in characters. */
export const LONGEST_FILTER = 1000
const MOST_TERMS = 10

/** One comparison of a filter: the attribute in lower case, such as `emails.value`, equals the value. */
export interface FilterTerm {
  path: string
  value: string | number | boolean | null
}

const TOKEN = /\s*(?:[[\]()]|"(?:[^"\\]|\\.)*"|[^\s[\]()"]+)/y
const NAME = /^[a-z$][\w$-]*(?:\.[a-z$][\w$-]*)?$/
const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/

/**
 * Reads a filter of RFC 7644, section 3.4.2.2: comparisons with `eq`, joined by `and`, also within the brackets of a
 * value path. All comparisons have to match.
 * @throws ScimFault for other operators
 */
export function parseFilter(text: string): FilterTerm[] {
  const tokens = filterTokens(text)
  let at = 0
  const terms: FilterTerm[] = []

  function readTerms(within: string): void {
    do {
      readTerm(within)
      if (terms.length > MOST_TERMS)
        throw new ScimFault('invalidFilter', `The filter has more than ${MOST_TERMS} comparisons`)
    } while (takeWord('and'))
  }

  function readTerm(within: string): void {
    const name = tokens[at++] ?? ''
    if (tokens[at] === '[' && within === '') {
      at++
      readTerms(`${attributeName(name)}.`)
      if (tokens[at++] !== ']') throw unsupported(text)
      const sub = tokens[at]
      // `emails[type eq "work"]` alone only asks whether there is one.
      if (sub === undefined || !sub.startsWith('.')) return
      at++
      return readComparison(`${attributeName(name)}${sub.toLowerCase()}`)
    }
    readComparison(within + attributeName(name))
  }

  function readComparison(path: string): void {
    if (!takeWord('eq')) throw unsupported(text)
    terms.push({ path, value: termValue(tokens[at++] ?? '') })
  }

  function takeWord(word: string): boolean {
    const isNext = tokens[at]?.toLowerCase() === word
    if (isNext) at++
    return isNext
  }

  function attributeName(token: string): string {
    const name = token.toLowerCase().replace(CORE, '')
    if (!NAME.test(name)) throw unsupported(text)
    return name
  }

  function termValue(token: string): FilterTerm['value'] {
    try {
      const value = JSON.parse(/^(?:true|false|null)$/i.test(token) ? token.toLowerCase() : token) as unknown
      if (typeof value !== 'object' || value === null) return value as FilterTerm['value']
    } catch {
      // It is no JSON value.
    }
    throw unsupported(text)
  }

  readTerms('')
  if (at < tokens.length) throw unsupported(text)
  return terms
}

function filterTokens(text: string): string[] {
  if (text.length > LONGEST_FILTER)
    throw new ScimFault('invalidFilter', `A filter has at most ${LONGEST_FILTER} characters`)
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  const end = text.trimEnd().length
  while (TOKEN.lastIndex < end) {
    const found = TOKEN.exec(text)
    if (!found) throw unsupported(text)
    tokens.push(found[0].trimStart())
  }
  return tokens
}

const unsupported = (text: string) =>
  new ScimFault(
    'invalidFilter',
    `The filter must consist of comparisons such as userName eq "ada@example.com", joined by "and", but was ${text}`,
  )
