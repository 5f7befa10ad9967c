/** The directives of MyST and Sphinx, and the Markdown that they become. */
import { because } from '../../../languages/reasons.ts'
import { printTitle } from '../../../document/print.ts'
import { escapeHtml } from '../../../text/html.ts'
import { hintStyle } from '../../html/callouts.ts'
import { detailsLines } from '../../markdown/admonitions.ts'
import { cardTable } from '../../mdx/cards.ts'
import type { MdxElement } from '../../mdx/tree.ts'
import { bracketedAddress } from '../../markdown/dialect.ts'
import { tagTitle } from '../../mdx/printing.ts'
import type { MystDirective } from './blocks.ts'
import { codeDirective, directiveOfCode, codeLines, literalInclude, missingFile } from './code.ts'
import { fencedLines, selectedLines } from './included-lines.ts'
import type { DirectiveGroup, DirectiveRules, MystPrinter, PrintDirective } from './printer.ts'
import { csvTable, listTable } from './tables.ts'
import { mystOfRst } from './rst/rst.ts'
import { plainText, titleText } from './titles.ts'

const content: PrintDirective = (directive, printer) => printer.content(directive)
const whole: PrintDirective = (directive, printer) => printer.whole(directive)
const leftOut: PrintDirective = () => []

function hintLines(style: string, title: string, lines: readonly string[]): string[] {
  const head = title === '' ? [] : [`**${printTitle(title)}**`, '']
  return [`{% hint style="${style}" %}`, ...head, ...lines, '{% endhint %}']
}

function expandable(title: string, lines: readonly string[]): string[] {
  const { start, end } = detailsLines(title)
  return [...start, ...lines, ...end]
}

const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ')

const isClosed = ({ options }: MystDirective) => /\b(?:dropdown|toggle)\b/.test(options.get('class') ?? '')

/** `{note}`, whose argument is the beginning of its content. */
const admonition: PrintDirective = (directive, printer) => {
  const lines = printer.whole(directive)
  if (isClosed(directive)) return expandable(capitalized(directive.name), lines)
  return hintLines(hintStyle(directive.name) ?? 'info', '', lines)
}

/** `{admonition} Title`, whose class is the style. */
const titledAdmonition: PrintDirective = (directive, printer) => {
  const { argument, options, line } = directive
  const title = titleText(argument, line, printer)
  const lines = printer.content(directive)
  if (isClosed(directive)) return expandable(title || 'Details', lines)
  const words = (options.get('class') ?? '').split(/[\s,]+/)
  const style = words.map(hintStyle).find(Boolean) ?? hintStyle(title.toLowerCase()) ?? 'info'
  return hintLines(style, title, lines)
}

/** `{versionadded} 2.0 Text`. */
const versionNote =
  (words: string, style: string): PrintDirective =>
  (directive, printer) => {
    const [version = '', ...rest] = directive.argument.split(/\s+/)
    const lines = printer.whole({ ...directive, argument: rest.join(' ') })
    return hintLines(style, version === '' ? words : `${words} ${version}`, lines)
  }

/** `{prf:theorem} Name`. */
const namedBox: PrintDirective = (directive, printer) => {
  const kind = capitalized(directive.name.replace(/^.*:/, ''))
  const name = titleText(directive.argument, directive.line, printer)
  const lines = printer.content(directive)
  const title = name === '' ? kind : `${kind}: ${name}`
  return isClosed(directive) ? expandable(title, lines) : hintLines('info', title, lines)
}

const dropdown: PrintDirective = (directive, printer) =>
  expandable(titleText(directive.argument, directive.line, printer) || 'Details', printer.content(directive))

