/** Everything that reads text that people write: it neither fails nor costs more than its bound, whatever the text is. */
import fc from 'fast-check'
import { renderDocument } from '../../src/core/document/html.ts'
import { FRONT_MATTER_LIMITS } from '../../src/core/document/front-matter/front-matter.ts'
import { parseMarkdown } from '../../src/core/document/parse.ts'
import { printDocument } from '../../src/core/document/print.ts'
import { sanitizeHtml } from '../../src/core/document/sanitize.ts'
import { evaluate } from '../../src/core/expression/expression.ts'
import { readConfiguration } from '../../src/core/repository/configuration.ts'
import { parseSummary } from '../../src/core/repository/contents/summary.ts'
import { readYaml } from '../../src/core/yaml/read.ts'
import { ADDRESSES, handleAddress } from './cost/addresses.ts'
import { assertCheap } from './cost/cheap.ts'
import { CONSTRUCTS } from './cost/constructs.ts'
import { TEXTS, WORKS } from './cost/differences.ts'
import { DATA, EXPRESSIONS, OPERATIONS } from './cost/expressions.ts'
import { FORMULAS, renderFormula } from './cost/formulas.ts'
import type { Families } from './cost/growth.ts'
import { HTML } from './cost/html.ts'
import { YAML } from './cost/yaml.ts'
import { damaged, partOf } from './damage.ts'
import { HOSTILE_HTML, HOSTILE_URLS } from './document/hostile.ts'
import { CONTEXT } from './document/sample.ts'
import { anyDocument } from './documents.ts'

/** Something that reads text. */
interface Parser {
  read: (text: string) => unknown
  /** Constructs that the text is made of. */
  families: Families
  /** What pages hold for it, or other texts that it usually reads. */
  found: (pages: readonly string[]) => Iterable<string>
}

const PARSERS: Record<string, Parser> = {
  FrontMatter: {
    read: (text) => readYaml(text, FRONT_MATTER_LIMITS),
    families: YAML,
    found: (pages) => matches(pages, /^---\n([\s\S]*?)\n---/g),
  },
  Configurations: {
    read: readConfiguration,
    families: YAML,
    found: () => ['root: ./docs/\nstructure:\n  readme: a.md\n  summary: b.md\nredirects:\n  a/b: c.md\n'],
  },
  TablesOfContents: {
    read: parseSummary,
    families: CONSTRUCTS,
    found: (pages) => matches(pages, /((?:^ *[*-] .*\n)+)/gm),
  },
  Expressions: {
    read: (text) => evaluate(text, DATA),
    families: EXPRESSIONS,
    found: () => OPERATIONS.flatMap((operation) => [operation, `list.map(x => ${operation})`]),
  },
  Formulas: { read: renderFormula, families: FORMULAS, found: (pages) => matches(pages, /\$\$([^$]+)\$\$/g) },
  Html: {
    read: sanitizeHtml,
    families: HTML,
    found: (pages) => [...HOSTILE_HTML, ...matches(pages, /((?:<[a-z].*\n?)+)/g)],
  },
  Addresses: {
    read: handleAddress,
    families: ADDRESSES,
    found: (pages) => [...HOSTILE_URLS, ...matches(pages, /\]\(([^()\n]+)\)/g)],
  },
}

function* matches(pages: readonly string[], pattern: RegExp): Generator<string> {
  for (const page of pages) for (const [, found = ''] of page.matchAll(pattern)) yield found
}

const LARGEST = 400
const LONGEST_PIECE = 80

/** Constructs of a few families in one another, or a part of what pages hold, and changes of it. */
function textsFor(families: Families, found: readonly string[]): fc.Arbitrary<string> {
  const made = fc
    .tuple(fc.constantFrom(...Object.values(families)), fc.integer({ min: 1, max: LARGEST }))
    .map(([make, size]) => make(size))
  const part = found.length === 0 ? made : fc.oneof(made, partOf(found, 1, 3 * LARGEST))
  const pieces = part.map((text) => text.slice(0, LONGEST_PIECE))
  return fc.tuple(damaged(part, pieces), REPEATS).map(([text, times]) => text.repeat(times))
}

const REPEATS = fc.constantFrom(...Array.from({ length: 12 }, () => 1), 2, 10, 50)

/** A merge may take its whole effort of 300 million steps; see `cost/differences.test.ts`. */
const MERGE_MS = 6_000

/** Three versions of a text. */
const versionsOf = (pages: readonly string[]) => {
  const text = textsFor(TEXTS, pages)
  const pieces = fc.oneof(
    fc.constantFrom('', '\n', '\n\n'),
    text.map((one) => one.slice(0, LONGEST_PIECE)),
  )
  return text.chain((base) => {
    const version = damaged(fc.constant(base), pieces)
    return fc.tuple(fc.constant(base), version, version)
  })
}

/** That each parser neither fails nor costs too much, as properties of generated texts and of damaged parts of pages. */
export function parserLaws(pages: readonly string[]): Record<string, fc.IProperty<unknown>> {
  const parsers = Object.entries(PARSERS).map(([name, { read, families, found }]) => [
    `handles${name}Cheaply`,
    fc.property(textsFor(families, [...found(pages)]), (text) => assertCheap(text.length, () => read(text))),
  ])
  const works = fc.property(fc.constantFrom(...Object.values(WORKS)), versionsOf(pages), (work, versions) =>
    assertCheap(versions.join('').length, () => work(...versions), MERGE_MS),
  )
  const documents = fc.property(anyDocument, (document) =>
    assertCheap(JSON.stringify(document).length, () => {
      renderDocument(document, CONTEXT)
      renderDocument(parseMarkdown(printDocument(document)).document, CONTEXT)
    }),
  )
  return Object.fromEntries([
    ...parsers,
    ['handlesDifferencesCheaply', works],
    ['handlesDocumentsCheaply', documents],
  ]) as Record<string, fc.IProperty<unknown>>
}
