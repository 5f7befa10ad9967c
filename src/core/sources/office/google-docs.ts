import { need } from '../../data/lists.ts'
import { because } from '../../languages/reasons.ts'
import { titleOfName } from '../../text/file-paths.ts'
import { ImportRefused } from '../../repository/refused.ts'
import { cleanAddress } from '../address-book.ts'
import { type ConvertedSource, type SourceFiles, withoutSingleFolder } from '../converted.ts'
import { storeDataUrl } from '../data-url.ts'
import { convertDocx } from './docx.ts'
import { decodeHtml } from '../html/decode.ts'
import {
  findAll,
  findFirst,
  hasMarkupClass,
  isElement,
  phraseIn,
  readMarkup,
  textIn,
} from '../html/markup.ts'
import type { MarkupElement, MarkupNode } from '../html/markup.ts'
import { addDocument } from '../pages-of-document.ts'

const WRONG = because('import-not-google-docs')

/**
 * Converts a document that was downloaded from Google Docs as HTML or .docx.
 * @throws ImportRefused if it is something else
 */
export function convertGoogleDocs(
  source: SourceFiles,
  name: string,
): ConvertedSource | Promise<ConvertedSource> {
  if (source.has('[Content_Types].xml')) return convertDocx(source, name)
  const files = withoutSingleFolder(source)
  const documents = [...files.keys()].filter((path) => /\.html?$/i.test(path))
  const [path] = documents
  if (path === undefined || documents.length > 1) throw new ImportRefused(WRONG)

  const root = readMarkup(decodeHtml(need(files, path)), path)
  const body = findFirst(root, (element) => element.name === 'body') ?? root
  const styles = stylesOf(root)
  const styled = body.children.flatMap((child) => withStyles(child, styles))
  const heading = styled.find((child) => isElement(child) && hasMarkupClass(child, 'title'))
  const title = heading ? phraseIn([heading]) : ''
  const content = withFootnotes(nested(styled.filter((child) => child !== heading && !isComment(child))))

  const converted: ConvertedSource = { files: new Map(), problems: [] }
  for (const [file, bytes] of files) if (file.startsWith('images/')) converted.files.set(file, bytes)
  addDocument({
    title: title || titleOfName(path.replace(/\.html?$/i, '')),
    isTitled: title !== '',
    content,
    converted,
    context: {
      joinsLists: true,
      image: (address) =>
        /^\s*data:/i.test(address)
          ? storeDataUrl(address, 'README.md', converted.files)
          : cleanAddress(address),
    },
    address: withoutRedirect,
  })
  return converted
}

/** The target of a link. Google redirects all links through one of its pages. */
function withoutRedirect(address: string): string {
  if (!/^https:\/\/www\.google\.com\/url\?/i.test(address) || !URL.canParse(address)) return address
  return new URL(address).searchParams.get('q') ?? address
}

/** The styles of classes that mean something: Google writes all formatting as classes. */
function stylesOf(root: MarkupElement): Map<string, string> {
  const styles = new Map<string, string>()
  for (const sheet of findAll(root, ({ name }) => name === 'style')) {
    const text = sheet.children.map((child) => (typeof child === 'string' ? child : '')).join('')
    for (const [, name = '', rules = ''] of text.matchAll(/\.(c\d{1,5})\{([^{}]{0,2000})\}/g)) {
      const kept = rules
        .split(';')
        .filter((one) =>
          /^(?:font-weight:(?:bold|[6-9]00)|font-style:italic|text-decoration:line-through|vertical-align:su|font-family:"?(?:Courier|Consolas|Roboto Mono|Source Code Pro))/.test(
            one.trim(),
          ),
        )
      if (kept.length > 0) styles.set(name, kept.join(';'))
    }
  }
  return styles
}

/** The same nodes with elements such as `<strong>` in place of classes. Headings are bold anyway. */
function withStyles(node: MarkupNode, styles: ReadonlyMap<string, string>, inHeading = false): MarkupNode[] {
  if (!isElement(node)) return [node]
  const isHeading = inHeading || /^h[1-6]$/.test(node.name)
  if (node.name === 'hr' && /display:\s*none/.test(node.attributes.style ?? '')) return []
  if (node.name === 'sup' && /^\[\w+\]$/.test(textIn(node.children)) && isCommentLink(node.children[0]))
    return []
  const children = node.children.flatMap((child) => withStyles(child, styles, isHeading))
  const own = (node.attributes.class ?? '')
    .split(' ')
    .map((name) => styles.get(name) ?? '')
    .join(';')
  const wrapped = node.name === 'span' && !isHeading ? marked(children, own) : children
  return [{ ...node, children: wrapped }]
}

function marked(children: MarkupNode[], style: string): MarkupNode[] {
  const names = [
    style.includes('font-family') ? 'code' : '',
    style.includes('font-weight') ? 'strong' : '',
    style.includes('font-style') ? 'em' : '',
    style.includes('line-through') ? 's' : '',
    style.includes('vertical-align:super') ? 'sup' : '',
    style.includes('vertical-align:sub') ? 'sub' : '',
  ]
  return names
    .filter((name) => name !== '')
    .reduce(
      (inner: MarkupNode[], name) => [{ name, attributes: {}, children: inner, holdsBlocks: false }],
      children,
    )
}

const isCommentLink = (node: MarkupNode | undefined) =>
  isElement(node, 'a') && (node.attributes.href ?? '').startsWith('#cmnt')

/** True for a comment, which stands at the end of the document. */
function isComment(node: MarkupNode): boolean {
  return (
    isElement(node, 'div') &&
    findFirst(node, ({ attributes }) => /^cmnt\d+$/.test(attributes.id ?? '')) !== undefined
  )
}

/** Footnotes stand at the end, each in an element with a link back. They become a list of notes. */
function withFootnotes(content: MarkupNode[]): MarkupNode[] {
  const notes: MarkupNode[] = []
  const others = content.filter((node) => {
    if (!isElement(node, 'div')) return true
    const back = findFirst(node, ({ attributes }) => /^ftnt\d+$/.test(attributes.id ?? ''))
    if (!back) return true
    const children = node.children.map((child) =>
      isElement(child) ? { ...child, children: child.children.filter((one) => one !== back) } : child,
    )
    notes.push({ name: 'li', attributes: { id: back.attributes.id! }, children, holdsBlocks: true })
    return false
  })
  if (notes.length === 0) return content
  return [...others, { name: 'ol', attributes: { class: 'footnotes' }, children: notes, holdsBlocks: true }]
}

/** The lists of a document nested by the level in their class: Google writes them one after the other. */
function nested(content: MarkupNode[]): MarkupNode[] {
  const output: MarkupNode[] = []
  /** By level, the list that is open. */
  let open: MarkupElement[] = []
  for (const node of content) {
    const level = isElement(node) ? levelOf(node) : undefined
    if (!isElement(node) || level === undefined) {
      if (isElement(node) || node.trim() !== '') open = []
      output.push(node)
      continue
    }
    open.length = Math.min(open.length, level)
    const item = open.at(-1)?.children.findLast((child) => isElement(child, 'li'))
    if (isElement(item)) {
      item.children.push(node)
      item.holdsBlocks = true
    } else output.push(node)
    open.push(node)
  }
  return output
}

function levelOf({ name, attributes }: MarkupElement): number | undefined {
  if (name !== 'ul' && name !== 'ol') return undefined
  const level = /(?:^|\s)lst-[\w.]{1,100}-(\d)(?:\s|$)/.exec(attributes.class ?? '')?.[1]
  return level === undefined ? undefined : Number(level)
}
