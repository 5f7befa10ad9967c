/** One import: its attempts, and what they make. */
import { sendUpload } from '../api/uploads.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api } from '../api/api.ts'
import type { DiscussedPath, WritablePath } from '../api/paths.ts'
import type { BodyOf } from '../api/typed.ts'
import { t } from '../words/words.ts'
import type { ImportAnswer, ImportPlace } from './import-report.tsx'
import { keepReport } from './kept-report.tsx'

/** The characters that the title of a space can have. */
const TITLE_MAX = 50
/** The characters that the subject of a change request can have. */
const SUBJECT_MAX = 100

export type ImportSource = BodyOf<`POST ${WritablePath}/import`>['source']

/** The choices of the list that the server imports as an archive whose tool it recognizes. */
const RECOGNIZED = ['repository', 'gitbook'] as const

/** A choice of the list: a source of the server, or a tool or place that it recognizes by itself. */
export type ImportKind = ImportSource | (typeof RECOGNIZED)[number]

const sourceOfKind = (kind: ImportKind): ImportSource =>
  RECOGNIZED.some((one) => one === kind) ? 'zip' : (kind as ImportSource)

/** Whether a choice has an address, not a file. */
export const hasAddress = (kind: ImportKind): boolean => kind === 'website' || kind === 'repository'

/** The name of what is at an address: that of the repository, or the whole address of a website. */
const nameOfAddress = (kind: ImportKind, address: string): string =>
  kind === 'repository'
    ? (/([^/]+?)(?:\.git|\.zip)?\/*$/.exec(URL.parse(address)?.pathname ?? '')?.[1] ?? address)
    : address

/** What a person chooses to import. */
export interface ImportChoice {
  source: ImportKind
  file: File | undefined
  /** That of a website or repository. */
  address: string
  /** The title of the new space; empty for that of the documentation. */
  title: string
  /** The folder of the archive. */
  root: string
}

/** Where a space stands to which an import leads, and what is done so far. */
interface ImportState {
  stage: 'choosing' | 'uploading' | 'importing' | 'done'
  error: Error | null
  place?: ImportPlace
  answer?: ImportAnswer
}

/** The place to which an import adds pages. */
export interface ImportTarget {
  spaceId: string
  /** The number of the change request that gets the pages. */
  number?: number
  /** The page that the pages are added below. */
  page?: string
  /** Whether the import opens a change request, because the space is locked. */
  isProposed?: boolean
}

/** Runs an import. Closing the dialog discards what failed attempts made. */
export function useImport(organizationId: string, into: ImportTarget | undefined) {
  const client = useQueryClient()
  const [state, setState] = useState<ImportState>({
    stage: 'choosing',
    error: null,
    ...(into === undefined || into.isProposed ? {} : { place: into }),
  })
  /** Whether an attempt was refused or cancelled. */
  const [isAgain, setAgain] = useState(false)
  /** The place that failed attempts created: the next attempt uses it, and closing the dialog discards it. */
  const made = useRef<ImportPlace>(undefined)
  /** The title of the space that was made. An attempt before this one may have named it after another file. */
  const named = useRef('')
  /** Ends the attempt that runs. */
  const running = useRef<AbortController>(undefined)
  const isClosed = useRef(false)
  const leave = async () => {
    if (made.current) await discard(made.current)
    // Only now: the screen below may have no place for this dialog once there are pages.
    await client.invalidateQueries()
  }
  useEffect(
    () => () => {
      isClosed.current = true
      if (!running.current) void leave()
    },
    [],
  )

  /** Returns the place of the import. Creates it unless an earlier attempt has. */
  async function makePlace(name: string): Promise<ImportPlace> {
    if (state.place) return state.place
    made.current = into
      ? { spaceId: into.spaceId, number: await propose(into.spaceId, name) }
      : { spaceId: await createSpace(organizationId, (named.current = importedTitle(name))) }
    return made.current
  }

  async function begin(choice: ImportChoice): Promise<void> {
    const { source, file, address, title } = choice
    let { place } = state
    running.current = new AbortController()
    const { signal } = running.current
    try {
      setState({ ...state, stage: 'uploading', error: null })
      const url = hasAddress(source) ? address : await send(organizationId, file, signal)
      const name = title || (file?.name.replace(/\.[^.]+$/, '') ?? nameOfAddress(source, address))
      place = await makePlace(name)
      setState({ stage: 'importing', error: null, place })
      const answer = await importInto(place, into?.page, { ...choice, url }, signal)
      made.current = undefined
      keepReport(place, answer)
      const wanted = importedTitle(title || answer.title || name)
      if (into === undefined && wanted !== named.current) await rename(place.spaceId, wanted)
      setState({ stage: 'done', error: null, place, answer })
    } catch (error) {
      setAgain(true)
      // The person has ended it, which is no fault.
      const fault = signal.aborted ? null : (error as Error)
      setState({ stage: 'choosing', error: fault, ...(place === undefined ? {} : { place }) })
    }
    running.current = undefined
    if (isClosed.current) await leave()
  }

  const isBusy = state.stage === 'uploading' || state.stage === 'importing'
  return { state, isBusy, isAgain, begin, cancel: () => running.current?.abort() }
}

/** Imports from an address. @param page the page that the pages are added below */
function importInto(
  { spaceId, number }: ImportPlace,
  page: string | undefined,
  { source, url, root }: Pick<ImportChoice, 'source' | 'root'> & { url: string },
  signal: AbortSignal,
): Promise<ImportAnswer> {
  const line: DiscussedPath =
    number === undefined ? `/spaces/${spaceId}` : `/spaces/${spaceId}/change-requests/${number}`
  const content: WritablePath = `${line}/content`
  return api(
    page === undefined ? `POST ${content}/import` : `POST ${content}/page/${page}/import`,
    { source: sourceOfKind(source), url, ...(root === '' || source === 'website' ? {} : { root }) },
    signal,
  )
}

/** Takes back what an import has made for pages that never came. */
async function discard({ spaceId, number }: ImportPlace): Promise<void> {
  try {
    if (number === undefined) await api(`DELETE /spaces/${spaceId}`)
    else await api(`PATCH /spaces/${spaceId}/change-requests/${number}`, { status: 'archived' })
  } catch {
    // The lists still show it, with what removes it.
  }
}

const importedTitle = (name: string): string => name.slice(0, TITLE_MAX)

async function createSpace(organizationId: string, title: string): Promise<string> {
  const { id } = await api(`POST /orgs/${organizationId}/spaces`, { title })
  return id
}

/** Names a space after what was imported. The pages are there even if this fails. */
async function rename(spaceId: string, title: string): Promise<void> {
  try {
    await api(`PATCH /spaces/${spaceId}`, { title })
  } catch {
    // The space keeps its first title, which people see and can change.
  }
}

async function propose(spaceId: string, name: string): Promise<number> {
  const { number } = await api(`POST /spaces/${spaceId}/change-requests`, {
    subject: t('import.import-of-name', { name }).slice(0, SUBJECT_MAX),
  })
  return number
}

/** Uploads a file. @returns the address to import it from */
async function send(organizationId: string, file: File | undefined, signal: AbortSignal): Promise<string> {
  if (!file) throw new Error(t('import.choose-a-file'))
  const refused = t('import.file-could-not-sent')
  return (await sendUpload(organizationId, file, { kind: 'import_file', refused, signal })).url
}
