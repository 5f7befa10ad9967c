/** Files made of the pages of a space or a change request: PDF, EPUB and Markdown. */
import { useState } from 'react'
import { ChoiceField } from '../ui/fields.tsx'
import { api } from '../api/api.ts'
import { EditForm } from '../ui/forms.tsx'
import { DialogButton } from '../ui/parts.tsx'
import { t } from '../words/words.ts'
import type { DiscussedPath, SpacePath } from '../api/paths.ts'

/** The content from which a file can be made. */
export interface Downloadable {
  /** The path of the space or change request below `/v1`. */
  base: DiscussedPath
  /** A page to begin with; without it, the file has all pages. */
  page?: string | undefined
  /** The path below `/v1` of an archive of Markdown files, for people who may export the whole space. */
  archive?: `${SpacePath}/content/export` | undefined
}

type Extent = 'page' | 'below' | 'all'
type Format = 'pdf' | 'epub' | 'zip'

/** Asks what is downloaded in which format. The file comes when the server has made it. */
export function DownloadForm({ of, close }: { of: Downloadable; close: () => void }) {
  const { base, page, archive } = of
  const [extent, setExtent] = useState<Extent>(page === undefined ? 'all' : 'page')
  const [format, setFormat] = useState<Format>('pdf')
  const [state, setState] = useState<{ isPending: boolean; error: Error | null }>({
    isPending: false,
    error: null,
  })
  const [problems, setProblems] = useState<readonly { page: string; title: string }[]>([])
  const isArchive = archive !== undefined && format === 'zip' && extent === 'all'
  const download = async () => {
    setState({ isPending: true, error: null })
    try {
      const query = new URLSearchParams({ format: format === 'epub' ? 'epub' : 'pdf' })
      if (page !== undefined && extent !== 'all') query.set('page', page)
      if (extent === 'page') query.set('only', 'true')
      const made = await api(isArchive ? `GET ${archive}` : `GET ${base}/pdf?${query.toString()}`)
      const { url, problems: found = [] }: { url: string; problems?: typeof problems } = made
      const { pathname, search } = new URL(url)
      // The response has `content-disposition: attachment`, so this screen stays.
      location.assign(pathname + search)
      setState({ isPending: false, error: null })
      setProblems(found)
      if (found.length === 0) close()
    } catch (error) {
      setState({ isPending: false, error: error as Error })
    }
  }
  return (
    <EditForm
      change={{ ...state, isSuccess: false }}
      action={state.isPending ? t('Making it…') : t('Download')}
      onSubmit={() => void download()}
      close={close}
    >
      {page !== undefined && (
        <ChoiceField
          label={t('What')}
          value={extent}
          onChange={setExtent}
          options={[
            ['page', t('This page')],
            ['below', t('This page and those below it')],
            ['all', t('All pages')],
          ]}
        />
      )}
      <ChoiceField
        label={t('Format')}
        value={isArchive || format !== 'zip' ? format : 'pdf'}
        onChange={setFormat}
        options={[
          ['pdf', 'PDF'],
          ['epub', t('EPUB, for e-book readers')],
          ...(archive !== undefined && extent === 'all'
            ? [['zip', t('Markdown files in a .zip archive')] as const]
            : []),
        ]}
      />
      {problems.length > 0 && (
        <p role="status">
          {t('These pages are in the file as plain text only: {names}.', {
            names: problems.map(({ title }) => title || t('Untitled')).join(', '),
          })}
        </p>
      )}
    </EditForm>
  )
}

/** A button that downloads pages. */
export function DownloadButton({ of, kind = 'button' }: { of: Downloadable; kind?: string }) {
  return (
    <DialogButton label={t('Download…')} title={t('Download')} kind={kind}>
      {(close) => <DownloadForm of={of} close={close} />}
    </DialogButton>
  )
}
