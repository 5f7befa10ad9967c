/** Files that pages of site generators include: Markdown stays an include, and code is copied into its block. */
import { needItem } from '../../data/lists.ts'
import { isMarkdown } from '../../text/file-paths.ts'
import type { DialectLine } from './dialect.ts'
import { type Fence, fencesIn } from './fences.ts'

/** The files that a page can include. */
export interface IncludedFiles {
  /** The path of a file by the address in the page; undefined if it does not exist. */
  find(address: string): string | undefined
  /** The address of a file to write in the page. */
  address(path: string): string
  /** The text of a file; undefined if it is not text. */
  text(path: string): string | undefined
}

/** Includes in one page; the rest stays as it is written. */
const MOST_SNIPPETS = 200
/** The characters of code that one page can include; longer pages are refused anyway. */
const MOST_CHARACTERS = 1_000_000

/** `--8<-- "a.md"`, `<!--@include: ./a.md-->`, `{% include-markdown "a.md" %}` and `{!a.md!}`, alone in a line. */
const INCLUDES = [
  /^--8<--[ \t]{1,9}"([^"]{1,500})"$/,
  /^<!--[ \t]{0,9}@include:[ \t]{0,9}([^>]{1,500}?)[ \t]{0,9}-->$/,
  /^\{%-?[ \t]{0,9}include-markdown[ \t]{1,9}["']([^"']{1,500})["'][^%]{0,200}%\}$/,
  /^\{![ \t]{0,9}([^!]{1,500}?)[ \t]{0,9}!\}$/,
]
/** `<<< @/snippets/a.js#region{1,3} [title]` of VitePress. */
const CODE = /^<<<[ \t]{0,9}([^\s{[]{1,500})(?:\{[^}]{0,100}\})?[ \t]{0,9}(\[[^[\]]{1,300}\])?$/

/** Replaces the includes of a page. */
export function withSnippets(lines: readonly DialectLine[], files: IncludedFiles): DialectLine[] {
  let left = MOST_SNIPPETS
  let characters = MOST_CHARACTERS
  const take = (address: string) => {
    const path = left > 0 ? files.find(address.trim()) : undefined
    if (path !== undefined) left -= 1
    return path
  }
  const bounded: IncludedFiles = {
    ...files,
    text(path) {
      const text = files.text(path)
      if (text === undefined || text.length > characters) return undefined
      characters -= text.length
      return text
    },
  }
  const parts = fencesIn(lines)
  return parts.flatMap((part): DialectLine[] => {
    if ('code' in part) return fenceWithSnippets(part, bounded, take)
    const line = part.text.trim()
    const [, source, title = ''] = CODE.exec(line) ?? []
    if (source !== undefined) return codeSnippet(source, title, bounded, take) ?? [part]
    const address = INCLUDES.map((form) => form.exec(line)?.[1]).find((one) => one !== undefined)
    const path = address === undefined ? undefined : take(withoutPart(address))
    if (path === undefined) return [part]
    if (isMarkdown(path) || path.endsWith('.mdx'))
      return [{ text: `{% include "${files.address(path)}" %}`, isCode: false }]
    const text = bounded.text(path)
    return text === undefined ? [part] : snippetLines(text, false)
  })
}

/** An address without the lines or the section that it names: `a.md:5:10`, `a.md{3,}`, `a.md#part`. */
const withoutPart = (address: string) => address.replace(/(?:[#{]|:(?=[\w:-]*$)).*$/s, '')

const snippetLines = (text: string, isCode: boolean): DialectLine[] =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => ({ text: line, isCode }))

type Take = (address: string) => string | undefined

function fenceWithSnippets(fence: Fence, files: IncludedFiles, take: Take): DialectLine[] {
  const code = fence.code.flatMap((line) => {
    const address = needItem(INCLUDES, 0).exec(line.trim())?.[1]
    const path = address === undefined ? undefined : take(withoutPart(address))
    const text = path === undefined ? undefined : files.text(path)
    if (text === undefined || text.includes(fence.sign)) return [line]
    const indent = line.slice(0, line.length - line.trimStart().length)
    return snippetLines(text, true).map((one) => `${indent}${one.text}`)
  })
  const lines = [`${fence.indent}${fence.sign}${fence.info}`, ...code]
  if (fence.end !== undefined) lines.push(fence.end)
  return lines.map((text) => ({ text, isCode: true }))
}

function codeSnippet(
  source: string,
  title: string,
  files: IncludedFiles,
  take: Take,
): DialectLine[] | undefined {
  const [address = '', region] = source.split('#')
  const path = take(address)
  const whole = path === undefined ? undefined : files.text(path)
  const text = whole === undefined || region === undefined ? whole : regionOf(whole, region)
  if (path === undefined || text === undefined) return undefined
  const language = /\.(\w{1,20})$/.exec(path)?.[1] ?? ''
  const sign = text.includes('```') ? '~~~~~~' : '```'
  const info = title === '' ? language : `${language} ${title}`
  return [`${sign}${info}`, ...snippetLines(text, true).map((line) => line.text), sign].map((line) => ({
    text: line,
    isCode: true,
  }))
}

/** The lines between `#region name` and `#endregion`; the whole text if it has no such region. */
function regionOf(text: string, name: string): string {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => line.includes('#region') && line.split(/\s+/).includes(name))
  if (start === -1) return text
  const end = lines.findIndex((line, at) => at > start && line.includes('#endregion'))
  return lines.slice(start + 1, end === -1 ? undefined : end).join('\n')
}
