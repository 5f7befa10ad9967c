import { sameMarks } from '../../build.ts'
import type { Line, InlineRun } from '../../build.ts'
import { emojiCharacters } from '../../emoji.ts'
import type { Block, Fragment, Inline, InlineOf, InlineType, Mark } from '../../model.ts'
import { printAddress } from '../addresses.ts'
import { attribute, emojiBetween, escapeHtmlText, escapeText, escapeTitle, escapeUrl } from './escape.ts'
import { leavesOf, withNaturalSpaces } from './natural-spaces.ts'
import { barsBehindSlashes, merged, print } from './print-line.ts'
import type { Around } from './print-line.ts'
import { onOneLine } from '../../../text/trimming.ts'

type PrintInline<T extends InlineType> = (inline: InlineOf<T>, around: InlineAround) => string

interface InlineAround extends Around {
  open: Mark[]
  previous?: InlineRun
  next?: InlineRun
  html: boolean
}

/** Prints an inline between the runs beside it. */
export function printInline(
  run: Inline,
  open: Mark[],
  previous: InlineRun | undefined,
  next: InlineRun | undefined,
  around: Around,
): string {
  const printIt = INLINES[run.type] as (inline: Inline, around: InlineAround) => string
  const html = around.place === 'html' || around.place === 'pre'
  return printIt(run, { ...around, open, previous, next, html })
}

const INLINES: { [T in InlineType]: PrintInline<T> } = {
  link({ data, nodes }, around) {
    const inner = printNodes(nodes, around)
    const url = printAddress(data.ref)
    return around.html ? `<a${attribute('href', url)}>${inner}</a>` : `[${inner}](${escapeUrl(url)})`
  },
  mention({ data }, around) {
    const url = printAddress(data.ref)
    const label = url.split('/').findLast((part) => part !== '') ?? url
    if (around.html || /[\r\n]/.test(label))
      return `<a data-mention${attribute('href', url)}>${plain(label, around)}</a>`
    return `[${plain(label, around)}](${escapeUrl(url)} "mention")`
  },
  emoji({ data }, around) {
    const [before, after] = [lastOf(around.previous), firstCharacter(around.next)]
    const name = around.place === 'pre' ? '' : emojiBetween(data.code, before, after)
    if (name !== '') return name
    return `<span data-gb-custom-inline data-tag="emoji"${attribute('data-code', data.code)}>${emojiCharacters(data.code)}</span>`
  },
  icon({ data }) {
    const style = data.color === undefined ? undefined : `color:${data.color};`
    return `<i${attribute('class', `fa-${data.icon}`)}${attribute('style', style)}>:${escapeHtmlText(data.icon)}:</i>`
  },
  'inline-image': printImage,
  'inline-math'({ data }, around) {
    const formula = onOneLine(data.formula)
    const bare =
      /^[^\s$](?:[^$]*[^\s$\\])?$/u.test(formula) &&
      formula !== '\\' &&
      !/[^ \S]/u.test(formula) &&
      !(around.place === 'cell' && barsBehindSlashes(formula))
    const apart = around.before !== '$' && around.after !== '$'
    return bare && apart && !around.html
      ? `$$${formula}$$`
      : `<span class="math">${plain(formula, around)}</span>`
  },
  expression: ({ data }, around) => `<code class="expression">${plain(data.expression, around)}</code>`,
  annotation: printAnnotation,
  button({ data }, around) {
    const { ref, action } = data
    const query = action && 'query' in action ? action.query : undefined
    const attributes = [
      attribute('class', `button ${data.kind}`),
      attribute('data-icon', data.icon),
      attribute('data-action', action?.action),
      attribute('data-query', query),
      attribute('data-slug', action?.action === 'select' ? action.slug : undefined),
    ].join('')
    const label = plain(data.label, around)
    if (action && !ref) return `<button type="button"${attributes}>${label}</button>`
    return `<a${attribute('href', ref && printAddress(ref))}${attributes}>${label}</a>`
  },
  'inline-if'(run, around) {
    // The parser receives the tags as comments.
    const inner = printNodes(run.nodes, around, '<')
    const { opens, closes } = around.printing.tagsInLine?.get(run) ?? { opens: true, closes: true }
    return `${opens ? printTagOf(run.data.expression) : ''}${inner}${closes ? '{% endif %}' : ''}`
  },
  // A line break here would be one of the text.
  'inline-html': ({ data }) => onOneLine(data.html),
}

