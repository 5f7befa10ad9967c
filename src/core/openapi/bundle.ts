/** From the source of a specification to the form in which it is stored. It runs in a thread. */
import { needItem } from '../data/lists.ts'
import { sizeLimit } from '../text/byte-size.ts'
import {
  MAX_SOURCE_BYTES,
  type ParsedSource,
  parseSource,
  problemsOf,
  upgradeSpecification,
} from './parse-source.ts'
import { specPartsOf, type SpecPart } from './spec-parts.ts'
import { SpecFault, type SpecProblem } from './problem.ts'
import { referencesIn, lookUpReference } from './references.ts'

/** The most problems that are reported. */
const MAX_PROBLEMS = 100
/** The most files of one specification. */
const MAX_FILES = 50

/** One file of a source. */
export interface SourceFile {
  /** Where it was fetched; null for a text that was sent. */
  url: string | null
  bytes: Uint8Array
}

/** The input from which a bundle is made. */
export interface BundleTask {
  /** The entry first. */
  files: readonly SourceFile[]
  /** Whether references to files of the origin of the entry may be followed. */
  externalReferences: boolean
}

/**
 * The bundled specification as JSON in UTF-8; the files that it needs besides; or what is wrong with it. `problems` of a
 * bundle do not prevent its use.
 */
export type BundleResult =
  | { bundle: Uint8Array; format: 'json' | 'yaml'; problems: SpecProblem[]; parts: SpecPart[] }
  | { missing: string[] }
  | { refused: SpecProblem[] }

/** The field of a bundle that holds the other files of its source, by their number. */
const EXTERNAL = 'x-external'

/**
 * Bundles a specification: one document of OpenAPI 3.1 or later, whose references all lead to places in it. The same
 * source always has the same bytes. Lectern resolves the references only where they are shown, because a document without
 * references could be endless.
 */
export function bundleSpecification({ files, externalReferences }: BundleTask): BundleResult {
  try {
    const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0)
    if (size > MAX_SOURCE_BYTES || files.length > MAX_FILES)
      throw new SpecFault(
        'TOO_LARGE',
        `The files of the source must be at most ${MAX_FILES} with ${sizeLimit(MAX_SOURCE_BYTES)} together`,
      )
    const sources = files.map(({ bytes }) => parseSource(bytes))
    const [entry] = sources
    if (!entry) throw new SpecFault('NO_SOURCE', 'There is no source')

    const missing = joinFiles(files, sources, externalReferences)
    if (missing.length > 0) return { missing }
    const document = upgradeSpecification(entry.document)
    const problems = [...problemsOf(document), ...unresolved(document)].slice(0, MAX_PROBLEMS)
    const bundle = new TextEncoder().encode(JSON.stringify(document))
    return { bundle, format: entry.format, problems, parts: specPartsOf(document) }
  } catch (error) {
    if (!(error instanceof SpecFault)) throw error
    return { refused: [{ code: error.code, message: error.message }] }
  }
}

/**
 * Puts the other files into the entry, and makes every reference lead there. @returns the addresses of files that are missing
 * @throws SpecFault for references that are not followed
 */
function joinFiles(files: readonly SourceFile[], sources: ParsedSource[], isAllowed: boolean): string[] {
  const numbers = new Map(files.map(({ url }, i) => [url, i]))
  const origin = URL.parse(files[0]?.url ?? '')?.origin
  const missing = new Set<string>()
  for (const [i, { document }] of sources.entries()) {
    for (const { holder, pointer } of referencesIn(document)) {
      if (holder.$ref.startsWith('#')) {
        if (i > 0) holder.$ref = placeIn(i, holder.$ref)
        continue
      }
      const refuse = (why: string) =>
        new SpecFault('EXTERNAL_REFERENCE', `${pointer} refers to "${holder.$ref}": ${why}`)
      if (!isAllowed)
        throw refuse('references to other files are refused; bundle the files, or send "externalReferences"')
      const target = URL.parse(holder.$ref, files[i]?.url ?? undefined)
      if (!target || target.origin !== origin || target.origin === 'null')
        throw refuse('only references to the origin of the source are followed')
      const { hash } = target
      target.hash = ''
      const number = numbers.get(target.href)
      if (number === undefined) missing.add(target.href)
      else holder.$ref = placeIn(number, hash || '#')
    }
  }
  const entry = needItem(sources, 0).document
  delete entry[EXTERNAL]
  const others = sources.slice(1).map(({ document }, i) => [String(i + 1), document])
  if (others.length > 0) entry[EXTERNAL] = Object.fromEntries(others)
  return [...missing]
}

/** The reference in the bundle to a place in a file. */
function placeIn(number: number, hash: string): string {
  return number === 0 ? hash : `#/${EXTERNAL}/${number}${hash.slice(1)}`
}

function unresolved(document: Record<string, unknown>): SpecProblem[] {
  const problems: SpecProblem[] = []
  for (const { holder, pointer } of referencesIn(document)) {
    if (problems.length === MAX_PROBLEMS) break
    if (lookUpReference(document, holder.$ref) === undefined)
      problems.push({
        code: 'UNRESOLVED_REFERENCE',
        message: `${pointer} refers to "${holder.$ref}", which is not there`,
      })
  }
  return problems
}
