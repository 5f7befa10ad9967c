import { because } from '../../languages/reasons.ts'
import { ImportRefused } from '../../repository/refused.ts'
import { joinPath, titleOfName } from '../../text/file-paths.ts'
import type { ConvertedSource, SourceFiles } from '../converted.ts'
import { storeImage } from '../data-url.ts'
import { latexOfMathml } from '../html/formulas/mathml.ts'
import { findAll, findFirst, localName, type MarkupElement, phraseIn, readMarkup } from '../html/markup.ts'
import { addDocument } from '../pages-of-document.ts'
import { checkXml } from './check-xml.ts'
import { odtAuthors, odtHtml } from './odt-body.ts'
import { readOdtStyles } from './odt-styles.ts'
import { commentsProblem, trackedProblem } from './review.ts'

/**
 * Converts an OpenDocument text, as LibreOffice writes it. Its headings of the first level are pages, if it has several.
 * @throws ImportRefused if it is none, if a part of it is not plain XML, or if it exceeds a limit
 */
export function convertOdt(files: SourceFiles, name: string): ConvertedSource {
  const content = xmlPart(files, 'content.xml')
  const body = content && findFirst(content, (element) => element.name === 'office:text')
  if (!content || !body) throw new ImportRefused(because('import-not-odt'))

  const styles = xmlPart(files, 'styles.xml')
  const converted: ConvertedSource = { files: new Map(), problems: [] }
  let left = 0
  const html = odtHtml(body, {
    styles: readOdtStyles(styles ? [styles, content] : [content]),
    formula: (address) => formulaIn(files, address),
    picture(address) {
      const picture = pictureIn(files, address, converted)
      if (picture === undefined) left += 1
      return picture
    },
  })
  if (left > 0)
    converted.problems.push({ path: 'content.xml', ...because('pictures-left-out', { count: left }) })
  reportChanges(body, converted)

  const root = readMarkup(html, name)
  const heading = findFirst(root, ({ attributes }) => attributes.class === 'document-title')
  addDocument({
    title:
      (heading ? phraseIn(heading.children) : '') ||
      metaTitle(files) ||
      titleOfName(name.replace(/\.\w+$/, '')),
    isTitled: heading !== undefined,
    content: root.children.filter((child) => child !== heading),
    converted,
    context: { image: (address) => address },
  })
  return converted
}

/** A part of the document; undefined without it. @throws ImportRefused if it is not plain XML */
function xmlPart(files: SourceFiles, path: string): MarkupElement | undefined {
  const bytes = files.get(path)
  if (!bytes) return undefined
  const text = new TextDecoder().decode(bytes)
  checkXml(text, path)
  return readMarkup(text, path, 'xml')
}

/** The formula of an embedded object, which is a folder with a file of MathML. */
function formulaIn(files: SourceFiles, address: string): string | undefined {
  const path = joinPath('', `${address}/content.xml`)
  const bytes = path === undefined ? undefined : files.get(path)
  if (!bytes || path === undefined) return undefined
  const root = readMarkup(new TextDecoder().decode(bytes), path, 'xml')
  const math = findFirst(root, (element) => localName(element) === 'math')
  return math && latexOfMathml(math)
}

/** The address of a picture on the web, or of a stored one; undefined for a format that browsers do not show. */
function pictureIn(files: SourceFiles, address: string, converted: ConvertedSource): string | undefined {
  if (/^https?:/i.test(address)) return address
  const path = joinPath('', address)
  const bytes = path === undefined ? undefined : files.get(path)
  const extension = /\.(png|jpe?g|gif|svg|webp|avif|bmp)$/i.exec(address)?.[1]?.toLowerCase()
  if (!bytes || extension === undefined) return undefined
  return storeImage(bytes, extension, 'README.md', converted.files)
}

/** Lists tracked changes, which are applied, and comments, which are left out. */
function reportChanges(body: MarkupElement, { problems }: ConvertedSource): void {
  const path = 'content.xml'
  const changes = findAll(body, ({ name }) => name === 'text:insertion' || name === 'text:deletion')
  const insertions = changes.filter(({ name }) => name === 'text:insertion').length
  const deletions = changes.length - insertions
  if (changes.length > 0)
    problems.push(trackedProblem(path, { insertions, deletions, authors: odtAuthors(changes) }))
  const comments = findAll(body, ({ name }) => name === 'office:annotation')
  if (comments.length > 0) problems.push(commentsProblem(path, comments.length, odtAuthors(comments)))
}

function metaTitle(files: SourceFiles): string {
  const bytes = files.get('meta.xml')
  if (!bytes || bytes.length > 100_000) return ''
  const root = readMarkup(new TextDecoder().decode(bytes), 'meta.xml', 'xml')
  const title = findFirst(root, ({ name }) => name === 'dc:title')
  return title ? phraseIn(title.children) : ''
}