/** A picture with the first paragraph of the content as its caption. */
const figure: PrintDirective = (directive, printer) => {
  const { argument, options, name, line } = directive
  if (argument === '') return printer.content(directive)
  const inside = name === 'image' ? [] : printer.content(directive)
  const end = inside.findIndex((one, at) => at > 0 && one.trim() === '')
  const caption = plainText(inside.slice(0, end === -1 ? undefined : end).join(' '))
  const legend = end === -1 ? [] : inside.slice(end)
  const alt = printTitle(options.get('alt') ?? caption)
  const title = caption === '' ? '' : ` "${tagTitle(caption)}"`
  const picture = `![${alt}](${bracketedAddress(argument)}${title})`
  const target = options.get('target')
  const shown =
    target === undefined ? picture : printer.inline(`[${picture}](${bracketedAddress(target)})`, line)
  return [shown, ...legend]
}

/** A figure whose first line is a picture in Markdown. */
const markdownFigure: PrintDirective = (directive, printer) => {
  const at = directive.body.findIndex((line) => line.trim() !== '')
  const [, alt, address] =
    /^!\[([^[\]]{0,500})\]\(([^()\s]{1,2000})\)\s*$/.exec(directive.body[at]?.trim() ?? '') ?? []
  if (address === undefined) return printer.content(directive)
  const body = directive.body.slice(at + 1)
  while (body[0]?.trim() === '') body.shift()
  const options = new Map([...directive.options, ['alt', alt ?? '']])
  return figure({ ...directive, argument: address, options, body }, printer)
}

/** The text of another file, which is a part of the page. */
const include: PrintDirective = (directive, printer) => {
  const { argument, options, line } = directive
  const file = printer.context.file(argument)
  if (!file) return missingFile(directive, printer)
  const lines = selectedLines(file.text, options)
  const language = options.get('code') ?? options.get('lang')
  if (language !== undefined || options.has('literal'))
    return codeLines(directive, language ?? '', lines, printer)
  if (/\.rst$/i.test(file.path) || /rst/i.test(options.get('parser') ?? ''))
    return printer.print(mystOfRst(lines.join('\n')).lines, line)
  return printer.print(lines, line)
}

const formula: PrintDirective = ({ argument, body }) => [
  '$$',
  ...[...(argument === '' ? [] : [argument]), ...body].filter((line) => line.trim() !== ''),
  '$$',
]

const quote: PrintDirective = (directive, printer) =>
  printer.whole(directive).map((line) => (line === '' ? '>' : `> ${line}`))

/** Terms, each with its definition in the indented lines below it or behind a colon. */
const glossary: PrintDirective = ({ body, bodyLine }, printer) =>
  printer.print(
    body.flatMap((line, at) => {
      if (line.trim() === '' || /^[ \t]/.test(line)) return [line.replace(/^[ \t]{1,4}/, '')]
      const definition = /^:[ \t]{1,9}(.*)$/.exec(line)?.[1]
      const before = (body[at - 1] ?? '').trim() === '' ? [] : ['']
      return definition === undefined ? [...before, `**${line.trim()}**`, ''] : [definition]
    }),
    bodyLine,
  )

const boldLine: PrintDirective = (directive, printer) => {
  const title = printer.inline(directive.argument, directive.line)
  return [...(title === '' ? [] : [`**${title}**`, '']), ...printer.content(directive)]
}

