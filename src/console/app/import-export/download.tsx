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

interface Problem {
  page: string
  title: string
  /** The scripts for which the server has no font. */
  scripts?: string[]
}

/** A file that was made: a book, or an archive. */
interface Made {
  url: string
  problems?: readonly Problem[]
  missingFiles?: readonly string[]
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
  const [problems, setProblems] = useState<readonly Problem[]>([])
  const [missing, setMissing] = useState<readonly string[]>([])
  const isArchive = archive !== undefined && format === 'zip' && extent === 'all'
  const download = async () => {
    setState({ isPending: true, error: null })
    try {
      const query = new URLSearchParams({ format: format === 'epub' ? 'epub' : 'pdf' })
      if (page !== undefined && extent !== 'all') query.set('page', page)
      if (extent === 'page') query.set('only', 'true')
      const made = await api(isArchive ? `GET ${archive}` : `GET ${base}/pdf?${query.toString()}`)
      const { url, problems: found = [], missingFiles = [] }: Made = made
      const { pathname, search } = new URL(url)
      // The response has `content-disposition: attachment`, so this screen stays.
      location.assign(pathname + search)
      setState({ isPending: false, error: null })
      setProblems(found)
      setMissing(missingFiles)
      if (found.length + missingFiles.length === 0) close()
    } catch (error) {
      setState({ isPending: false, error: error as Error })
    }
  }
  const plain = problems.filter((one) => one.scripts === undefined)
  const scripts = [...new Set(problems.flatMap((one) => one.scripts ?? []))]
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
      {missing.length > 0 && <p role="status">{t('import.files-left-out', { names: missing.join(', ') })}</p>}
      {scripts.length > 0 && (
        <p role="status">{t('import.no-font-for-scripts', { scripts: scripts.join(', ') })}</p>
      )}
      {plain.length > 0 && (
        <p role="status">
          {t('import.these-pages-file-plain', {
            names: plain.map(({ title }) => title || t('common.untitled')).join(', '),
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
