/** The names that pages of reStructuredText define. */
import { rstInline, rstName, type RstNames } from './inline.ts'
import { rstIndent, type RstLine } from './lines.ts'

/** `.. _name:`, which may have an address. */
export const RST_TARGET =
  /^\.\.[ \t]+_(?:`([^`]{1,200})`|((?:[^:\\`]|\\.|:(?!\s|$)){1,200})):(?:[ \t]+(.*))?$/

/** The targets and substitutions of a page. */
export function rstNamesIn(lines: readonly RstLine[]): RstNames {
  const targets = new Map<string, string>()
  const anonymous: string[] = []
  const written = new Map<string, string>()
  for (const [at, { text }] of lines.entries()) {
    const bare = text.trimStart()
    const [, quoted, plain, address] = RST_TARGET.exec(bare) ?? []
    const name = (quoted ?? plain)?.replaceAll('\\', '')
    if (name === '_' && address !== undefined) anonymous.push(address)
    else if (name !== undefined && address !== undefined)
      targets.set(rstName(name), address.replace(/\s+/g, ''))
    // A label before a heading is found among those of all pages.
    else if (name !== undefined) targets.set(rstName(name), `#${name}`)
    else if (bare.startsWith('__ ')) anonymous.push(bare.slice(3).trim())
    const [, substituted, kind, value = ''] =
      /^\.\.[ \t]+\|([^|]{1,100})\|[ \t]+(replace|image|unicode)::[ \t]*(.*)$/.exec(bare) ?? []
    if (substituted === undefined) continue
    const rest: string[] = [value.trim()]
    const end = kind === 'replace' ? at + 20 : at
    for (let next = at + 1; next < end; next += 1) {
      const one = lines[next]?.text ?? ''
      if (one.trim() === '' || rstIndent(one) <= rstIndent(text)) break
      rest.push(one.trim())
    }
    written.set(
      rstName(substituted),
      kind === 'image' ? `![](${value.trim()})` : kind === 'unicode' ? characters(value) : rest.join(' '),
    )
  }
  const names = { targets, anonymous: anonymous.toReversed(), substitutions: new Map<string, string>() }
  const substitutions = new Map(
    [...written].map(([name, value]) => [name, value.startsWith('![') ? value : rstInline(value, names)]),
  )
  return { ...names, substitutions }
}

/** `U+00A9 text` as characters. */
const characters = (value: string) =>
  value
    .replace(/[ \t]\.\. .*$/, '')
    .split(/\s+/)
    .slice(0, 50)
    .map((one) => {
      const code = Number.parseInt(/^(?:U\+|0x|\\x|\\u|&#x)([0-9a-f]{1,6});?$/i.exec(one)?.[1] ?? '', 16)
      return code > 31 && code < 0x110000 ? String.fromCodePoint(code) : one
    })
    .join('')
