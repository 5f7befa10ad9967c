import { voidInline } from '../../document/build.ts'
import type { InlineRun } from '../../document/build.ts'
import { because } from '../../languages/reasons.ts'
import { isLibraryFault } from './library-fault.ts'
import { mammoth } from '../../runtime/libraries.ts'
import { titleOfName } from '../../text/file-paths.ts'
import { shorten } from '../../text/shorten.ts'
import { ImportRefused } from '../../repository/refused.ts'
import type { ConvertedSource, SourceFiles } from '../converted.ts'
import { imageExtension, storeImage } from '../data-url.ts'
import { findAll, findFirst, hasMarkupClass, phraseIn, readMarkup, textIn } from '../html/markup.ts'
import type { MarkupElement } from '../html/markup.ts'
import { addDocument } from '../pages-of-document.ts'
import { checkXml } from './check-xml.ts'
import { commentsProblem, trackedProblem } from './review.ts'
import { relationshipTargets, rewriteWordMarkup, WORD_STYLES, type WordFindings } from './word-markup.ts'

/** Paragraph styles that mean more than their look. The names are those of Word, LibreOffice and Google. */
const STYLES = [
  ...['toc 1', 'toc 2', 'toc 3', 'toc 4', 'toc 5', 'TOC Heading', 'Contents Heading'].map(
    (name) => `p[style-name='${name}'] => !`,
  ),
  "p[style-name='Title'] => h1.document-title:fresh",
  ...['HTML Preformatted', 'Preformatted Text', 'Source Code', 'Code', 'Code Block', 'Plain Text'].map(
    (name) => `p[style-name='${name}'] => pre:separator('\\n')`,
  ),
  ...['Quote', 'Intense Quote', 'Quotations', 'Block Text'].map(
    (name) => `p[style-name='${name}'] => blockquote > p:fresh`,
  ),
  ...['Verbatim Char', 'HTML Code', 'Source Text', 'Code Char', 'Inline Code'].map(
    (name) => `r[style-name='${name}'] => code`,
  ),
  `r.${WORD_STYLES.formula} => span.math:fresh`,
  `r.${WORD_STYLES.display} => span.math.display:fresh`,
  `r.${WORD_STYLES.picture} => span.linked-picture:fresh`,
]

/**
 * Converts a document of Word or another word processor. Its headings of the first level are pages, if it has several.
 * @throws ImportRefused if it is none, or if a part of it is not plain XML
 */
export async function convertDocx(files: SourceFiles, name: string): Promise<ConvertedSource> {
  if (
    !files.has('[Content_Types].xml') ||
    ![...files.keys()].some((path) => /^word\/document\d*\.xml$/.test(path))
  )
    throw new ImportRefused(because('import-not-docx'))
  const converted: ConvertedSource = { files: new Map(), problems: [] }
  const html = await htmlOf(files, converted)
  const root = readMarkup(html, name)
  const heading = findFirst(root, ({ attributes }) => attributes.class === 'document-title')
  const content = heading ? root.children.filter((child) => child !== heading) : root.children
  const title =
    (heading ? phraseIn(heading.children) : '') || coreTitle(files) || titleOfName(name.replace(/\.\w+$/, ''))
  addDocument({
    title,
    isTitled: heading !== undefined,
    content,
    converted,
    context: { image: (address) => address, inline: (element) => linkedPicture(element, converted) },
  })
  return converted
}

/** A picture that the document only links to: shown from its address on the web, or else left out and listed. */
function linkedPicture(element: MarkupElement, { problems }: ConvertedSource): InlineRun[] | undefined {
  if (!hasMarkupClass(element, 'linked-picture')) return undefined
  const [address = '', ...words] = textIn(element.children).split(' ')
  const alt = words.join(' ').trim()
  if (/^https?:/i.test(address)) {
    const ref = { kind: 'url' as const, url: address }
    return [voidInline('inline-image', alt === '' ? { ref } : { ref, alt })]
  }
  problems.push({
    kind: 'missing-file',
    path: 'word/document.xml',
    address,
    ...because('picture-linked-left-out', { address }),
  })
  return alt === '' ? [] : [{ text: alt, marks: [] }]
}

