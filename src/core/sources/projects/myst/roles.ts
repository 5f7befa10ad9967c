/** What is within the lines of MyST: roles, substitutions, and links to labels and documents. */
import { because } from '../../../languages/reasons.ts'
import { printTitle } from '../../../document/print.ts'
import { decodeAddress, isWebAddress } from '../../../text/file-paths.ts'
import { onOneLine } from '../../../text/trimming.ts'
import { schemeOf } from '../../address-book.ts'
import { bracketedAddress, endOfCode, mapAddressesIn, mapOutsideCode } from '../../markdown/dialect.ts'
import type { NotUnderstood } from '../../markdown/not-understood.ts'

/** The place that a text of a page refers to. */
export interface MystTarget {
  address: string
  title?: string
}

/** What the lines of a page refer to. */
export interface MystLinks {
  label(name: string): MystTarget | undefined
  document(path: string): MystTarget | undefined
  /** The page with the definition of a term. */
  term(name: string): MystTarget | undefined
  /** The value of `{{ name }}`. */
  substitution(name: string): string | undefined
  /** The address of a short link that the settings define, such as `{issue}`. */
  shortLink(role: string, value: string): MystTarget | undefined
}

/** Where a line is, and what takes the parts that are not understood. */
interface InlinePlace {
  links: MystLinks
  line: number
  unknown: NotUnderstood
}

type Role = (content: string, place: InlinePlace) => string | undefined

const code = (text: string) => {
  const ticks = text.includes('`') ? '``' : '`'
  return text === '' ? '' : `${ticks}${text}${ticks}`
}
const bold = (text: string) => (text === '' ? '' : `**${printTitle(text)}**`)
const plain = (text: string) => printTitle(text)
const linkTo = (text: string, address: string) => `[${text}](${bracketedAddress(address)})`
const element =
  (name: string): Role =>
  (content) =>
    `<${name}>${printTitle(content)}</${name}>`

/** A content such as `text <target>`. */
function titled(content: string): { text?: string; target: string } {
  const [, text, target] = /^([^]{1,500}?)\s{0,99}<([^<>]{1,500})>$/.exec(content) ?? []
  return target === undefined ? { target: content } : { text: text?.trim() ?? '', target: target.trim() }
}

const reference =
  (find: (links: MystLinks, target: string) => MystTarget | undefined): Role =>
  (content, { links }) => {
    const { text, target } = titled(content)
    const found = find(links, target.replace(/^[!~]/, ''))
    if (!found) return undefined
    return linkTo(text === undefined ? plain(found.title ?? target) : plain(text), found.address)
  }

const label = reference((links, target) => links.label(target))
const documentRole = reference((links, target) => links.document(target))
const any = reference((links, target) => links.label(target) ?? links.document(target))

const term: Role = (content, { links }) => {
  const { text, target } = titled(content)
  const found = links.term(target)
  return found ? linkTo(plain(text ?? target), found.address) : plain(text ?? target)
}

const download: Role = (content) => {
  const { text, target } = titled(content)
  return linkTo(plain(text ?? target.slice(target.lastIndexOf('/') + 1)), target)
}

const specification =
  (name: string, address: (number: string) => string): Role =>
  (content) => {
    const { text, target } = titled(content)
    const [number = ''] = target.split('#')
    return /^\d{1,6}$/.test(number) ? linkTo(plain(text ?? `${name} ${number}`), address(number)) : undefined
  }

/** A path in a menu: `File --> Open`. */
const menu: Role = (content) => bold(content.replace(/\s{0,9}-->\s{0,9}/g, ' → ').replaceAll('&', ''))

/** An object of a programming language, of which `~a.b.c` shows only the last part. */
const programObject: Role = (content) => {
  const { text, target } = titled(content)
  const shown = text ?? target.replace(/^[!.]/, '')
  return code(shown.startsWith('~') ? shown.slice(shown.lastIndexOf('.') + 1).replace(/^~/, '') : shown)
}

const nothing: Role = () => ''

const ROLES: ReadonlyMap<string, Role> = new Map<string, Role>([
  ...['ref', 'numref', 'std:ref', 'hoverxref', 'myst:ref'].map((name) => [name, label] as const),
  ...['doc', 'std:doc'].map((name) => [name, documentRole] as const),
  ['any', any],
  ['eq', label],
  ...['term', 'std:term'].map((name) => [name, term] as const),
  ['download', download],
  ['math', (content) => `$$${content}$$`],
  ['abbr', plain],
  ['kbd', element('kbd')],
  ['sub', element('sub')],
  ['subscript', element('sub')],
  ['sup', element('sup')],
  ['superscript', element('sup')],
  ['del', (content) => `~~${printTitle(content)}~~`],
  ['strike', (content) => `~~${printTitle(content)}~~`],
  ['u', element('u')],
  ['underline', element('u')],
  ['emphasis', (content) => `_${printTitle(content)}_`],
  ['dfn', (content) => `_${printTitle(content)}_`],
  ['title-reference', (content) => `_${printTitle(content)}_`],
  ...['strong', 'guilabel', 'guibutton'].map((name) => [name, bold] as const),
  ['menuselection', menu],
  ...'code literal file samp command program option envvar mimetype makevar manpage newsgroup regexp token keyword'
    .split(' ')
    .map((name) => [name, (content: string) => code(content)] as const),
  ...'func meth class mod attr data exc obj const type macro member struct enum var'
    .split(' ')
    .map((name) => [name, programObject] as const),
  ['pep', specification('PEP', (number) => `https://peps.python.org/pep-${number.padStart(4, '0')}/`)],
  ['rfc', specification('RFC', (number) => `https://www.rfc-editor.org/rfc/rfc${number}`)],
  ['sub-ref', (content, { links }) => links.substitution(content)],
  ['index', (content) => plain(titled(content).text ?? content)],
  ...'octicon fas far fab fa material-regular material-outlined material-round material-sharp icon'
    .split(' ')
    .map((name) => [name, nothing] as const),
])