function printTagOf(expression: string): string {
  return `{% ${`if ${expression}`.trim()} %}`
}

function printNodes(nodes: Line, around: InlineAround, after = ']'): string {
  const runs = merged(nodes.flatMap((node): InlineRun[] => (node.object === 'text' ? node.leaves : [node])))
  const natural = around.place === 'pre' ? runs : merged(withNaturalSpaces(runs, false))
  return print(natural, around.open, { ...around, before: '[', after })
}

/** The text of an inline that is not part of the line's text, on one line. */
function plain(text: string, { html }: InlineAround): string {
  const flat = onOneLine(text)
  return html ? escapeHtmlText(flat) : escapeText(flat, '<')
}

function printImage({ data }: InlineOf<'inline-image'>, around: InlineAround): string {
  const { alt = '', caption = '' } = data
  const url = printAddress(data.ref)
  const simple =
    data.size === undefined && data.refDark === undefined && !/[\r\n]|^\s|\s$/u.test(`${alt}${caption}`)
  if (simple && !around.html && !/[\r\n]|^\s|\s$/u.test(alt) && !/^\s|\s$/u.test(caption)) {
    const title = caption === '' ? '' : ` ${escapeTitle(caption)}`
    return `![${plain(alt, around)}](${escapeUrl(url)}${title})`
  }
  const titled = attribute('title', caption === '' ? undefined : caption)
  const image = `<img${attribute('src', url)}${attribute('alt', alt)}${titled}${attribute('data-size', data.size)}>`
  if (!data.refDark) return image
  const dark = attribute('srcset', printAddress(data.refDark))
  return `<picture><source${dark} media="(prefers-color-scheme: dark)">${image}</picture>`
}

/** A footnote sign after a single word annotates that word. An annotation on other text is an element. */
function printAnnotation({ nodes, fragments }: InlineOf<'annotation'>, around: InlineAround): string {
  const { printing, previous } = around
  const label = printing.labelOf(fragmentBody(fragments))

  const inner = printNodes(nodes, around, '[')
  const runs = merged(nodes.flatMap((node): InlineRun[] => (node.object === 'text' ? node.leaves : [node])))
  const [word, ...others] = runs
  const alone = !previous || !('marks' in previous) || /\s$/.test(previous.text)
  const apart =
    alone || (word && 'marks' in word && 'marks' in previous && !sameMarks(previous.marks, word.marks))
  const single =
    word === undefined ? alone : others.length === 0 && 'marks' in word && /^\S+$/.test(word.text) && apart
  if (single && !around.html && around.after !== ':') return `${inner}[^${label}]`
  return `<a data-footnote-ref${attribute('href', `#user-content-fn-${label}`)}>${inner}</a>`
}

/** The blocks of the footnote. */
function fragmentBody(fragments: readonly Fragment[] | undefined): Block[] {
  return fragments?.find((fragment) => fragment.type === 'annotation-body')?.nodes ?? []
}

function lastOf(run: InlineRun | undefined): string {
  return run && 'marks' in run ? (run.text.at(-1) ?? '') : ''
}

function firstCharacter(run: InlineRun | undefined): string {
  if (!run) return ''
  if ('marks' in run) return run.text[0] ?? ''
  return run.type === 'annotation' ? (leavesOf(run)[0]?.text[0] ?? '') : ''
}
