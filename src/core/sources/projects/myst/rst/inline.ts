/** The text of reStructuredText within lines, as MyST. */
import { bracketedAddress } from '../../../markdown/dialect.ts'

/** The names that the text of a page uses. */
export interface RstNames {
  /** The addresses of hyperlinks by their names in lower case. */
  targets: ReadonlyMap<string, string>
  /** The addresses of links without a name, the last one first. */
  anonymous: string[]
  /** The MyST of substitutions by their names in lower case. */
  substitutions: ReadonlyMap<string, string>
}

/** A name as it is looked up: case and spaces make no difference. */
export const rstName = (name: string) => name.trim().replace(/\s+/g, ' ').toLowerCase()

const ROLE = /:([A-Za-z][\w.+:-]{0,60}):`/y
const ROLE_BEHIND = /:([A-Za-z][\w.+:-]{0,60}):/y
const FOOTNOTE = /\[(#?[\w.-]{0,60}|\*)\]_(?!\w)/y
const SUBSTITUTION = /\|([^|\s](?:[^|\n]{0,100}[^|\s])?)\|(_{0,2})/y
const REFERENCE = /([A-Za-z0-9](?:[\w.+-]{0,80}[A-Za-z0-9])?)_{1,2}(?![\w`])/y

/** Rewrites text, which may have several lines, as MyST. Takes linear time. */
export function rstInline(text: string, names: RstNames): string {
  let output = ''
  let at = 0
  // Where the last sign of each kind is: behind it, nothing is searched again.
  const lastTick = text.lastIndexOf('`')
  const lastTicks = text.lastIndexOf('``')
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at
    return pattern.exec(text)
  }
  while (at < text.length) {
    const sign = text.charAt(at)
    const isWordStart = at === 0 || !/[\p{L}\p{N}_]/u.test(text.charAt(at - 1))
    if (sign === '\\') {
      const next = text.charAt(at + 1)
      // An escaped space only divides markup.
      output += /\s/.test(next) ? '' : /[\p{P}\p{S}]/u.test(next) ? `\\${next}` : next
      at += 2
      continue
    }
    if (text.startsWith('``', at) && at + 2 < lastTicks) {
      const end = text.indexOf('``', at + 2)
      // The last ticks of more than two are those that end the text.
      const stop = text.charAt(end + 2) === '`' ? end + 1 : end
      output += codeSpan(text.slice(at + 2, stop))
      at = stop + 2
      continue
    }
    const role = sign === ':' && isWordStart ? match(ROLE)?.[1] : undefined
    const start = role === undefined ? at + 1 : at + role.length + 3
    if ((role !== undefined || sign === '`') && start <= lastTick) {
      const end = text.indexOf('`', start)
      const content = text.slice(start, end)
      at = end + 1
      const behind = role === undefined ? match(ROLE_BEHIND)?.[1] : undefined
      if (behind !== undefined) at += behind.length + 2
      const name = role ?? behind
      if (name !== undefined) {
        output += `{${name}}${codeSpan(content.replace(/\s+/g, ' '))}`
        continue
      }
      const links = /^_{1,2}/.exec(text.slice(at, at + 2))?.[0] ?? ''
      at += links.length
      output += links === '' ? interpreted(content) : hyperlink(content, links === '__', names)
      continue
    }
    const footnote = sign === '[' ? match(FOOTNOTE) : null
    if (footnote) {
      output += `[^${footnoteName(footnote[1] ?? '')}]`
      at += footnote[0].length
      continue
    }
    const substitution = sign === '|' && isWordStart ? match(SUBSTITUTION) : null
    const value = substitution && names.substitutions.get(rstName(substitution[1] ?? ''))
    if (substitution && typeof value === 'string') {
      const target = names.targets.get(rstName(substitution[1] ?? ''))
      const isLink = substitution[2] !== '' && target !== undefined
      output += isLink ? `[${value}](${bracketedAddress(target)})` : value
      at += substitution[0].length
      continue
    }
    const reference = isWordStart && /[A-Za-z0-9]/.test(sign) ? match(REFERENCE) : null
    const target = reference && names.targets.get(rstName(reference[1] ?? ''))
    if (reference && typeof target === 'string') {
      output += `[${reference[1] ?? ''}](${bracketedAddress(target)})`
      at += reference[0].length
      continue
    }
    output += plainSign(text, at)
    at += 1
  }
  return output
}

/** A sign that is text in reStructuredText, and may be markup in Markdown. */
function plainSign(text: string, at: number): string {
  const sign = text.charAt(at)
  const next = text.charAt(at + 1)
  if (sign === '<' && /[a-z/!?]/i.test(next)) return String.raw`\<`
  if (sign === '{' && /[{%]/.test(next)) return String.raw`\{`
  if (sign === '[' || sign === '`' || sign === '~') return `\\${sign}`
  const isLineStart = at === 0 || text.charAt(at - 1) === '\n'
  return isLineStart && /[#>]/.test(sign) ? `\\${sign}` : sign
}

/** A footnote without a number has that of its sign. */
export const footnoteName = (name: string) =>
  name
    .replace(/^#(?=.)/, '')
    .replace('#', 'auto')
    .replace('*', 'star')

function codeSpan(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0)
  const fence = '`'.repeat(longest + 1)
  const space = /^`|`$/.test(text) ? ' ' : ''
  return `${fence}${space}${text}${space}${fence}`
}

const interpreted = (content: string) =>
  content.trim() === '' ? '' : `*${content.trim().replace(/[*_]/g, String.raw`\$&`)}*`

const EMBEDDED = /^([^<>]{0,1000}?)\s{0,9}<([^<>]{1,2000})>$/

/** `` `text <address>`_ ``, or the name of a target or a heading. */
function hyperlink(content: string, isAnonymous: boolean, { targets, anonymous }: RstNames): string {
  const whole = content.replace(/\s+/g, ' ').trim()
  const [, shown = '', written] = EMBEDDED.exec(whole) ?? []
  if (written !== undefined) {
    const name = written.endsWith('_') ? targets.get(rstName(written.slice(0, -1))) : undefined
    const address = (name ?? written).replace(/\s+/g, '')
    return `[${label(shown || written)}](${bracketedAddress(address)})`
  }
  const target = isAnonymous ? anonymous.pop() : targets.get(rstName(whole))
  return target === undefined ? label(whole) : `[${label(whole)}](${bracketedAddress(target)})`
}

const label = (text: string) => text.replace(/[[\]<`]/g, String.raw`\$&`)
