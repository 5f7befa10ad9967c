/** Begins to read a page for writing before its editor is there. */
import { begin, FRESH_MS } from '../../api/requests.ts'
import { levelAt, wayAt } from '../../content/tree/levels.ts'
import { pointedPlace, type PointedPlace } from '../../content/views/parts/pointed.ts'
import { linkedPagesAt, pagesNamedIn, partsOf } from '../../content/tree/links.ts'
import { type NewestPage, readPage } from './page-requests.ts'
import { changeRequestOf, contentOf, pageFieldsAt, type PagePlace } from '../../api/page-place.ts'

interface Opening {
  change: string
  at: number
  page: Promise<(NewestPage & { id: string }) | undefined>
}

let opening: Opening | undefined

/** Begins to read the page at a path of a change request, and what the screen shows around it. */
export function beginWriting(place: Pick<PagePlace, 'spaceId' | 'number'>, path: string): void {
  const page = readAt(place, path)
  // The editor reads it again, and shows the error.
  page.catch(() => undefined)
  opening = { change: changeRequestOf(place), at: performance.now(), page }
}

async function readAt(place: Pick<PagePlace, 'spaceId' | 'number'>, path: string) {
  const content = contentOf(place)
  begin(levelAt(content, null, 'writing')).catch(() => undefined)
  const [{ revision }, { items }] = await Promise.all([
    begin(changeRequestOf(place)),
    begin(wayAt(content, decodeURI(path), 'writing')),
  ])
  const found = items.at(-1)
  if (found?.type !== 'document') return undefined
  const { id } = found
  begin(pageFieldsAt(content, id)).catch(() => undefined)
  const read = await readPage({ ...place, page: id }, revision)
  for (const part of partsOf([...pagesNamedIn(read.blocks)]))
    begin(linkedPagesAt(content, part)).catch(() => undefined)
  return { id, revision, ...read }
}

/** The newest version of a page, if it has been read for its editor; only once. */
export async function takeOpening(place: PagePlace): Promise<NewestPage | undefined> {
  const { change, at, page } = opening ?? {}
  opening = undefined
  if (page === undefined || change !== changeRequestOf(place) || performance.now() - at! > FRESH_MS)
    return undefined
  const read = await page.catch(() => undefined)
  return read?.id === place.page ? read : undefined
}

/** Where an editor begins. */
export type Beginning = { at: 'title' } | { at: 'text'; pointed: PointedPlace | undefined }

/** How long an editor may take to open. */
const OPENS_MS = 30_000

let beginning: { is: Beginning; isFor: (place: PagePlace) => boolean; until: number } | undefined

function begins(is: Beginning, isFor: (place: PagePlace) => boolean): void {
  beginning = { is, isFor, until: performance.now() + OPENS_MS }
}

/** Lets the next editor begin at the title of its page, if it is this one. */
export const beginAtTitle = (page: string | undefined): void =>
  begins({ at: 'title' }, (place) => place.page === page)

/** Lets the next editor begin at the start of its text, if it has this page. */
export const beginAtText = (page: string): void =>
  begins({ at: 'text', pointed: undefined }, (place) => place.page === page)

/** Lets the next editor of a change request begin where the reader of the page has pointed. */
export function beginAtPointed(place: Pick<PagePlace, 'spaceId' | 'number'>): void {
  const change = changeRequestOf(place)
  begins({ at: 'text', pointed: pointedPlace() }, (opened) => changeRequestOf(opened) === change)
}

/** Where the editor of a page begins; only once. */
export function takeBeginning(place: PagePlace): Beginning | undefined {
  const { is, isFor, until = 0 } = beginning ?? {}
  beginning = undefined
  return isFor?.(place) === true && performance.now() < until ? is : undefined
}
