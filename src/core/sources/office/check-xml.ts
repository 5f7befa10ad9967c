import type { Reasoned } from '../../languages/reasoned.ts'
import { because } from '../../languages/reasons.ts'
import { htmlParser } from '../../runtime/libraries.ts'
import { ImportRefused } from '../../repository/refused.ts'

/** The limits of one part of a document. */
const XML_LIMITS = { length: 40_000_000, depth: 200, elements: 1_000_000 }

/** Refuses XML with a document type, which can define entities, and XML that is too long, too deep or too large to read. */
export function checkXml(text: string, path: string): void {
  const refuse = (why: Reasoned) => new ImportRefused(why, path)
  if (text.length > XML_LIMITS.length)
    throw refuse(because('import-xml-too-long', { path, limit: XML_LIMITS.length }))
  if (/<!(?:doctype|entity)/i.test(text)) throw refuse(because('import-xml-with-type', { path }))

  let depth = 0
  let elements = 0
  const { Parser } = htmlParser()
  const parser = new Parser(
    {
      onopentagname() {
        depth += 1
        elements += 1
        if (depth > XML_LIMITS.depth)
          throw refuse(because('import-elements-too-deep', { path, limit: XML_LIMITS.depth }))
        if (elements > XML_LIMITS.elements)
          throw refuse(because('import-too-many-elements', { path, limit: XML_LIMITS.elements }))
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
