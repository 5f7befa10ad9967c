/** The `import` and `export` statements of pages of MDX. */
import { exportedTexts } from '../literals.ts'
import { dialectLines, type DialectLine } from '../markdown/dialect.ts'
import type { IncludedFiles } from '../markdown/snippets.ts'

/** A line of a page with its number, from 1. */
export interface MdxLine extends DialectLine {
  number: number
}

/** A page without its modules, and what they give it. */
export interface PageModules {
  lines: MdxLine[]
  /** The addresses of files by the names under which the page imports them. */
  imports: ReadonlyMap<string, string>
  /** The texts that the page can insert with `{name}` or `{name.key}`. */
  texts: ReadonlyMap<string, string>
}

const STATEMENT = /^(?:import|export)\s.{0,500}(?:from\s|=|\{|\bfunction\b|['"])/
/** Files of modules from which one page imports texts. */
const MOST_MODULES = 20
/** The characters of one module. */
const LONGEST_MODULE = 100_000

/**
 * Separates the modules of a page from its text. A module ends at an empty line at which no bracket is open.
 * @param files from which the page imports, if their texts are needed
 */
export function pageModules(source: string, files?: IncludedFiles): PageModules {
  const { lines, programs } = separated(dialectLines(source))
  const imports = new Map<string, string>()
  const texts = new Map<string, string>()
  let left = MOST_MODULES
  for (const program of programs) {
    for (const [name, value] of exportedTexts(program)) texts.set(name, value)
    for (const { names, from, standard } of importsIn(program)) {
      if (standard !== undefined) imports.set(standard, from)
      const path = names.length > 0 && left > 0 ? files?.find(from) : undefined
      const text = path === undefined ? undefined : files?.text(path)
      if (text === undefined || text.length > LONGEST_MODULE) continue
      left -= 1
      const exported = textsInModule(text)
      for (const [name, as] of names)
        for (const [key, value] of exported)
          if (key === name || key.startsWith(`${name}.`)) texts.set(as + key.slice(name.length), value)
    }
  }
  return { lines, imports, texts }
}

function textsInModule(source: string): Map<string, string> {
  const texts = new Map<string, string>()
  for (const program of separated(dialectLines(source)).programs)
    for (const [name, value] of exportedTexts(program)) texts.set(name, value)
  return texts
}

/** @param isBracketed whether a module has all lines up to the end of its brackets, and not only those up to an empty line */
function separated(
  source: readonly DialectLine[],
  isBracketed = true,
): { lines: MdxLine[]; programs: string[] } {
  const lines: MdxLine[] = []
  const programs: string[] = []
  let module: string[] | undefined
  let depth = 0
  for (const [index, { text, isCode }] of source.entries()) {
    const isBlank = text.trim() === ''
    if (module && isBlank && depth <= 0) {
      programs.push(module.join('\n'))
      module = undefined
    } else if (!module && !isCode && STATEMENT.test(text) && (lines.at(-1)?.text ?? '').trim() === '') {
      module = []
      depth = 0
    }
    if (!module) {
      lines.push({ text, isCode, number: index + 1 })
      continue
    }
    module.push(text)
    if (isBracketed) for (const sign of text.match(/[{}()[\]]/g) ?? []) depth += '{(['.includes(sign) ? 1 : -1
  }
  // A bracket in a text may be open to the end.
  if (module && depth > 0) return separated(source, false)
  if (module) programs.push(module.join('\n'))
  return { lines, programs }
}

interface ImportStatement {
  /** The name of what the file is or exports as its default. */
  standard?: string
  /** The names in the file, with those in the page. */
  names: [name: string, as: string][]
  from: string
}

/** The imports at the beginning of the lines of a program. */
function importsIn(program: string): ImportStatement[] {
  const statements = program.matchAll(
    /^import\s{1,9}(?:([A-Za-z_$][\w$]{0,60})\s{0,9},?\s{0,9})?(?:\{([^{}]{0,1000})\}\s{0,9})?from\s{1,9}['"]([^'"\n]{1,500})['"]/gm,
  )
  return [...statements].map(([, standard, names = '', from = '']) => ({
    ...(standard === undefined ? {} : { standard }),
    names: names.split(',').flatMap((one): [string, string][] => {
      const [name = '', as = name] = one.trim().split(/\s+as\s+/)
      return name === '' ? [] : [[name, as]]
    }),
    from,
  }))
}
