import { because } from '../languages/reasons.ts'
import type { Block } from '../document/model.ts'
import { isRecord } from '../data/is-record.ts'
import { decodeText } from '../repository/decode-text.ts'
import { colonBlocks } from './markdown/admonitions.ts'
import type { ConvertedSource, SourceFiles } from './converted.ts'
import { dialectLines, doubleDollars, mapOutsideCode } from './markdown/dialect.ts'
import { blocksOf } from './html/blocks.ts'
import { hint, hintStyle } from './html/callouts.ts'
import type { MarkupElement } from './html/markup.ts'
import { inside, type MarkupContext } from './html/markup-context.ts'
import { convertPageFolders } from './page-folders.ts'

const WRONG = because('import-not-docmost')

/** The file in which newer exports name the places of pages. */
const METADATA = 'docmost-metadata.json'

/**
 * Converts an export of Docmost. The files of a page are in a folder `files` beside it.
 * @throws ImportRefused if it is another archive
 */
export function convertDocmost(files: SourceFiles): ConvertedSource {
  const positions = positionsIn(files.get(METADATA))
  return convertPageFolders(files, {
    isAttachment: (path) => /(?:^|\/)files\/[^/]+\/[^/]+$/.test(path),
    body: (source) =>
      colonBlocks(dialectLines(source)).map(({ text, isCode }) =>
        isCode ? text : mapOutsideCode(text, doubleDollars),
      ),
    block: docmostBlock,
    position: (path) => positions.get(path),
    wrong: WRONG,
  })
}

/** The places of pages among their siblings by path: fractional indexes, which sort as text. */
function positionsIn(bytes: Uint8Array | undefined): Map<string, string> {
  const text = bytes && decodeText(bytes)
  if (text === undefined) return new Map()
  try {
    const value: unknown = JSON.parse(text)
    const pages = isRecord(value) && isRecord(value.pages) ? Object.entries(value.pages) : []
    return new Map(
      pages.flatMap(([path, page]): [string, string][] =>
        isRecord(page) && typeof page.position === 'string' ? [[path.normalize('NFC'), page.position]] : [],
      ),
    )
  } catch {
    return new Map()
  }
}

function docmostBlock(element: MarkupElement, context: MarkupContext): Block[] | undefined {
  if (element.attributes['data-type'] !== 'callout') return undefined
  const deeper = inside(context)
  if (!deeper) return undefined
  const style = hintStyle(element.attributes['data-callout-type'] ?? '') ?? 'info'
  return [hint(style, '', blocksOf(element.children, deeper))]
}
