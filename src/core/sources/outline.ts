import { because } from '../languages/reasons.ts'
import { ImportRefused } from '../repository/refused.ts'
import { colonBlocks, detailsLines } from './markdown/admonitions.ts'
import { type ConvertedSource, type SourceFiles, withoutSingleFolder } from './converted.ts'
import { dialectLines, type DialectLine, doubleDollars, mapOutsideCode } from './markdown/dialect.ts'
import { convertPageFolders } from './page-folders.ts'

const WRONG = because('import-not-outline')

/**
 * Converts an export of Outline. Collections and documents are folders, and their files are in folders `uploads`.
 * @throws ImportRefused if it is another archive
 */
export function convertOutline(source: SourceFiles): ConvertedSource {
  const isJson = (path: string) => /^[^/]+\.json$/.test(path)
  const hasPages = [...source.keys()].some((path) => /\.(?:md|html)$/i.test(path))
  if (!hasPages && [...source.keys()].some(isJson))
    throw new ImportRefused(because('import-backup-of-outline'))
  return convertPageFolders(withoutSingleFolder(source), {
    isAttachment: (path) => /(?:^|\/)(?:uploads|public|attachments)\/[^/]+\/[^/]+/.test(path),
    body: outlineLines,
    wrong: WRONG,
  })
}

/** Notices, toggles, sizes of images and mentions are written as Outline does. */
function outlineLines(source: string): string[] {
  const toggled = toggleBlocks(dialectLines(source))
  return colonBlocks(toggled).map(({ text, isCode }) => {
    if (isCode) return text
    // Outline keeps an empty paragraph as a backslash.
    if (text.trim() === '\\') return ''
    return mapOutsideCode(text, outlineText)
  })
}

/** `+++ Title` begins a block that can be opened, and `+++` ends it. */
function toggleBlocks(lines: readonly DialectLine[]): DialectLine[] {
  const output: DialectLine[] = []
  const open: string[][] = []
  const add = (texts: readonly string[]) => {
    for (const text of texts) output.push({ text, isCode: false })
  }
  for (const line of lines) {
    const title = line.isCode ? undefined : /^\+{3,6}(?:[ \t]+(.*))?$/.exec(line.text.trim())
    if (!title) output.push(line)
    else if (title[1] !== undefined) {
      const { start, end } = detailsLines(title[1].trim())
      add(start)
      open.push(end)
    } else if (open.length > 0) add(open.pop()!)
    else output.push(line)
  }
  for (const end of open.toReversed()) add(end)
  return output
}

function outlineText(text: string): string {
  if (!text.includes('[')) return doubleDollars(text)
  return doubleDollars(
    text
      .replace(/(\]\([^()\s]{1,1000}) "[^"=]{0,60}=?\d{0,5}x\d{0,5}"\)/g, '$1)')
      .replace(/@\[([^[\]]{1,200})\]\(mention:\/\/[^()\s]{1,300}\)/g, '@$1')
      .replace(/\[([^[\]]{1,200}\.\w{1,8}) \d{1,15}(?:x\d{1,6})?\]\(/g, '[$1]('),
  )
}
