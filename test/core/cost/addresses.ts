/** Addresses, paths and names of every kind of sign, and everything that is done with them. */
import { resolveReference } from '../../../src/core/content/links.ts'
import { printAddress, readAddress } from '../../../src/core/document/markdown/addresses.ts'
import { escapeLastSigns, escapeUrl, keepEdges } from '../../../src/core/document/markdown/print/escape.ts'
import { safeSource, safeUrl } from '../../../src/core/document/sanitize.ts'
import { destinationOf } from '../../../src/core/repository/addresses.ts'
import { slugify } from '../../../src/core/text/slug.ts'
import { lastWord, onOneLine, withoutEnd } from '../../../src/core/text/trimming.ts'
import { repeated, type Families } from './growth.ts'

const UNITS = [
  '/',
  '../',
  './',
  'a/',
  'a',
  '..',
  '.',
  '#',
  '?',
  '%',
  '%2F',
  '%zz',
  ':',
  'a:',
  '//',
  '\\',
  '&amp;',
  '&',
  '(',
  ')',
  ' ',
  '\t',
  '\n',
  '\r\n',
  ' \n',
  '-',
  '_',
  '=',
  '0',
  'a0',
  '中',
  '😀',
  '\u200b',
  '\ud800',
  '<',
  '>',
  '"',
  "'",
  '{%',
]

const AROUND: Record<string, [before: string, after: string]> = {
  alone: ['', ''],
  'before a letter': ['', 'a'],
  'between letters': ['a', 'a'],
  'as a path': ['/', ''],
  'as a file': ['folder/', '.md'],
  'as a page': ['/pages/', ''],
  'as a page of a space': ['/spaces/abcdefghij0123456789/pages/', '#a'],
  'as an anchor': ['#', ''],
  'as an anchor of a page': ['/pages/abcdefghij0123456789#', ' '],
  'as a folder page': ['a', '/README.md'],
  'as a web address': ['https://a.org/', ''],
  'as a scheme': ['', ':a'],
}

/** Every family of addresses, by name. */
export const ADDRESSES: Families = Object.fromEntries(
  UNITS.flatMap((unit) =>
    Object.entries(AROUND).map(([where, [before, after]]) => [
      `${JSON.stringify(unit)} ${where}`,
      repeated(unit, before, after),
    ]),
  ),
)

const nowhere = () => undefined
const targets = {
  pageByFile: nowhere,
  fileByPath: nowhere,
  reusableByPath: nowhere,
  pageByPath: nowhere,
  pageByOldPath: nowhere,
}

/** Everything that is done with an address, a path or the name of something. */
export function handleAddress(address: string): void {
  const ref = readAddress(address)
  printAddress(resolveReference(ref, 'folder/page.md', targets))
  printAddress(resolveReference({ kind: 'url', url: address }, address, targets))
  destinationOf({ files: new Map(), root: 'docs' }, 'folder/page.md', address)
  safeUrl(address)
  safeSource(address)
  escapeUrl(address)
  slugify(address)
  keepEdges(address)
  escapeLastSigns(address)
  onOneLine(address)
  lastWord(address)
  withoutEnd(address, '/=')
}
