/** Rewrites what the reader of Word documents does not read: formulas and linked pictures. Counts tracked changes. */
import { htmlParser } from '../../runtime/libraries.ts'
import { escapeXml } from '../../text/xml.ts'
import { latexOfOmml } from '../html/formulas/omml.ts'
import { findFirst, isElement, readMarkup } from '../html/markup.ts'
import type { TrackedChanges } from './review.ts'

/** Ids of the styles that mark what was rewritten. */
export const WORD_STYLES = { formula: 'LecternFormula', display: 'LecternDisplay', picture: 'LecternPicture' }

/** What a part of a document has besides its text. */
export interface WordFindings extends TrackedChanges {
  /** The number of charts and diagrams, which are left out. */
  charts: number
}

/** A drawing around what is read. */
interface OpenDrawing {
  start: number
  /** Where its last text box ends, if it has one. */
  boxEnd?: number
}

/** A field around what is read, such as that of a page number. */
interface OpenField {
  instruction: string
  hasPicture: boolean
}

/** Text in place of a span of the XML. */
interface Rewritten {
  start: number
  end: number
  text: string
}

/**
 * The XML of a part of a document, with formulas and linked pictures as runs of text in a style of `WORD_STYLES`: a formula
 * between `\(` and `\)`, and a picture as its address, a space and its alternative text.
 * @param target the address of a relationship by its id
 * @throws ImportRefused if a formula exceeds the limits of markup
 */
export function rewriteWordMarkup(
  xml: string,
  path: string,
  target: (id: string) => string | undefined,
  findings: WordFindings,
): string {
  const rewritten: Rewritten[] = []
  /** The elements around what is read. */
  const open: { name: string; start: number }[] = []
  /** How many formulas and properties are around it. */
  const within = { formulas: 0, properties: 0 }
  let alternative = ''
  let linked: string | undefined
  const drawings: OpenDrawing[] = []
  const fields: OpenField[] = []
  /** The picture of a field that ended in the run that is read. */
  let included = ''
  const replace = (start: number, end: number, text: string) => rewritten.push({ start, end, text })

  // The reader reads the text boxes of VML. In alternative content, it takes these.
  const openTextBox = (at: number) => {
    const drawing = drawings.at(-1)
    if (!drawing || open.some((one) => one.name === 'mc:Choice')) return
    const { start, boxEnd } = drawing
    replace(boxEnd ?? start, at, boxEnd === undefined ? `<w:pict>${BOX.start}` : BOX.end + BOX.start)
    drawing.boxEnd = at
  }

  const { Parser } = htmlParser()
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        open.push({ name, start: parser.startIndex })
        if (isFormula(name)) within.formulas += 1
        if (isProperties(name)) within.properties += 1
        if (name === 'w:ins' || name === 'w:del') noteChange(name, attributes, within.properties, findings)
        if (name === 'w:drawing') drawings.push({ start: parser.startIndex })
        if (name === 'c:chart' || name === 'cx:chart' || name === 'dgm:relIds') findings.charts += 1
        if (name === 'w:txbxContent') openTextBox(parser.startIndex)
        if (name === 'a:blip' || name === 'v:imagedata') for (const field of fields) field.hasPicture = true
        if (name === 'w:fldSimple')
          fields.push({ instruction: attributes['w:instr'] ?? '', hasPicture: false })
        if (name === 'w:fldChar') {
          const type = attributes['w:fldCharType']
          if (type === 'begin') fields.push({ instruction: '', hasPicture: false })
          if (type === 'end') included += pictureOfField(fields.pop())
        }
        if (name === 'wp:docPr') alternative = attributes.descr ?? attributes.title ?? ''
        if (name === 'a:blip' && attributes['r:embed'] === undefined && attributes['r:link'] !== undefined)
          linked = target(attributes['r:link'])
      },
      ontext(text) {
        const field = fields.at(-1)
        if (field && open.at(-1)?.name === 'w:instrText' && field.instruction.length < LONGEST_INSTRUCTION)
          field.instruction += text
      },
      onclosetag(name) {
        const start = open.pop()?.start ?? 0
        if (isProperties(name)) within.properties -= 1
        if (isFormula(name)) {
          within.formulas -= 1
          if (within.formulas === 0) {
            const source = xml.slice(start, parser.endIndex + 1)
            replace(start, parser.endIndex + 1, formulaRun(source, name, path))
          }
        }
        const drawing = drawings.at(-1)
        if (name === 'w:txbxContent' && drawing?.boxEnd !== undefined) drawing.boxEnd = parser.endIndex + 1
        if (name === 'w:fldSimple') included += pictureOfField(fields.pop())
        if ((name === 'w:r' || name === 'w:fldSimple') && included !== '') {
          replace(parser.endIndex + 1, parser.endIndex + 1, included)
          included = ''
        }
        if (name === 'w:drawing') {
          drawings.pop()
          if (drawing?.boxEnd !== undefined)
            replace(drawing.boxEnd, parser.endIndex + 1, `${BOX.end}</w:pict>`)
          // In alternative content, the reader takes the fallback.
          if (linked !== undefined && open.at(-1)?.name === 'w:r')
            replace(start, parser.endIndex + 1, `</w:r>${pictureRun(linked, alternative)}<w:r>`)
          linked = undefined
          alternative = ''
        }
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.write(xml)
  parser.end()
  return spliced(xml, rewritten)
}

