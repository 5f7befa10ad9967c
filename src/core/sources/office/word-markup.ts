/** Rewrites what the reader of Word documents does not read: formulas and linked pictures. Counts tracked changes. */
import { htmlParser } from '../../runtime/libraries.ts'
import { escapeXml } from '../../text/xml.ts'
import { latexOfOmml } from '../html/formulas/omml.ts'
import { findFirst, isElement, readMarkup } from '../html/markup.ts'
import type { TrackedChanges } from './review.ts'

/** Ids of the styles that mark what was rewritten. */
export const WORD_STYLES = { formula: 'LecternFormula', display: 'LecternDisplay', picture: 'LecternPicture' }

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
  findings: TrackedChanges,
): string {
  const rewritten: Rewritten[] = []
  /** The elements around what is read. */
  const open: { name: string; start: number }[] = []
  /** How many formulas and properties are around it. */
  const within = { formulas: 0, properties: 0 }
  let alternative = ''
  let linked: string | undefined
  const replace = (start: number, end: number, text: string) => rewritten.push({ start, end, text })

  const { Parser } = htmlParser()
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        open.push({ name, start: parser.startIndex })
        if (isFormula(name)) within.formulas += 1
        if (isProperties(name)) within.properties += 1
        if (name === 'w:ins' || name === 'w:del') noteChange(name, attributes, within.properties, findings)
        if (name === 'wp:docPr') alternative = attributes.descr ?? attributes.title ?? ''
        if (name === 'a:blip' && attributes['r:embed'] === undefined && attributes['r:link'] !== undefined)
          linked = target(attributes['r:link'])
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
        if (name === 'w:drawing') {
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