const quotedAddress = (address: string) => address.replace(/["\s]/g, '')
const embed =
  (address: (argument: string) => string): PrintDirective =>
  ({ argument }) => [`{% embed url="${quotedAddress(address(argument))}" %}`]

/** The address of a button or a card, by the type of its link. */
function linkAddressOf(target: string, type: string | undefined, printer: MystPrinter): string {
  const { links } = printer.context
  const found =
    type === 'doc'
      ? links.document(target)
      : type === 'url'
        ? undefined
        : (links.label(target.replace(/^#/, '')) ?? links.document(target))
  return found?.address ?? target
}

const button: PrintDirective = (directive, printer) => {
  const { argument, options, name } = directive
  const type = name === 'button-link' ? 'url' : (options.get('ref-type') ?? 'any')
  const text = plainText(printer.content(directive).join(' ')) || plainText(argument)
  const address = escapeHtml(linkAddressOf(argument, type, printer))
  return [`<a href="${address}" class="button primary">${escapeHtml(text)}</a>`]
}

/** An object of a programming language: its signature and its description. */
const programObject: PrintDirective = (directive, printer) => {
  const { argument } = directive
  return [`**\`${argument.replaceAll('`', '')}\`**`, '', ...printer.content(directive)]
}

/** What only a program makes, such as the descriptions of modules. */
const generated: PrintDirective = ({ name, argument, line }, printer) => {
  printer.context.unknown.add(because('unknown-directive', { name }), line)
  return argument === '' ? [] : [`\`${argument.replaceAll('`', '')}\``]
}

const rawText: PrintDirective = (directive, printer) => {
  if (/\bhtml\b/.test(directive.argument)) return directive.body
  printer.context.unknown.add(
    because('unknown-format', { directive: '{raw}', name: directive.argument }),
    directive.line,
  )
  return []
}

const restructuredText: PrintDirective = ({ body, bodyLine }, printer) =>
  printer.print(mystOfRst(body.join('\n')).lines, bodyLine)

/** What no rule knows. Between colons it is Markdown, and between ticks most likely code, unless blocks are in it. */
const unknown: PrintDirective = (directive, printer) => {
  const { name, argument, body, line, sign } = directive
  printer.context.unknown.add(because('unknown-directive', { name }), line)
  const isMarkdown = sign === ':' || body.some((one) => /^[ \t]*(?:`{3,}|~{3,}|:{3,})/.test(one))
  const shown = isMarkdown || body.length === 0 ? printer.content(directive) : fencedLines('', body)
  return [...(argument === '' ? [] : [printer.inline(argument, line), '']), ...shown]
}

const RULES: ReadonlyMap<string, PrintDirective> = new Map<string, PrintDirective>([
  ...'note tip hint important warning caution attention danger error seealso todo'
    .split(' ')
    .map((name) => [name, admonition] as const),
  ['admonition', titledAdmonition],
  ['callout', titledAdmonition],
  ['topic', titledAdmonition],
  ['sidebar', titledAdmonition],
  ['versionadded', versionNote('New in version', 'info')],
  ['version-added', versionNote('New in version', 'info')],
  ['versionchanged', versionNote('Changed in version', 'info')],
  ['version-changed', versionNote('Changed in version', 'info')],
  ['deprecated', versionNote('Deprecated since version', 'warning')],
  ['version-deprecated', versionNote('Deprecated since version', 'warning')],
  ['versionremoved', versionNote('Removed in version', 'warning')],
  ['version-removed', versionNote('Removed in version', 'warning')],
  ['exercise', namedBox],
  ['solution', namedBox],
  ...'dropdown details toggle collapse spoiler'.split(' ').map((name) => [name, dropdown] as const),
  ['figure', figure],
  ['image', figure],
  ['figure-md', markdownFigure],
  ...'code-block code sourcecode code-cell'.split(' ').map((name) => [name, codeDirective] as const),
  ['parsed-literal', directiveOfCode('')],
  ['literal', directiveOfCode('')],
  ['prompt', directiveOfCode('sh')],
  ['mermaid', directiveOfCode('mermaid')],
  ['graphviz', directiveOfCode('dot')],
  ['uml', directiveOfCode('plantuml')],
  ['literalinclude', literalInclude],
  ['include', include],
  ['math', formula],
  ['list-table', listTable],
  ['csv-table', csvTable],
  ['table', boldLine],
  ['glossary', glossary],
  ...'epigraph pull-quote highlights blockquote'.split(' ').map((name) => [name, quote] as const),
  ['rubric', boldLine],
  ['centered', boldLine],
  ['toctree', (directive, printer) => printer.context.contents(directive)],
  ...'grid card-carousel tab-set tabs tab-set-code tabbed container div rst-class only margin aside sidebar-content hlist ifconfig'
    .split(' ')
    .map((name) => [name, content] as const),
  ['compound', whole],
  ...'contents tableofcontents toc index highlight meta currentmodule py:currentmodule module py:module default-role tags default-domain sectionauthor codeauthor cssclass class'
    .split(' ')
    .map((name) => [name, leftOut] as const),
  ['raw', rawText],
  ['eval-rst', restructuredText],
  ['button-link', button],
  ['button-ref', button],
  ['youtube', embed((id) => `https://www.youtube.com/watch?v=${id}`)],
  ['vimeo', embed((id) => `https://vimeo.com/${id}`)],
  ['iframe', embed((address) => address)],
  ['video', embed((address) => address)],
])

/** Names of directives that describe objects of programs. */
const OBJECT =
  /^(?:py|c|cpp|js|rst|std|rust|go):|^(?:function|class|method|attribute|data|exception|option|envvar|confval|describe)$/
const GENERATED =
  /^(?:auto\w{1,40}|autodoc2-\w{1,40}|doxygen\w{0,40}|click|argparse|program-output|bibliography|footbibliography|openapi|swagger-plugin)$/

function ruleFor(name: string): PrintDirective {
  const rule = RULES.get(name)
  if (rule) return rule
  if (name.startsWith('prf:') || name.startsWith('proof:')) return namedBox
  if (GENERATED.test(name)) return generated
  return OBJECT.test(name) ? programObject : unknown
}

/** The title of a tab, and its lines. */
const tab = (title: string, lines: readonly string[]) => [
  `{% tab title="${tagTitle(title) || 'Tab'}" %}`,
  ...lines,
  '{% endtab %}',
]

const tabGroup: DirectiveGroup = {
  names: /^(?:tab-item|tab|group-tab|code-tab)$/,
  print(directives, printer) {
    const tabs = directives.flatMap((directive) => {
      const { name, argument, line, body } = directive
      if (name !== 'code-tab') return tab(titleText(argument, line, printer), printer.content(directive))
      const [language = '', ...title] = argument.split(/\s+/)
      return tab(title.join(' ') || language, codeLines(directive, language, body, printer))
    })
    return ['{% tabs %}', ...tabs, '{% endtabs %}']
  },
}

const cardGroup: DirectiveGroup = {
  names: /^(?:card|grid-item-card)$/,
  print(directives, printer) {
    const cards = directives.map((directive): MdxElement => {
      const { argument, options, line } = directive
      const body = directive.body.map((one) => (/^(?:\+{3}|\^{3})\s*$/.test(one) ? '' : one))
      const link = options.get('link')
      const attributes = new Map<string, unknown>([['title', titleText(argument, line, printer)]])
      if (link !== undefined) attributes.set('href', linkAddressOf(link, options.get('link-type'), printer))
      const picture = options.get('img-top') ?? options.get('img-background') ?? options.get('img-bottom')
      if (picture !== undefined) attributes.set('img', picture)
      const children = [printer.content({ ...directive, body }).join('\n')]
      return { name: 'Card', attributes, children, line, source: '' }
    })
    const print = (nodes: MdxElement['children']) => nodes.filter((one) => typeof one === 'string').join('')
    return cardTable(cards, { print, include: () => undefined }).split('\n')
  },
}

/** The most columns beside each other. */
const MOST_COLUMNS = 4

const gridItems: DirectiveGroup = {
  names: /^grid-item$/,
  print(directives, printer) {
    const items = directives.map((directive) => printer.content(directive))
    if (items.length === 1 || items.length > MOST_COLUMNS) return items.flatMap((lines) => [...lines, ''])
    const columns = items.flatMap((lines) => ['{% column %}', ...lines, '{% endcolumn %}'])
    return ['{% columns %}', ...columns, '{% endcolumns %}']
  },
}

/** How the directives of MyST, Sphinx and its extensions for design are printed. */
export const MYST_DIRECTIVES: DirectiveRules = {
  groups: [tabGroup, cardGroup, gridItems],
  rule: ruleFor,
}
