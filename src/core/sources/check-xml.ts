import { htmlParser } from '../runtime/libraries.ts'
import { ImportRefused } from '../repository/refused.ts'

/** The limits of one part of a document. */
const XML_LIMITS = { length: 40_000_000, depth: 200, elements: 1_000_000 }

/** Refuses XML with a document type, which can define entities, and XML that is too long, too deep or too large to read. */
export function checkXml(text: string, path: string): void {
  const refuse = (what: string) => new ImportRefused(`"${path}" ${what}`, path)
  if (text.length > XML_LIMITS.length) throw refuse(`has more than ${XML_LIMITS.length} characters`)
  if (/<!(?:doctype|entity)/i.test(text)) throw refuse('has a document type, which documents do not need')

  let depth = 0
  let elements = 0
  const { Parser } = htmlParser()
  const parser = new Parser(
    {
      onopentagname() {
        depth += 1
        elements += 1
        if (depth > XML_LIMITS.depth)
          throw refuse(`has elements nested deeper than ${XML_LIMITS.depth} levels`)
        if (elements > XML_LIMITS.elements) throw refuse(`has more than ${XML_LIMITS.elements} elements`)
      },
      onclosetag() {
        depth -= 1
      },
    },
    { xmlMode: true, decodeEntities: false },
  )
  parser.write(text)
  parser.end()
}
