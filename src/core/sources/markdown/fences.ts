/** Fenced code with what site generators write after its language: titles, line numbers and groups. */
import { append } from '../../data/lists.ts'
import type { DialectLine } from './dialect.ts'

/** A fenced block of code, with the lines of its fences. */
export interface Fence {
  indent: string
  sign: string
  info: string
  code: string[]
  /** Absent if the text ends before the block. */
  end?: string
}

/** The lines and the blocks of code of a text, in order. */
export function fencesIn(lines: readonly DialectLine[]): (DialectLine | Fence)[] {
  const parts: (DialectLine | Fence)[] = []
  let open: Fence | undefined
  for (const line of lines) {
    if (!line.isCode) {
      open = undefined
      parts.push(line)
      continue
    }
    if (open) {
      const text = line.text.trim().replace(/^[> \t]+/, '')
      if (text.startsWith(open.sign) && /^(?:`+|~+)$/.test(text)) {
        open.end = line.text
        open = undefined
      } else open.code.push(line.text)
      continue
    }
    const [, indent = '', sign = '', info = ''] = /^([ \t>]{0,40})(`{3,}|~{3,})(.*)$/.exec(line.text) ?? []
    open = { indent, sign, info: info.trim(), code: [] }
    parts.push(open)
  }
  return parts
}

const isFence = (part: DialectLine | Fence): part is Fence => 'code' in part

/** Prints lines and blocks; a block with a title or line numbers becomes one of Lectern. */
export function printFences(parts: readonly (DialectLine | Fence)[]): DialectLine[] {
  return parts.flatMap((part) => (isFence(part) ? titledFence(part) : [part]))
}

const plain = (text: string): DialectLine => ({ text, isCode: false })

function titledFence(fence: Fence): DialectLine[] {
  const { language, title, isNumbered } = fenceOptions(fence.info)
  const attributes = [
    ...(title === undefined ? [] : [`title="${title.replace(/[\\"]/g, '')}"`]),
    ...(isNumbered ? ['lineNumbers="true"'] : []),
  ]
  const code = fenceLines({ ...fence, info: language })
  if (attributes.length === 0) return code
  const { indent } = fence
  return [plain(`${indent}{% code ${attributes.join(' ')} %}`), ...code, plain(`${indent}{% endcode %}`)]
}

function fenceLines({ indent, sign, info, code, end }: Fence): DialectLine[] {
  const lines = [`${indent}${sign}${info}`, ...code, ...(end === undefined ? [] : [end])]
  return lines.map((text) => ({ text, isCode: true }))
}

/** ```` ```js:line-numbers {1,3} [app.js] ````, ```` ```js title="app.js" showLineNumbers ````, ```` ``` { .py linenums="1" } ```` */
function fenceOptions(info: string): { language: string; title?: string; isNumbered: boolean } {
  const first = /^[^\s{[:]{1,60}/.exec(info)?.[0]
  const language = first ?? /^\{\s{0,9}\.([\w+#-]{1,60})/.exec(info)?.[1] ?? ''
  const rest = info.slice(first?.length ?? 0)
  const title =
    /\btitle\s?=\s?(?:"([^"]{1,300})"|'([^']{1,300})')/.exec(rest)?.slice(1).find(Boolean) ??
    /\[([^[\]]{1,300})\]\s{0,9}$/.exec(rest)?.[1]
  const isNumbered = /:line-numbers|\bshowLineNumbers\b|\blinenums\s?=/.test(rest)
  return { language, ...(title === undefined ? {} : { title }), isNumbered }
}

/** The blocks of code of a group as tabs, without what else is in it. */
export const codeTabs = (parts: readonly (DialectLine | Fence)[]): DialectLine[] =>
  printFences(parts.flatMap((part) => (isFence(part) ? tabAround(part) : [])))

function tabAround(fence: Fence): (DialectLine | Fence)[] {
  const { language, title } = fenceOptions(fence.info)
  const start = plain(`{% tab title="${(title ?? (language || 'Code')).replace(/[\\"]/g, '')}" %}`)
  return [start, { ...fence, info: language }, plain('{% endtab %}')]
}

/** Turns `::: code-group`, whose blocks have their titles in brackets, into tabs. */
export function codeGroups(parts: readonly (DialectLine | Fence)[]): (DialectLine | Fence)[] {
  const output: (DialectLine | Fence)[] = []
  let colons = 0
  for (const part of parts) {
    if (isFence(part)) {
      if (colons === 0) output.push(part)
      else append(output, tabAround(part))
      continue
    }
    const [, sign = '', kind = ''] =
      /^[ \t]{0,20}(:{3,20})[ \t]{0,20}([\w-]{0,30})[ \t]{0,20}$/.exec(part.text) ?? []
    if (colons === 0 && kind === 'code-group') {
      colons = sign.length
      output.push(plain('{% tabs %}'))
    } else if (colons > 0 && sign.length >= colons && kind === '') {
      colons = 0
      output.push(plain('{% endtabs %}'))
    } else if (colons === 0) output.push(part)
  }
  if (colons > 0) output.push(plain('{% endtabs %}'))
  return output
}

/** Rewrites what is written after the signs of each fenced block, such as `js title="a.js"`. */
export const mapFenceInfo = (
  lines: readonly DialectLine[],
  rewrite: (info: string) => string,
): DialectLine[] =>
  fencesIn(lines).flatMap((part) =>
    isFence(part) ? fenceLines({ ...part, info: rewrite(part.info) }) : [part],
  )
