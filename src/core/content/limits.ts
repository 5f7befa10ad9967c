/** The limits of a content. They are checked when content is written, so that reading it is bounded. */
import { changeSettings, coreSettings } from '../runtime/operator-settings.ts'
import { frontMatterEnd, frontMatterExcess } from '../document/front-matter/front-matter.ts'
import { bytesProblem, hasFewParts, PAGE_LIMITS } from '../document/shape/limits.ts'
import { parsePage } from '../document/parse.ts'
import { because } from '../languages/reasons.ts'
import { faultParameters, type Reasoned } from '../languages/reasoned.ts'

/** Sets the most pages of a space, for this process and its threads. */
export function limitPages(pages: number): void {
  changeSettings({ pagesOfSpace: pages })
}

/** The most pages of a space: `LIMITS.pages`, unless `limitPages` says otherwise. */
export function mostPages(): number {
  return coreSettings().pagesOfSpace ?? LIMITS.pages
}

/** The limits of a space and of what is written into it at once. */
export const LIMITS = {
  batchChanges: 50,
  treeDepth: 32,
  pages: 50_000,
  oldPlaces: 50_000,
  redirects: 5_000,
  /** Of a page with everything that it includes, in UTF-16 units. */
  included: 5_000_000,
} as const

/**
 * Why a source is not stored, if it exceeds a limit of a page. Only a long source is parsed to know.
 * @param name the name of the page, reusable content or file, for the message
 */
export function pageProblem(name: string, source: string): Reasoned | undefined {
  const problem = sourceProblem(name, source)
  if (problem !== undefined || (hasFewParts(source) && hasShortTitle(source))) return problem
  return excessOf(name, parsePage(source).excess)
}

/** Why a source is not parsed, if its bytes or its front matter exceed a limit. Takes linear time. */
export function sourceProblem(name: string, source: string): Reasoned | undefined {
  return excessOf(name, bytesProblem(source) ?? frontMatterExcess(source))
}

/** The message for a page that exceeds a limit, if it does. */
export function excessOf(name: string, excess: Reasoned | undefined): Reasoned | undefined {
  if (excess === undefined) return undefined
  const parameters = { name, ...faultParameters(excess) }
  return isExcessOfHead(excess)
    ? because('head-exceeds-limit', parameters)
    : because('page-exceeds-limit', parameters)
}

/** Whether it is the front matter or the title that exceeds a limit, so that two pages would not help. */
function isExcessOfHead({ reason }: Reasoned): boolean {
  return reason === 'has-front-matter-that' || reason === 'has-long-title'
}

/** True if the first paragraph, which may be the title, and the front matter are short. */
function hasShortTitle(source: string): boolean {
  const end = frontMatterEnd(source)
  const [first = ''] = source
    .slice(end)
    .trimStart()
    .split(/\n[ \t\r]*\n/, 1)
  const isTitle = first.startsWith('#') || /\n[ ]{0,3}=/.test(first)
  return end <= PAGE_LIMITS.title && (!isTitle || first.length <= PAGE_LIMITS.title)
}