async function htmlOf(files: SourceFiles, converted: ConvertedSource): Promise<string> {
  const { convertToHtml, images } = mammoth()
  let left = 0
  const convertImage = images.imgElement(async (image) => {
    const extension = imageExtension(image.contentType)
    const bytes = extension === undefined ? undefined : await image.readAsBuffer()
    const path = bytes && storeImage(bytes, extension!, 'README.md', converted.files)
    if (path === undefined) left += 1
    return { src: path ?? '' }
  })
  const findings: WordFindings = { insertions: 0, deletions: 0, authors: new Set(), charts: 0 }
  try {
    const input = { file: opened(files, findings) } as unknown as Parameters<typeof convertToHtml>[0]
    const { value } = await convertToHtml(input, { styleMap: STYLES, convertImage, idPrefix: '' })
    if (left > 0)
      converted.problems.push({
        path: 'word/media',
        ...because('pictures-left-out', { count: left }),
      })
    reportReview(files, findings, converted)
    reportParts(files, findings, converted)
    return value
  } catch (error) {
    if (error instanceof ImportRefused || !isLibraryFault(error)) throw error
    throw new ImportRefused(because('import-docx-unreadable', { cause: error.message }))
  }
}

/** Lists tracked changes, which are applied, and comments, which are left out. */
function reportReview(files: SourceFiles, findings: WordFindings, { problems }: ConvertedSource): void {
  if (findings.insertions + findings.deletions > 0)
    problems.push(trackedProblem('word/document.xml', findings))
  const path = 'word/comments.xml'
  const bytes = files.get(path)
  if (!bytes) return
  const text = new TextDecoder().decode(bytes)
  checkXml(text, path)
  const comments = findAll(readMarkup(text, path, 'xml'), ({ name }) => name === 'w:comment')
  if (comments.length === 0) return
  const names = new Set(comments.flatMap(({ attributes }) => attributes['w:author']?.trim() || []))
  problems.push(commentsProblem(path, comments.length, names))
}

/** Lists charts and diagrams, and headers and footers with more than numbers of pages. */
function reportParts(files: SourceFiles, { charts }: WordFindings, { problems }: ConvertedSource): void {
  const path = 'word/document.xml'
  if (charts > 0) problems.push({ path, ...because('document-charts-left-out', { count: charts }) })
  const margins = [...files].flatMap(([part, bytes]) => {
    if (!/^word\/(?:header|footer)\d{0,4}\.xml$/.test(part)) return []
    const source = new TextDecoder().decode(bytes)
    checkXml(source, part)
    const elements = findAll(readMarkup(source, part, 'xml'), ({ name }) => name === 'w:t')
    const text = elements
      .map(({ children }) => textIn(children))
      .join('')
      .trim()
    return /\p{L}/u.test(text) ? [text] : []
  })
  const [first] = margins
  if (first === undefined) return
  const text = shorten(first, 60)
  problems.push({ path, ...because('document-margins-left-out', { count: margins.length, text }) })
}

/** The parts with the text of a document. */
const TEXT_PART = /^word\/((?:document\d*|footnotes|endnotes)\.xml)$/

/** The parts of a document, which are checked before the library reads them. */
function opened(files: SourceFiles, findings: WordFindings) {
  const targets = new Map<string, ReadonlyMap<string, string>>()
  const targetIn = (part: string) => (id: string) => {
    const path = `word/_rels/${part}.rels`
    const bytes = files.get(path)
    const known = targets.get(path) ?? relationshipTargets(new TextDecoder().decode(bytes), path)
    targets.set(path, known)
    return known.get(id)
  }
  return {
    exists: (path: string) => files.has(path),
    async read(path: string, encoding?: string): Promise<Uint8Array | string> {
      const bytes = files.get(path)
      if (!bytes) throw new ImportRefused(because('import-docx-without-part', { path }), path)
      if (encoding === 'base64') return Buffer.from(bytes).toString('base64')
      if (encoding === undefined) return bytes
      const text = new TextDecoder().decode(bytes)
      checkXml(text, path)
      const part = TEXT_PART.exec(path)?.[1]
      return part === undefined ? text : rewriteWordMarkup(text, path, targetIn(part), findings)
    },
  }
}

function coreTitle(files: SourceFiles): string {
  const bytes = files.get('docProps/core.xml')
  if (!bytes || bytes.length > 100_000) return ''
  const root = readMarkup(new TextDecoder().decode(bytes), 'docProps/core.xml', 'xml')
  const title = findFirst(root, ({ name }) => name === 'dc:title')
  return title ? phraseIn(title.children) : ''
}
