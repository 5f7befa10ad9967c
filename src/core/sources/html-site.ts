import { because } from '../languages/reasons.ts'
import { append } from '../data/lists.ts'
import type { Problem } from '../repository/model.ts'
import { isMarkdown, lastSegment, titleOfName } from '../text/file-paths.ts'
import { ImportRefused } from '../repository/refused.ts'
import { freeName } from '../text/slug.ts'
import { type AddressBook, imageAddressIn, linkAddress, relativeAddress, bookTarget } from './address-book.ts'
import { bytesOf, type ConvertedSource, type SourceFiles, withoutSingleFolder } from './converted.ts'
import { decodeHtml } from './html/decode.ts'
import { readMarkup } from './html/markup.ts'
import { openPage, printHtmlPage } from './html/page.ts'
import type { MarkupContext } from './html/markup-context.ts'
import { storeDataUrl } from './data-url.ts'
import { convertedOrKept } from './kept-file.ts'

const HTML = /\.(?:x?html?)$/i

/**
 * Converts pages of HTML. Each file is a page, and the folders with their index files are the page tree.
 * @throws ImportRefused if there is no page
 */
export function convertHtml(source: SourceFiles): ConvertedSource {
  const files = withoutSingleFolder(source)
  const paths = htmlPaths(files.keys())
  if (![...paths.keys()].some((path) => HTML.test(path))) throw new ImportRefused(because('import-not-html'))

  const converted: ConvertedSource = { files: new Map(), problems: [] }
  const book = { paths }
  const isSingle = [...paths.keys()].filter((path) => HTML.test(path)).length === 1
  const skipped = [...files.keys()].filter((path) => isMarkdown(path))
  append(
    converted.problems,
    skipped.map((path): Problem => ({ path, ...because('page-of-markdown') })),
  )
  for (const [path, bytes] of files) {
    const to = paths.get(path)
    if (to === undefined) continue
    if (!HTML.test(path)) {
      converted.files.set(to, bytes)
      continue
    }
    const file = { path, to, title: titleOfName(lastSegment(to)), bytes }
    const convert = () =>
      printHtmlPage(openPage(readMarkup(decodeHtml(bytes), path)), htmlContext(book, path, converted))
    // A single page that cannot be converted is refused, because nothing else would be imported.
    const text = isSingle ? convert() : convertedOrKept(file, converted, convert)
    converted.files.set(to, bytesOf(text))
  }
  return converted
}

/** The new paths of files: pages become Markdown, and all others keep their path. */
function htmlPaths(files: Iterable<string>): Map<string, string> {
  const all = [...files].filter((path) => !isMarkdown(path))
  const taken = new Set(all)
  return new Map(
    all.map((path) => {
      if (!HTML.test(path)) return [path, path]
      const to = freeName(path.replace(HTML, ''), (name) => taken.has(name), { after: '.md' })
      taken.add(to)
      return [path, to]
    }),
  )
}

/** The context of a page of HTML, whose links and images are those of the archive. */
export function htmlContext(book: AddressBook, path: string, converted: ConvertedSource): MarkupContext {
  const to = book.paths.get(path) ?? path
  return {
    depth: 0,
    anchors: [],
    link: (address) => linkAddress(book, path, address),
    image(address) {
      if (!/^\s*data:/i.test(address)) return imageAddressIn(book, path, address)
      const stored = storeDataUrl(address, to, converted.files)
      return stored === undefined ? undefined : relativeAddress(to, stored)
    },
    isFile(address) {
      const target = bookTarget(book, path, address)
      return target !== undefined && !isMarkdown(target)
    },
  }
}
