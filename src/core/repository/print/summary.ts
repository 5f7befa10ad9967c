import { yaml } from '../../runtime/libraries.ts'
import { append, needItem } from '../../data/lists.ts'
import type { PageRecord } from '../../content/revision.ts'
import { isBroken } from '../../content/links.ts'
import { emojiCode } from '../../document/emoji.ts'
import { printAddress } from '../../document/markdown/addresses.ts'
import { readComputed } from '../contents/computed.ts'
import { hidingTag } from '../../document/markdown/hiding-tags.ts'
import { groupSlugs } from '../group-slugs.ts'
import { plainTitle } from '../contents/inline-link.ts'
import { folderOf } from '../../text/file-paths.ts'
import { addressFrom, addressOfPath } from './address.ts'
import type { PlacedContent } from './model.ts'

/**
 * Prints the table of contents, as `parseSummary` reads it.
 * @param titled the ids of the pages whose files have their titles
 */
export function printSummary(content: PlacedContent, titled: ReadonlySet<string>): string {
  const { pages } = content
  const folder = folderOf(content.layout.summary)
  const lines = ['# Table of contents', '']
  const derived = derivedSlugs(content)
  let isInGroup = false

  const list = (page: PageRecord, indent: string) => {
    if (page.type === 'computed') append(lines, computedLines(page, indent))
    else if (page.type === 'link')
      lines.push(`${indent}* [${printedTitle(page.title)}](${linkAddress(page)})`)
    else lines.push(`${indent}* ${documentLine(page)}`)
    for (const child of pages.children(page.id)) list(child, `${indent}  `)
  }
  const documentLine = (page: PageRecord) => {
    const { id, title, linkTitle, file } = page
    if (file === undefined) return printedTitle(title)
    const address = addressOfPath(folder, file)
    if (titled.has(id)) return `[${printedTitle(linkTitle ?? title)}](${address})`
    return `[${printedTitle(title)}](${address}${linkTitle === undefined ? '' : ` "${printedTitle(linkTitle)}"`})`
  }
  const linkAddress = ({ target }: PageRecord) => {
    if (!target || isBroken(target)) return BROKEN
    if (target.kind === 'url') return /^[^\s()<>"']+$/.test(target.url) ? target.url : `<${target.url}>`
    const address = addressFrom(folder, target, content)
    // The empty anchor makes it a link to a page that is listed elsewhere.
    if (address !== undefined) return target.kind === 'page' ? `${address}#` : address
    return 'space' in target && target.space !== undefined ? printAddress(target) : elsewhere(target)
  }

  for (const page of pages.roots()) {
    if (page.type === 'group') {
      const slug = page.slug === derived.get(page.id) ? '' : ` <a href="#${page.slug}" id="${page.slug}"></a>`
      append(lines, gap(lines))
      lines.push(`## ${printedTitle(page.title)}${slug}`, '')
      for (const child of pages.children(page.id)) list(child, '')
      isInGroup = true
      continue
    }
    if (isInGroup) {
      append(lines, gap(lines))
      lines.push('---', '')
    }
    isInGroup = false
    list(page, '')
  }
  return `${lines.join('\n').replace(/\n+$/, '')}\n`
}

/** The slugs of groups that an import derives from their titles and files, by their ids. */
function derivedSlugs({ pages, layout }: PlacedContent): ReadonlyMap<string, string> {
  const groups = pages.roots().filter(({ type }) => type === 'group')
  const filed = groups.map(({ id, title }) => ({
    title,
    files: pages.children(id).flatMap(({ file }) => file ?? []),
  }))
  const slugs = groupSlugs(filed, layout.root)
  return new Map(groups.map(({ id }, nth) => [id, needItem(slugs, nth)]))
}

/** The address of a link whose target is gone. */
const BROKEN = 'broken-reference'

const ELSEWHERE = new Set(['collection', 'user', 'openapi'])

const elsewhere = (target: NonNullable<PageRecord['target']>) =>
  ELSEWHERE.has(target.kind) ? printAddress(target) : BROKEN

const gap = (lines: readonly string[]) => (lines.at(-1) === '' ? [] : [''])

function computedLines({ title, computed }: PageRecord, indent: string): string[] {
  const isTitled = readComputed(yaml().stringify(computed))?.title === title
  const value = isTitled ? computed : { ...computed, title }
  const plain = yaml().stringify(value)
  // A comment or a fence in a value would end the block. JSON is YAML, and has no such characters.
  const text = /<!--|```|~~~/.test(plain) ? JSON.stringify(value).replace(/[<`~]/g, unicodeEscape) : plain
  const inner = `${indent}  `
  const block = text.trimEnd().split('\n')
  return [
    `${indent}* \`\`\`yaml`,
    ...block.map((line) => (line === '' ? '' : inner + line)),
    `${inner}\`\`\``,
  ]
}

const unicodeEscape = (one: string) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Characters that are never plain text in an entry: brackets, tags, code, escapes, the closing mark of a heading. */
const SPECIAL = /[[\]<`\\]|(?:^|\s)#+$/

/** A title whose Markdown means exactly its characters. One that needs no escapes has none, as people write it. */
export function printedTitle(title: string): string {
  const clean = title.replace(/\s+/g, ' ').trim()
  const isCondition = hidingTag(clean) !== undefined
  if (!isCondition && !SPECIAL.test(clean) && plainTitle(clean) === clean) return clean
  return clean
    .replace(
      isCondition ? /[\\`*_[\]~{\uff5b%:]|#(?=#*$)/g : /[\\`*_[\]~:]|#(?=#*$)/g,
      (sign: string, at: number) => (sign === ':' && !isBeforeEmoji(clean, at) ? sign : `\\${sign}`),
    )
    .replace(/&(?=(?:amp|lt|gt|quot|apos|nbsp|#x20|#32|#39|#x27);)/gi, '&amp;')
    .replaceAll('<', '&lt;')
}

function isBeforeEmoji(title: string, at: number): boolean {
  const name = /^:([\w+-]{1,64}):/.exec(title.slice(at, at + 66))?.[1]
  return name !== undefined && emojiCode(name) !== undefined
}
