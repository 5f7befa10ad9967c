/** Front matter that other generators write: TOML between `+++`, and JSON. */
import { isRecord } from '../../data/is-record.ts'
import { faultParameters } from '../../languages/reasoned.ts'
import { because } from '../../languages/reasons.ts'
import { decodeText } from '../../repository/decode-text.ts'
import type { Problem } from '../../repository/model.ts'
import { yaml } from '../../runtime/libraries.ts'
import { isLeftAlone } from '../../text/file-paths.ts'
import { readToml, type TomlReading } from '../../toml/read.ts'
import { bytesOf, type SourceFiles } from '../converted.ts'

/** The most characters of front matter. */
const LONGEST = 100_000

/** Front matter in another format than YAML, with the lines that it takes. */
interface OtherHead extends TomlReading {
  name: 'TOML' | 'JSON'
  length: number
}

/**
 * The files of an archive, with front matter in TOML or JSON written as YAML. Front matter that cannot be read is left out
 * and listed. Other files stay byte for byte as they are.
 */
export function withYamlFrontMatter(files: SourceFiles): { files: SourceFiles; problems: Problem[] } {
  const problems: Problem[] = []
  const written = new Map<string, Uint8Array>()
  for (const [path, bytes] of files) {
    if (!/\.(?:md|mdx|markdown)$/i.test(path) || !mayHaveHead(bytes) || isLeftAlone(path)) continue
    const text = decodeText(bytes)
    const head = text === undefined ? undefined : otherHead(text.slice(0, LONGEST))
    if (text === undefined || head === undefined) continue
    const { name, fields, fault, length } = head
    if (fault !== undefined)
      problems.push({
        kind: 'setting',
        path,
        line: 1,
        ...because('other-front-matter-left-out', { format: name, ...faultParameters(fault) }),
      })
    const lines =
      fields && Object.keys(fields).length > 0
        ? `---\n${yaml().stringify(fields, { lineWidth: 0 })}---\n`
        : ''
    written.set(path, bytesOf(lines + text.slice(length)))
  }
  if (written.size === 0) return { files, problems }
  return { files: new Map([...files].map(([path, bytes]) => [path, written.get(path) ?? bytes])), problems }
}

const UTF8_MARK = 0xef

/** Whether a file begins like front matter of TOML or JSON, or with a byte order mark. */
function mayHaveHead(bytes: Uint8Array): boolean {
  const [first] = bytes
  return first === 0x2b || first === 0x7b || first === UTF8_MARK || (first ?? 0) >= 0xfe
}

/** @param text the beginning of a page */
function otherHead(text: string): OtherHead | undefined {
  const start = /^\+\+\+[ \t]{0,9}\r?\n/.exec(text)?.[0].length
  if (start === undefined) return text.startsWith('{') ? jsonHead(text) : undefined
  const end = /^\+\+\+[ \t]{0,9}\r?(?:\n|$(?![^]))/m.exec(text.slice(start))
  if (!end) return undefined
  const length = start + end.index + end[0].length
  return { name: 'TOML', length, ...readToml(text.slice(start, start + end.index)) }
}

/** Braces that hold no JSON are the text of a page. */
function jsonHead(text: string): OtherHead | undefined {
  const first = text.split('\n', 1)[0] ?? ''
  const end = /^\}[ \t]{0,9}\r?(?:\n|$(?![^]))/m.exec(text)
  const inLines = end ? text.slice(0, end.index + end[0].length) : ''
  const written = first.trimEnd().endsWith('}') ? text.slice(0, first.length + 1) : inLines
  try {
    const fields: unknown = JSON.parse(written)
    return isRecord(fields) ? { name: 'JSON', length: written.length, fields } : undefined
  } catch {
    return undefined
  }
}