/** How a role is written, by its name. */
function roleOf(name: string): Role | undefined {
  const known = ROLES.get(name)
  if (known) return known
  if (/^bdg(?:-[\w-]{1,60})?$/.test(name))
    return (content) =>
      /^bdg-(?:ref|link)/.test(name) ? plain(titled(content).text ?? content) : bold(content)
  return /^(?:py|c|cpp|js|rst|std|rust|go|dn|php|rb):/.test(name) ? programObject : undefined
}

const ROLE_NAME = /\{([A-Za-z][\w:.+-]{0,60})\}$/
const SUBSTITUTION = /\{\{[ \t]{0,9}([\w.-]{1,100})[ \t]{0,9}\}\}/g
const EMPTY_LINK = /(?<!!)\[\]\(([^()\s]{1,500})\)/g
const AUTOLINK = /<(?:(project|myst|path|doc):([^<>\s]{1,500})|#([^<>\n]{1,200}))>/g

/**
 * Rewrites the text of a paragraph, which may have several lines. Takes linear time.
 * @param line of the file at which it begins, from 1
 */
export function mystInline(text: string, links: MystLinks, line: number, unknown: NotUnderstood): string {
  const place = { links, line, unknown }
  const written = mapOutsideCode(withRoles(withSubstitutions(text, place), place), (part) =>
    part
      .replace(AUTOLINK, (whole, _scheme?: string, address?: string, anchor?: string) => {
        const target = placeNamed(address ?? `#${anchor ?? ''}`, links)
        if (!target) unknown.add(because('unknown-address', { address: whole }), line)
        return target ? linkTo(plain(target.title ?? address ?? anchor ?? ''), target.address) : whole
      })
      .replace(EMPTY_LINK, (whole, address: string) => {
        const target = placeNamed(address, links)
        const title = target?.title ?? (isWebAddress(address) ? address : undefined)
        return title === undefined ? whole : `[${plain(title)}](${address})`
      }),
  )
  return written
    .split('\n')
    .map((one) => mapAddressesIn(one, (address) => addressIn(address, place)))
    .join('\n')
}

function withSubstitutions(text: string, { links, line, unknown }: InlinePlace): string {
  if (!text.includes('{{')) return text
  return mapOutsideCode(text, (part) =>
    part.replace(SUBSTITUTION, (whole, name: string) => {
      const value = links.substitution(name)
      if (value === undefined) unknown.add(because('unknown-substitution', { name }), line)
      return value ?? whole
    }),
  )
}

function withRoles(text: string, place: InlinePlace): string {
  if (!text.includes('}`')) return text
  let output = ''
  let at = 0
  for (let tick = text.indexOf('`'); tick !== -1; tick = text.indexOf('`', at)) {
    const end = endOfCode(text, tick)
    const before = text.slice(at, tick)
    const name = ROLE_NAME.exec(before.slice(-70))?.[1]
    const ticks = /^`+/.exec(text.slice(tick, tick + 1000))?.[0].length ?? 1
    const isEnded = end > tick + ticks
    if (name === undefined || !isEnded) output += before + text.slice(tick, end)
    else {
      const content = text.slice(tick + ticks, end - ticks)
      output += before.slice(0, before.length - name.length - 2) + writtenRole(name, content.trim(), place)
    }
    at = end
  }
  return output + text.slice(at)
}

function writtenRole(name: string, content: string, place: InlinePlace): string {
  const role = roleOf(name.toLowerCase())
  const short = role ? undefined : place.links.shortLink(name, titled(content).target)
  if (short) return linkTo(plain(titled(content).text ?? short.title ?? content), short.address)
  const text = onOneLine(content)
  const written = role?.(text, place)
  if (written !== undefined) return written
  place.unknown.add(
    role ? because('unknown-reference', { name: titled(text).target }) : because('unknown-role', { name }),
    place.line,
  )
  return role ? plain(titled(text).text ?? text) : code(text)
}

/** The target of `#label`, `label`, or the path of a document. */
function placeNamed(address: string, links: MystLinks): MystTarget | undefined {
  const hash = address.indexOf('#')
  if (hash === 0) return links.label(decodeAddress(address.slice(1)))
  const path = hash === -1 ? address : address.slice(0, hash)
  const found = links.document(path)
  if (!found) return hash === -1 ? links.label(decodeAddress(path)) : undefined
  if (hash === -1) return found
  const title = links.label(decodeAddress(address.slice(hash + 1)))?.title
  return { address: found.address + address.slice(hash), ...(title === undefined ? {} : { title }) }
}

function addressIn(written: string, { links, line, unknown }: InlinePlace): string {
  if (written.startsWith('inv:')) {
    unknown.add(because('unknown-reference', { name: written }), line)
    return written
  }
  const address = written.replace(/^(?:project|myst|path|doc):/, '')
  if (address === '' || schemeOf(address) || address.startsWith('//')) return written
  return placeNamed(address, links)?.address ?? address
}
