/** The components of Docusaurus, Mintlify, Starlight and Nextra: the block of Lectern that each of them becomes. */
import { blockOf, detailsLines } from '../markdown/admonitions.ts'
import { dialectLines } from '../markdown/dialect.ts'
import { codeTabs, fencesIn } from '../markdown/fences.ts'
import { printTitle } from '../../document/print.ts'
import { escapeHtml } from '../../text/html.ts'
import { isSet, listIn, attributeText } from './attributes.ts'
import { dedented } from './block-writer.ts'
import { cardTable } from './cards.ts'
import { fileTree } from './file-tree.ts'
import {
  blockLines,
  type ComponentPage,
  componentContent,
  groupedIn,
  printInside,
  type PrintComponent,
  type PrintedComponent,
  printGroup,
  tagTitle,
} from './printing.ts'
import type { MdxElement } from './tree.ts'

const LEFT_OUT: PrintedComponent = { inline: '' }

const hint =
  (kind: string): PrintComponent =>
  (element, page) =>
    hintBlock(attributeText(element.attributes, 'type') ?? kind, element, page)

function hintBlock(kind: string, element: MdxElement, page: ComponentPage): PrintedComponent {
  const title = attributeText(element.attributes, 'title') ?? ''
  const around = blockOf(kind === 'details' ? 'note' : kind, title) ?? blockOf('note', title)
  return around
    ? blockLines([...around.start, componentContent(element, page), ...around.end])
    : printInside(element, page)
}

const details: PrintComponent = (element, page) => {
  const title =
    attributeText(element.attributes, 'title') ?? attributeText(element.attributes, 'summary') ?? 'Details'
  const { start, end } = detailsLines(title)
  return blockLines([...start, componentContent(element, page), ...end])
}

const tabs: PrintComponent = (element, page) => {
  const { attributes } = element
  const titles = listIn(attributes, 'items', 'label')
  const [labels, values] = [listIn(attributes, 'values', 'label'), listIn(attributes, 'values', 'value')]
  return printGroup(element, page, /^(?:Tab|TabItem|Tabs\.Tab)$/, (items) => {
    const printed = items.map((item, at) => {
      const value = attributeText(item.attributes, 'value')
      const known = value === undefined ? undefined : labels[values.indexOf(value)]
      const title =
        attributeText(item.attributes, 'title') ??
        attributeText(item.attributes, 'label') ??
        known ??
        titles[at] ??
        value ??
        'Tab'
      return `{% tab title="${tagTitle(title)}" %}\n${componentContent(item, page)}\n{% endtab %}`
    })
    return `{% tabs %}\n${printed.join('\n')}\n{% endtabs %}`
  })
}

const codeGroup: PrintComponent = (element, page) => {
  const content = componentContent(element, page)
  const parts = fencesIn(dialectLines(content))
  if (!parts.some((part) => 'code' in part)) return blockLines([content])
  return blockLines(['{% tabs %}', ...codeTabs(parts).map(({ text }) => text), '{% endtabs %}'])
}

const step = (content: string) => `{% step %}\n${content}\n{% endstep %}`

const steps: PrintComponent = (element, page) => {
  const { items } = groupedIn(element, /^Step$/)
  if (items.length > 0)
    return printGroup(element, page, /^Step$/, (found) => stepper(found.map((item) => titled(item, page))))
  const content = componentContent(element, page)
  const parts = partsOfSteps(content)
  return parts.length === 0 ? blockLines([content]) : blockLines([stepper(parts)])
}

const stepper = (parts: readonly string[]) => `{% stepper %}\n${parts.map(step).join('\n')}\n{% endstepper %}`

function titled(element: MdxElement, page: ComponentPage): string {
  const title = attributeText(element.attributes, 'title')
  const content = componentContent(element, page)
  return title === undefined ? content : `### ${printTitle(title)}\n\n${content}`.trimEnd()
}

