import { useEffect, useRef, useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'react-aria-components'
import { api } from '../api/api.ts'
import { useFocusAfter } from '../ui/kept-focus.ts'
import { DialogButton } from '../ui/parts.tsx'
import { t } from '../words/words.ts'
import { ChoiceField, LineField } from '../ui/fields.tsx'
import { EditForm } from '../ui/forms.tsx'
import { type ImportAnswer, type ImportPlace, ImportReport } from './import-report.tsx'
import { keepReport } from './kept-report.tsx'
import type { DiscussedPath, WritablePath } from '../api/paths.ts'
import type { BodyOf } from '../api/typed.ts'

/** The characters that the title of a space can have. */
const TITLE_MAX = 50
/** The characters that the subject of a change request can have. */
const SUBJECT_MAX = 100

type Source = BodyOf<`POST ${WritablePath}/import`>['source']

const sources = (): [source: Source, title: string][] => [
  ['zip', t('import.markdown-files-zip-archive')],
  ['markdown', t('import.a-markdown-file')],
  ['docx', t('import.word-document-docx')],
  ['html', t('import.html-file-several-zip')],
  ['website', t('import.a-website')],
  ['confluence', t('import.confluence-zip-html-export')],
  ['notion', t('import.notion-exported-zip')],
  ['google-docs', t('import.google-docs-web-page')],
  ['docusaurus', t('import.docusaurus-project-zip-archive')],
  ['mkdocs', t('import.mk-docs-project-zip')],
  ['vitepress', t('import.vite-press-project-zip')],
  ['github-wiki', t('import.github-repository-wiki-zip')],
  ['outline', t('import.outline-exported-zip')],
  ['docmost', t('import.docmost-exported-zip')],
  ['bookstack', t('import.book-stack-portable-zip')],
]

/** Returns the format of a file according to its name. */
const sourceOf = (name: string): Source | undefined =>
  (
    [
      [/\.md$|\.markdown$/i, 'markdown'],
      [/\.docx$/i, 'docx'],
      [/\.html?$/i, 'html'],
    ] as const
  ).find(([pattern]) => pattern.test(name))?.[1]

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

/** A button that imports documentation. @param into without it, the import makes a space */
export function ImportButton({
  organizationId,
  into,
  kind = 'button',
  onOpenChange,
}: {
  organizationId: string
  into?: ImportTarget
  kind?: string
  onOpenChange?: (isOpen: boolean) => void
}) {
  return (
    <DialogButton
      label={t('common.import')}
      title={t('import.import-documentation')}
      kind={kind}
      {...(onOpenChange && { onOpenChange })}
    >
      {(close) => <ImportForm organizationId={organizationId} into={into} close={close} />}
    </DialogButton>
  )
}

/** The form of an import, its progress, and what came of it. */
export function ImportForm({
  organizationId,
  into,
  close,
}: {
  organizationId: string
  into: ImportTarget | undefined
  close: () => void
}) {
  const client = useQueryClient()
  const [source, setSource] = useState<Source>('zip')
  const [file, setFile] = useState<File>()
  const [address, setAddress] = useState('')
  const [title, setTitle] = useState('')
  const [root, setRoot] = useState('')
  const [state, setState] = useState<ImportState>({
    stage: 'choosing',
    error: null,
    ...(into === undefined || into.isProposed ? {} : { place: into }),
  })
  const isWebsite = source === 'website'
  /** Whether an attempt was refused or cancelled. */
  const [isAgain, setAgain] = useState(false)
  /** The place that failed attempts created: the next attempt uses it, and closing the dialog discards it. */
  const made = useRef<ImportPlace>(undefined)
  /** The title of the space that was made. An attempt before this one may have named it after another file. */
  const named = useRef('')
  /** Ends the attempt that runs. */
  const running = useRef<AbortController>(undefined)
  const isClosed = useRef(false)
  const isBusy = state.stage === 'uploading' || state.stage === 'importing'
  const form = useFocusAfter<HTMLDivElement>(isBusy)
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

  async function begin() {
    let { place } = state
    running.current = new AbortController()
    const { signal } = running.current
    try {
      setState({ ...state, stage: 'uploading', error: null })
      const url = isWebsite ? address : await send(organizationId, file, signal)
      const name = title || (file?.name.replace(/\.[^.]+$/, '') ?? address)
      place ??= made.current = into
        ? { spaceId: into.spaceId, number: await propose(into.spaceId, name) }
        : { spaceId: await createSpace(organizationId, (named.current = titleOf(name))) }
      setState({ stage: 'importing', error: null, place })
      const { spaceId, number } = place
      const line: DiscussedPath =
        number === undefined ? `/spaces/${spaceId}` : `/spaces/${spaceId}/change-requests/${number}`
      const content: WritablePath = `${line}/content`
      const answer = await api(
        into?.page === undefined ? `POST ${content}/import` : `POST ${content}/page/${into.page}/import`,
        { source, url, ...(root === '' || isWebsite ? {} : { root }) },
        signal,
      )
      made.current = undefined
      keepReport(place, answer)
      const wanted = titleOf(title || answer.title || name)
      if (into === undefined && wanted !== named.current) await rename(spaceId, wanted)
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

  if (state.stage === 'done' && state.answer && state.place)
    return <ImportReport answer={state.answer} place={state.place} close={close} />
  if (isBusy)
    return (
      <Progress
        spaceId={state.stage === 'importing' ? state.place?.spaceId : undefined}
        cancel={() => running.current?.abort()}
      />
    )
  return (
    <div ref={form} tabIndex={-1}>
      <EditForm
        change={{ error: state.error && withFolder(state.error), isPending: false, isSuccess: false }}
        action={t('common.import')}
        close={close}
        onSubmit={() => void begin()}
      >
        <ChoiceField label={t('import.do-import')} value={source} onChange={setSource} options={sources()} />
        {isWebsite ? (
          <LineField
            label={t('import.address-website')}
            type="url"
            value={address}
            onChange={setAddress}
            isRequired
            hint={t('import.everybody-must-able-read')}
          />
        ) : (
          <div className="field">
            <label htmlFor="import-file">{t('block.file')}</label>
            <input
              id="import-file"
              type="file"
              required={file === undefined}
              aria-describedby="import-chosen"
              onChange={(event) => {
                const [chosen] = event.target.files ?? []
                if (chosen) setFile(chosen)
                setSource((chosen && sourceOf(chosen.name)) ?? source)
              }}
            />
            <span id="import-chosen" className="hint">
              {/* After a failed attempt, the field is new and empty, but the file is still there. */}
              {file && isAgain && t('import.chosen-name', { name: file.name })}
            </span>
          </div>
        )}
        {into === undefined && (
          <LineField
            label={t('import.title-new-space')}
            value={title}
            onChange={setTitle}
            hint={t('import.without-title-documentation-name')}
          />
        )}
        {!isWebsite && (state.error || root !== '') && (
          <LineField
            label={t('import.folder-archive')}
            value={root}
            onChange={setRoot}
            hint={t('import.only-if-archive-several')}
          />
        )}
      </EditForm>
    </div>
  )
}

/** The server names the fields of a request, but people see those of the dialog. */
const withFolder = ({ message }: Error): Error =>
  new Error(message.replace(/Import one with its folder as "root".*$/, t('import.write-folder-one-them')))

/** Takes back what an import has made for pages that never came. */
async function discard({ spaceId, number }: ImportPlace): Promise<void> {
  try {
    if (number === undefined) await api(`DELETE /spaces/${spaceId}`)
    else await api(`PATCH /spaces/${spaceId}/change-requests/${number}`, { status: 'archived' })
  } catch {
    // The lists still show it, with what removes it.
  }
}

const titleOf = (name: string): string => name.slice(0, TITLE_MAX)

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
  const { url } = await api(`POST /orgs/${organizationId}/storage/upload`, {
    kind: 'import_file',
    file: { name: file.name, type: file.type || 'application/octet-stream', size: file.size },
  })
  // The server may name itself differently from the address that the browser uses.
  const { pathname, search } = new URL(url)
  const answer = await fetch(pathname + search, {
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream' },
    body: file,
    signal,
  })
  if (!answer.ok) throw new Error(t('import.file-could-not-sent'))
  return url
}

/** How far an import is. @param cancel ends it, unless its pages are being written already */
function Progress({ spaceId, cancel }: { spaceId: string | undefined; cancel: () => void }) {
  const { data } = useQuery({
    queryKey: ['import', spaceId],
    queryFn: () => api(`GET /spaces/${spaceId ?? ''}/content/import`),
    enabled: spaceId !== undefined,
    refetchInterval: 1000,
  })
  const running = data?.imports[0]
  const stages = {
    waiting: t('import.waiting-other-imports'),
    fetching: t('import.fetching'),
    reading: t('common.reading'),
    writing: t('import.writing-the-pages'),
  }
  const text = spaceId === undefined ? t('import.sending-the-file') : stages[running?.stage ?? 'reading']
  return (
    <>
      <p role="status">{text}</p>
      <progress
        aria-label={text}
        max={running?.total ?? 1}
        {...(running?.done === undefined ? {} : { value: running.done })}
      />
      <p className="hint">{t('import.can-close-dialog-import')}</p>
      <div className="actions">
        {running?.stage !== 'writing' && (
          <Button className="button" onPress={cancel}>
            {t('import.cancel-the-import')}
          </Button>
        )}
      </div>
    </>
  )
}
