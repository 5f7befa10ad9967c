/** The shortcodes of Hugo and of its themes for documentation, and the Markdown that they become. */
import { printTitle } from '../../../document/print.ts'
import { hintStyle } from '../../html/callouts.ts'
import { detailsLines } from '../../markdown/admonitions.ts'
import { bracketedAddress } from '../../markdown/dialect.ts'
import type { ShortcodeCall, ShortcodeRules, ShortcodeText } from '../../markdown/shortcodes.ts'

/** The files of a project as shortcodes refer to them. */
export interface ShortcodePage {
  /** The address of a page by its path as `ref` has it; undefined if there is no such page. */
  ref(path: string): string | undefined
  /** The name of a file beside the page that begins with a text. */
  resource(name: string): string | undefined
}

type Rule = (call: ShortcodeCall) => ShortcodeText | undefined

const inline = (text: string): ShortcodeText => ({ start: [text], isInline: true })
/** A shortcode that only groups. */
const group: Rule = () => ({ start: [] })
/** A shortcode of which nothing remains. */
const nothing: Rule = () => ({ start: [''], isInline: true, hasInner: true })

const quotedTitle = (title: string) => title.replace(/[\\"]/g, '')
const boldTitle = (title: string) => `**${printTitle(title.replace(/\*{1,3}|`/g, ''))}**`
const labelText = (text: string) => text.replace(/\s+/g, ' ').trim().replace(/[[\]]/g, '\\$&')

function hintOf(word: string, title: string): ShortcodeText {
  const head = title === '' ? [] : [boldTitle(title), '']
  return { start: [`{% hint style="${hintStyle(word) ?? 'info'}" %}`, ...head], end: ['{% endhint %}'] }
}

/** The lines of code, whose inner content is as it is written. */
function codeOf(language: string, inner: string): string[] {
  const sign = inner.includes('```') ? '~~~~~~' : '```'
  return [`${sign}${language.replace(/[^\w+#.-]/g, '')}`, inner.replace(/^\s{0,99}\n/, '').trimEnd(), sign]
}

const embed = (address: string): ShortcodeText => ({
  start: [`{% embed url="${address.replace(/["\s]/g, '')}" %}`],
  hasInner: true,
})

/** A picture in a line for itself, which is a figure if it has a caption. */
function picture(address: string, alt: string, caption: string): ShortcodeText {
  const title = caption === '' ? '' : ` "${quotedTitle(caption.replace(/\s+/g, ' ').trim())}"`
  return { start: ['', `![${labelText(alt)}](${bracketedAddress(address)}${title})`, ''], hasInner: true }
}

const figure: Rule = ({ args }) => {
  const address = args.src ?? args['0']
  if (address === undefined) return undefined
  const caption = args.caption ?? args.title ?? ''
  return picture(address, args.alt ?? caption, caption)
}

/** A tab of Docsy has code, unless it has Markdown (`text=true`); those of other themes have Markdown. */
const tab: Rule = ({ args, inner, outer }) => {
  const items = outer?.call.args.items?.split(',') ?? []
  const title =
    args.header ?? args.name ?? args.title ?? args.label ?? args['0'] ?? items[outer?.index ?? 0] ?? 'Tab'
  const start = [`{% tab title="${quotedTitle(title.trim())}" %}`]
  const of = outer?.call.args ?? {}
  const language = args.lang ?? args.codelang ?? of.lang ?? of.codelang
  const isText = (args.text ?? of.text) === 'true' || inner.includes('{{') || /```|~~~/.test(inner)
  if (language === undefined || isText) return { start, end: ['{% endtab %}'] }
  return { start: [...start, ...codeOf(language, inner), '{% endtab %}'], hasInner: true }
}

/** A card with a link, as most themes have it, or one of Docsy with text. */
const card: Rule = ({ args }) => {
  const title = args.title ?? args.header ?? ''
  const address = args.link ?? args.href ?? args.url
  if (address === undefined) return { start: title === '' ? [] : [boldTitle(title), ''], end: [''] }
  const more = args.subtitle ?? args.description
  const link = `* [${labelText(title || address)}](${bracketedAddress(address)})`
  return { start: [more === undefined ? link : `${link}: ${more}`] }
}

const details: Rule = ({ args }) => detailsLines(args.summary ?? args.title ?? args['0'] ?? 'Details')

const highlight: Rule = ({ args, inner }) => ({
  start: codeOf(args['0'] ?? args.lang ?? args.type ?? '', inner),
  hasInner: true,
})

const callout: Rule = ({ name, args }) => {
  const word = args.type ?? args.style ?? args.color ?? args.context
  const first = args['0'] ?? ''
  const kind = word ?? (hintStyle(first) ? first : name)
  return hintOf(kind, args.title ?? (hintStyle(first) ? '' : first))
}

/** The names of shortcodes that are hints. */
const CALLOUTS =
  'alert callout hint notice admonition note info tip warning caution danger important attention success error'.split(
    ' ',
  )

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...CALLOUTS.map((name) => [name, callout] as const),
  ['pageinfo', ({ args }) => hintOf(args.color ?? 'info', '')],
  ['figure', figure],
  ['img', figure],
  ['youtube', ({ args }) => embed(`https://www.youtube.com/watch?v=${args.id ?? args['0'] ?? ''}`)],
  ['vimeo', ({ args }) => embed(`https://vimeo.com/${args.id ?? args['0'] ?? ''}`)],
  ['gist', ({ args }) => embed(`https://gist.github.com/${args['0'] ?? ''}/${args['1'] ?? ''}`)],
  ['highlight', highlight],
  ['code', highlight],
  ['mermaid', ({ inner }) => ({ start: codeOf('mermaid', inner), hasInner: true })],
  ['details', details],
  ['expand', details],
  ['tabpane', () => ({ start: ['{% tabs %}'], end: ['{% endtabs %}'] })],
  ['tabs', () => ({ start: ['{% tabs %}'], end: ['{% endtabs %}'] })],
  ['tab', tab],
  ['cardpane', group],
  ['cards', group],
  ['card', card],
  ['columns', group],
  ['column', group],
  [
    'steps',
    () => ({
      start: ['{% stepper %}'],
      end: ['{% endstepper %}'],
      parts: { start: '{% step %}', end: '{% endstep %}' },
    }),
  ],
  ['toc', nothing],
  ['icon', nothing],
  [
    'button',
    ({ args, inner }) => {
      const address = args.href ?? args.relref ?? args.link ?? args.url
      if (address === undefined) return undefined
      return { ...inline(`[${labelText(inner || address)}](${bracketedAddress(address)})`), hasInner: true }
    },
  ],
])

/** The rules for the shortcodes of a page. */
export function hugoShortcodes(page: ShortcodePage): ShortcodeRules {
  const ref: Rule = ({ args }) => {
    const address = page.ref(args.path ?? args['0'] ?? '')
    return address === undefined ? inline(args.path ?? args['0'] ?? '') : inline(address)
  }
  const imgproc: Rule = ({ args, inner }) => {
    const file = page.resource(args['0'] ?? '')
    return file === undefined ? undefined : picture(file, inner, inner)
  }
  return new Map([...RULES, ['ref', ref], ['relref', ref], ['imgproc', imgproc]])
}