/** The steps of Starlight, which are the items of a list, and those of Nextra, which begin with headings. */
function partsOfSteps(content: string): string[] {
  const lines = dialectLines(content)
  const first = lines.find(({ text }) => text.trim() !== '')
  const sign = /^(?:\d{1,9}[.)][ \t]{1,4}|(#{2,6})[ \t])/.exec(first?.text ?? '')
  if (!sign) return []
  const [, level] = sign
  const parts: string[][] = []
  for (const { text, isCode } of lines) {
    const start = isCode ? null : /^(?:\d{1,9}[.)][ \t]{1,4}|(#{2,6})[ \t])/.exec(text)
    if (start?.[1] === level && start)
      parts.push([level === undefined ? ' '.repeat(start[0].length) + text.slice(start[0].length) : text])
    else parts.at(-1)?.push(text)
  }
  return parts.map((part) => dedented(`\n${part.join('\n')}`))
}

/** A parameter or a field of an API, with its type and what else is known about it. */
const field: PrintComponent = (element, page) => {
  const { attributes } = element
  const [path, place] =
    ['path', 'query', 'body', 'header'].flatMap((one) => {
      const name = attributeText(attributes, one)
      return name === undefined ? [] : [[name, one] as const]
    })[0] ?? []
  const name = attributeText(attributes, 'name') ?? path ?? ''
  const type = attributeText(attributes, 'type')
  const standard = attributeText(attributes, 'default')
  const facts = [
    `**\`${name.replaceAll('`', '')}\`**`,
    ...(type === undefined ? [] : [`_${printTitle(type)}_`]),
    ...(place === undefined ? [] : [place]),
    ...['required', 'deprecated'].filter((one) => isSet(attributes, one)),
    ...(standard === undefined ? [] : [`default: \`${standard.replaceAll('`', '')}\``]),
  ]
  return blockLines([facts.join(' · '), '', componentContent(element, page), ''])
}

const frame: PrintComponent = (element, page) => {
  const content = componentContent(element, page)
  const caption = attributeText(element.attributes, 'caption')
  if (caption === undefined) return blockLines([content])
  const [, alt, address] = /^!\[([^[\]\n]{0,300})\]\(([^()\s]{1,2000})\)$/.exec(content) ?? []
  if (alt === undefined) return blockLines([content, '', `_${printTitle(caption)}_`])
  return blockLines([`![${alt}](${address} "${tagTitle(caption)}")`])
}

const tooltip: PrintComponent = (element, page) => {
  const tip = attributeText(element.attributes, 'tip') ?? attributeText(element.attributes, 'headline')
  const text = page.print(element.children).trim()
  return { inline: tip === undefined ? text : `${text} (${printTitle(tip)})` }
}

const icon: PrintComponent = ({ attributes }) => {
  const name = attributeText(attributes, 'icon') ?? ''
  return /^[a-z][a-z0-9-]{0,60}$/.test(name) ? { inline: `<i class="fa-${name}">:${name}:</i>` } : LEFT_OUT
}

const badge: PrintComponent = (element, page) => {
  const text = (attributeText(element.attributes, 'text') ?? page.print(element.children)).trim()
  return { inline: text === '' ? '' : `**${printTitle(text)}**` }
}

const link: PrintComponent = (element, page) => {
  const address = attributeText(element.attributes, 'href') ?? attributeText(element.attributes, 'to')
  const text = page.print(element.children).trim()
  return { inline: address === undefined || text.includes('\n') ? text : `[${text}](<${address}>)` }
}

const button: PrintComponent = (element, page) => {
  const address = attributeText(element.attributes, 'href') ?? ''
  const text = page.print(element.children).replace(/\s+/g, ' ').trim()
  return { inline: `<a href="${escapeHtml(address)}" class="button primary">${escapeHtml(text)}</a>` }
}

const image: PrintComponent = ({ attributes }) => {
  const sources = attributes.get('sources')
  const light =
    attributeText(attributes, 'src') ??
    (sources instanceof Object && 'light' in sources ? sources.light : undefined)
  if (typeof light !== 'string') return LEFT_OUT
  return { inline: `![${printTitle(attributeText(attributes, 'alt') ?? '')}](<${light}>)` }
}

const codeBlock: PrintComponent = ({ attributes, source }) => {
  const written = dedented(source).trim()
  const code = /^\{`([\s\S]*)`\}$/.exec(written)?.[1]?.replace(/\\([`$\\])/g, '$1') ?? written
  const ticks = code.match(/`{3,200}/g) ?? []
  const fence = '`'.repeat(ticks.reduce((most, one) => Math.max(most, one.length + 1), 3))
  const title = attributeText(attributes, 'title')
  const language = attributeText(attributes, 'language') ?? attributeText(attributes, 'lang') ?? ''
  const info = title === undefined ? language : `${language} title="${tagTitle(title)}"`
  return blockLines([`${fence}${info}`, code, fence])
}

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
)

/** A date in English or in digits, as `YYYY-MM-DD`. */
function isoDate(written: string): string | undefined {
  const [, month = '', day = '', year = ''] =
    /^([A-Za-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/.exec(written) ?? []
  const number = MONTHS.findIndex((one) => month.length >= 3 && one.startsWith(month.toLowerCase())) + 1
  if (number > 0) return `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`
  return /^\d{4}-\d{2}-\d{2}$/.test(written) ? written : undefined
}

const update: PrintComponent = (element, page) => {
  const name = attributeText(element.attributes, 'label') ?? ''
  const description = attributeText(element.attributes, 'description') ?? ''
  const date = [name, description].map(isoDate).find((one) => one !== undefined)
  const content = componentContent(element, page)
  const title = [name, description].filter((one) => one !== '' && isoDate(one) === undefined).join(' – ')
  const heading = title === '' ? [] : [`## ${printTitle(title)}`, '']
  if (date === undefined) return blockLines([...heading, content])
  const tags = listIn(element.attributes, 'tags', 'label').map(tagTitle).join(',')
  const start = `{% update date="${date}"${tags === '' ? '' : ` tags="${tags}"`} %}`
  return blockLines([
    '{% updates format="full" %}',
    start,
    ...heading,
    content,
    '{% endupdate %}',
    '{% endupdates %}',
  ])
}

const snippet: PrintComponent = ({ attributes }, page) => {
  const file = attributeText(attributes, 'file') ?? ''
  const included = page.include(`/snippets/${file}`) ?? page.include(`/_snippets/${file}`)
  return included === undefined ? LEFT_OUT : blockLines([included])
}

const columns: PrintComponent = (element, page) => {
  if (groupedIn(element, CARD).items.length > 0) return cards(element, page)
  return printGroup(element, page, /^Column$/, (items) => {
    const printed = items.map((item) => `{% column %}\n${componentContent(item, page)}\n{% endcolumn %}`)
    return `{% columns %}\n${printed.join('\n')}\n{% endcolumns %}`
  })
}

const CARD = /^(?:Card|LinkCard|Cards\.Card)$/
const cards: PrintComponent = (element, page) =>
  printGroup(element, page, CARD, (items) => cardTable(items, page))
const card: PrintComponent = (element, page) => blockLines([cardTable([element], page)])

const leftOut: PrintComponent = () => LEFT_OUT

/** How each component is printed, by its name. */
export const COMPONENTS: ReadonlyMap<string, PrintComponent> = new Map<string, PrintComponent>([
  ...['Note', 'Tip', 'Info', 'Warning', 'Danger', 'Check'].map((name): [string, PrintComponent] => [
    name,
    (element, page) => hintBlock(name, element, page),
  ]),
  ['Admonition', hint('note')],
  ['Aside', hint('note')],
  ['Callout', hint('note')],
  ['Tabs', tabs],
  ['Tab', printInside],
  ['TabItem', printInside],
  ['Tabs.Tab', printInside],
  ['CodeGroup', codeGroup],
  ['RequestExample', codeGroup],
  ['ResponseExample', codeGroup],
  ['Panel', printInside],
  ['Steps', steps],
  ['Step', (element, page) => blockLines([titled(element, page)])],
  ['Accordion', details],
  ['AccordionGroup', printInside],
  ['Expandable', details],
  ['Card', card],
  ['LinkCard', card],
  ['Cards.Card', card],
  ['CardGroup', cards],
  ['CardGrid', cards],
  ['Cards', cards],
  ['Columns', columns],
  ['Column', printInside],
  ['Frame', frame],
  ['ParamField', field],
  ['ResponseField', field],
  ['Tooltip', tooltip],
  ['Icon', icon],
  ['Badge', badge],
  ['Link', link],
  ['LinkButton', button],
  ['Image', image],
  ['ThemedImage', image],
  ['CodeBlock', codeBlock],
  ['Code', codeBlock],
  ['Update', update],
  ['Snippet', snippet],
  ['FileTree', fileTree],
  ['Tree', fileTree],
  ['Translate', printInside],
  ['BrowserOnly', printInside],
  ['DocCardList', leftOut],
  ['TOCInline', leftOut],
  ['Head', leftOut],
])