const BOX = {
  start: '<v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:textbox>',
  end: '</v:textbox></v:shape>',
}

/** The most characters that are read of the instruction of a field. */
const LONGEST_INSTRUCTION = 5000

/** The picture that a field includes by its address, unless the document has it too. */
function pictureOfField(field: OpenField | undefined): string {
  if (!field || field.hasPicture) return ''
  const [, quoted, bare] =
    /^\s{0,99}INCLUDEPICTURE\s{1,99}(?:"([^"]{1,2000})"|([^\s"\\]{1,2000}))/i.exec(field.instruction) ?? []
  const address = quoted?.replaceAll('\\\\', '\\') ?? bare
  return address === undefined ? '' : pictureRun(address, '')
}

const isFormula = (name: string) => name === 'm:oMath' || name === 'm:oMathPara'

/** Changes within properties are those of formats and of the ends of paragraphs, which have no text. */
const isProperties = (name: string) => name === 'w:rPr' || name === 'w:trPr' || name === 'w:pPr'

function noteChange(
  name: string,
  attributes: Record<string, string>,
  properties: number,
  findings: TrackedChanges,
): void {
  if (properties > 0) return
  if (name === 'w:ins') findings.insertions += 1
  else findings.deletions += 1
  const author = attributes['w:author']
  if (author !== undefined && author.trim() !== '') findings.authors.add(author.trim())
}

const styledRun = (style: string, text: string) =>
  `<w:r><w:rPr><w:rStyle w:val="${style}"/></w:rPr><w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r>`

function formulaRun(source: string, name: string, path: string): string {
  const element = readMarkup(source, path, 'xml').children.find((child) => isElement(child))
  const latex = element ? latexOfOmml(element) : ''
  if (latex === '') return ''
  return styledRun(name === 'm:oMathPara' ? WORD_STYLES.display : WORD_STYLES.formula, `\\(${latex}\\)`)
}

function pictureRun(address: string, alternative: string): string {
  return styledRun(WORD_STYLES.picture, `${address.replaceAll(' ', '%20')} ${alternative}`)
}

/** Replaces spans, which are in order and apart, unless one contains those before it. */
function spliced(xml: string, rewritten: readonly Rewritten[]): string {
  const parts: string[] = []
  let from = 0
  for (const { start, end, text } of rewritten) {
    if (start < from) continue
    parts.push(xml.slice(from, start), text)
    from = end
  }
  parts.push(xml.slice(from))
  return parts.join('')
}

/** The addresses of relationships by their ids, in the XML of a file of them. @throws ImportRefused beyond a limit */
export function relationshipTargets(xml: string, path: string): Map<string, string> {
  const root = findFirst(readMarkup(xml, path, 'xml'), ({ name }) => name === 'Relationships')
  return new Map(
    (root?.children ?? []).flatMap((child): [string, string][] => {
      if (!isElement(child)) return []
      const { Id: id, Target: to } = child.attributes
      return id === undefined || to === undefined ? [] : [[id, to]]
    }),
  )
}
