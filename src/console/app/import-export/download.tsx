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
      action={state.isPending ? t('import.making-it') : t('common.download')}
      onSubmit={() => void download()}
      close={close}
    >
      {page !== undefined && (
        <ChoiceField
          label={t('common.what')}
          value={extent}
          onChange={setExtent}
          options={[
            ['page', t('import.this-page')],
            ['below', t('import.page-those-below')],
            ['all', t('import.all-pages')],
          ]}
        />
      )}
      <ChoiceField
        label={t('import.format')}
        value={isArchive || format !== 'zip' ? format : 'pdf'}
        onChange={setFormat}
        options={[
          ['pdf', 'PDF'],
          ['epub', t('import.epub-e-book-readers')],
          ...(archive !== undefined && extent === 'all'
            ? [['zip', t('import.markdown-files-zip-archive')] as const]
            : []),
        ]}
      />
      {problems.length > 0 && (
        <p role="status">
          {t('import.these-pages-file-plain', {
            names: problems.map(({ title }) => title || t('common.untitled')).join(', '),
          })}
        </p>
      )}
    </EditForm>
  )
}

/** A button that downloads pages. */
export function DownloadButton({ of, kind = 'button' }: { of: Downloadable; kind?: string }) {
  return (
    <DialogButton label={t('common.download-now')} title={t('common.download')} kind={kind}>
      {(close) => <DownloadForm of={of} close={close} />}
    </DialogButton>
  )
}
