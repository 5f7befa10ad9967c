import { folderOf, isMarkdown } from '../text/file-paths.ts'
import { decodeText } from '../repository/decode-text.ts'
import { type AddressBook, relativeAddress, bookTarget } from './address-book.ts'
import { bytesOf, type SourceFiles } from './converted.ts'
import { dialectLines, mapAddressesIn } from './markdown/dialect.ts'

/**
 * Makes addresses from the root of a repository relative, so that its files can be in a folder of another repository. A
 * text without such an address to one of the files stays byte for byte as it is.
 */
export function withRelativeAddresses(files: SourceFiles): SourceFiles {
  const book: AddressBook = { paths: new Map([...files.keys()].map((path) => [path, path])) }
  return new Map([...files].map(([path, bytes]) => [path, rewritten(path, bytes, book)]))
}

function rewritten(path: string, bytes: Uint8Array, book: AddressBook): Uint8Array {
  const text = isMarkdown(path) ? decodeText(bytes) : undefined
  if (text === undefined || !/\]\(<?\//.test(text)) return bytes
  let changes = 0
  const lines = dialectLines(text).map((line) => {
    if (line.isCode) return line.text
    return mapAddressesIn(line.text, (address) => {
      const target = /^\/(?!\/)/.test(address) ? targetIn(book, path, address) : undefined
      if (target === undefined) return address
      changes += 1
      return `${relativeAddress(path, target)}${/#.*$/s.exec(address)?.[0] ?? ''}`
    })
  })
  return changes === 0 ? bytes : bytesOf(lines.join('\n'))
}

/** The file of an address from the root, which is the top of the archive or a folder in which the page is. */
function targetIn(book: AddressBook, from: string, address: string): string | undefined {
  const top = bookTarget(book, from, address)
  if (top !== undefined) return top
  for (let folder = folderOf(from); folder !== ''; folder = folderOf(folder)) {
    const target = bookTarget(book, from, `/${folder}${address}`)
    if (target !== undefined) return target
  }
  return undefined
}
