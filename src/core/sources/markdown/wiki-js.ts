/** The Markdown of Wiki.js: lists of attributes behind quotes, lists and headings, and the sizes of pictures. */
import { because } from '../../languages/reasons.ts'
import { dialectLines, type DialectLine, doubleDollars, mapAddressesIn, mapOutsideCode } from './dialect.ts'
import { withoutHeadingClasses } from './heading-ids.ts'
import type { NotUnderstood } from './not-understood.ts'

/** What a page needs to be converted. */
interface WikiJsPage {
  /** The line of the file at which the text begins, from 1. */
  line: number
  unknown: NotUnderstood
  /** The address to write for one in the page. */
  address(written: string): string
}

const ALONE = /^[ \t]{0,9}\{((?:[.#][\w-]{1,60}[ \t]{0,9}){1,9})\}[ \t]{0,9}$/
const STYLES = new Map([
  ['.is-info', 'info'],
  ['.is-success', 'success'],
  ['.is-warning', 'warning'],
  ['.is-danger', 'danger'],
])
/** Classes that only arrange a list, a table or a picture. */
const ARRANGED =
  /^(?:#.*|\.(?:links-list|grid-list|dense|decor-.*|align-.*|radius-.*|tabset|is-.*|elevation-.*))$/

/** The lines of a page as Lectern writes them. Takes linear time. */
export function wikiJsLines(source: string, page: WikiJsPage): DialectLine[] {
  const lines = attributedLines(dialectLines(source), page)
  return dialectLines(tabbed(lines).join('\n')).map(({ text, isCode }) => ({
    text: isCode ? text : wikiJsText(text, page),
    isCode,
  }))
}

/** Quotes with a class become hints, and other lists of attributes that stand alone in a line are removed. */
function attributedLines(lines: readonly DialectLine[], { line, unknown }: WikiJsPage): DialectLine[] {
  const output: DialectLine[] = []
  // The place in the output at which the quote begins that the line may belong to.
  let quote: number | undefined
  for (const [at, one] of lines.entries()) {
    const attributes = one.isCode
      ? undefined
      : ALONE.exec(one.text)?.[1]
          ?.trim()
          .split(/[ \t]+/)
    if (!attributes) {
      if (/^[ \t]{0,3}>/.test(one.text)) quote ??= output.length
      // A paragraph in a quote may go on without its sign.
      else if (one.isCode || one.text.trim() === '') quote = undefined
      output.push(one)
      continue
    }
    const style = attributes.map((name) => STYLES.get(name)).find(Boolean)
    if (style !== undefined && quote !== undefined) {
      const inside = output.splice(quote)
      const plain = (text: string): DialectLine => ({ text, isCode: false })
      output.push(plain(`{% hint style="${style}" %}`))
      for (const { text, isCode } of inside) output.push({ text: text.replace(/^[ \t]{0,3}> ?/, ''), isCode })
      output.push(plain('{% endhint %}'))
    }
    for (const name of attributes)
      if (!ARRANGED.test(name)) unknown.add(because('unknown-class', { name }), line + at)
    quote = undefined
  }
  return output
}

const HEADING = /^(#{1,6})[ \t]+(.*)$/

/** A heading with the class `tabset` becomes tabs, one for each heading of the next level below it. */
function tabbed(lines: readonly DialectLine[]): string[] {
  const output: string[] = []
  let level = 0
  let hasTab = false
  const close = () => {
    if (hasTab) output.push('{% endtab %}', '{% endtabs %}')
    level = 0
    hasTab = false
  }
  for (const { text, isCode } of lines) {
    const [, signs = '', title = ''] = (!isCode && HEADING.exec(text)) || []
    if (level > 0 && signs !== '' && signs.length <= level) close()
    if (signs !== '' && /\{[^{}]{0,200}\.tabset\b[^{}]{0,200}\}[ \t]*$/.test(title)) {
      close()
      level = signs.length
    } else if (level > 0 && signs.length === level + 1) {
      output.push(hasTab ? '{% endtab %}' : '{% tabs %}')
      output.push(
        `{% tab title="${title
          .replace(/\{[^{}]{0,200}\}[ \t]*$/, '')
          .replace(/[\\"*`]/g, '')
          .trim()}" %}`,
      )
      hasTab = true
    } else output.push(text)
  }
  close()
  return output
}

function wikiJsText(text: string, page: WikiJsPage): string {
  const bare = mapOutsideCode(text, (part) =>
    doubleDollars(
      part
        // The size of a picture: `![boat](/boat.png =100x200)`.
        .replace(/(\]\([^()\s]{1,1000}) =\d{0,5}%?x\d{0,5}%?\)/g, '$1)')
        .replace(/(?<=[)\]*_])\{[ \t]{0,9}\.[\w-][^{}]{0,200}\}/g, ''),
    ),
  )
  return mapAddressesIn(withoutHeadingClasses(bare), page.address)
}
