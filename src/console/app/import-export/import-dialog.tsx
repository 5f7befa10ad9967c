import { useQuery } from '@tanstack/react-query'
import { Button } from 'react-aria-components'
import { api } from '../api/api.ts'
import { ChoiceField, LineField } from '../ui/fields.tsx'
import { type FormValues, useFormValues } from '../ui/form-values.ts'
import { EditForm } from '../ui/forms.tsx'
import { useFocusAfter } from '../ui/kept-focus.ts'
import { DialogButton } from '../ui/parts.tsx'
import { t } from '../words/words.ts'
import { ImportReport } from './import-report.tsx'
import { hasAddress, type ImportChoice, type ImportKind, type ImportTarget, useImport } from './import-run.ts'

const sources = (): [source: ImportKind, title: string][] => [
  ['zip', t('import.zip-archive-recognized')],
  ['repository', t('import.a-repository')],
  ['gitbook', t('import.gitbook-repository-zip')],
  ['markdown', t('import.a-markdown-file')],
  ['docx', t('import.word-document-docx')],
  ['odt', t('import.document-odt')],
  ['html', t('import.html-file-several-zip')],
  ['website', t('import.a-website')],
  ['confluence', t('import.confluence-zip-html-export')],
  ['notion', t('import.notion-exported-zip')],
  ['google-docs', t('import.google-docs-web-page')],
  ['docusaurus', t('import.docusaurus-project-zip-archive')],
  ['mkdocs', t('import.mk-docs-project-zip')],
  ['vitepress', t('import.vite-press-project-zip')],
  ['mdbook', t('import.md-book-project-zip')],
  ['mintlify', t('import.mintlify-project-zip')],
  ['starlight', t('import.starlight-project-zip')],
  ['nextra', t('import.nextra-project-zip')],
  ['hugo', t('import.hugo-project-zip')],
  ['jekyll', t('import.jekyll-project-zip')],
  ['docfx', t('import.docfx-project-zip')],
  ['myst', t('import.myst-project-zip')],
  ['sphinx', t('import.sphinx-project-zip')],
  ['github-wiki', t('import.github-repository-wiki-zip')],
  ['outline', t('import.outline-exported-zip')],
  ['docmost', t('import.docmost-exported-zip')],
  ['bookstack', t('import.book-stack-portable-zip')],
  ['wiki-js', t('import.wiki-js-exported-zip')],
]

/** Returns the format of a file according to its name. */
const sourceOf = (name: string): ImportKind | undefined =>
  (
    [
      [/\.md$|\.markdown$/i, 'markdown'],
      [/\.docx$/i, 'docx'],
      [/\.odt$/i, 'odt'],
      [/\.html?$/i, 'html'],
    ] as const
  ).find(([pattern]) => pattern.test(name))?.[1]

const NOTHING_CHOSEN: ImportChoice = { source: 'zip', file: undefined, address: '', title: '', root: '' }

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
  source = NOTHING_CHOSEN.source,
  close,
}: {
  organizationId: string
  into: ImportTarget | undefined
  /** What is chosen at first. */
  source?: ImportKind
  close: () => void
}) {
  const choice = useFormValues<ImportChoice>({ ...NOTHING_CHOSEN, source })
  const { state, isBusy, isAgain, begin, cancel } = useImport(organizationId, into)
  const form = useFocusAfter<HTMLDivElement>(isBusy)
  if (state.stage === 'done' && state.answer && state.place)
    return <ImportReport answer={state.answer} place={state.place} close={close} />
  if (isBusy)
    return (
      <Progress spaceId={state.stage === 'importing' ? state.place?.spaceId : undefined} cancel={cancel} />
    )
  const { values, set } = choice
  const isWebsite = values.source === 'website'
  const isAddress = hasAddress(values.source)
  return (
    <div ref={form} tabIndex={-1}>
      <EditForm
        change={{ error: state.error && withFolder(state.error), isPending: false, isSuccess: false }}
        action={t('common.import')}
        close={close}
        onSubmit={() => void begin(values)}
      >
        <ChoiceField
          label={t('import.do-import')}
          value={values.source}
          onChange={(chosen) => set({ source: chosen })}
          options={sources()}
        />
        {isAddress ? (
          <LineField
            label={isWebsite ? t('import.address-website') : t('import.address-repository')}
            type="url"
            value={values.address}
            onChange={(address) => set({ address })}
            isRequired
            hint={isWebsite ? t('import.everybody-must-able-read') : t('import.public-repository-hosts')}
          />
        ) : (
          <ImportFileField choice={choice} isAgain={isAgain} />
        )}
        {into === undefined && (
          <LineField
            label={t('import.title-new-space')}
            value={values.title}
            onChange={(title) => set({ title })}
            hint={t('import.without-title-documentation-name')}
          />
        )}
        {!isWebsite && (state.error || values.root !== '') && (
          <LineField
            label={t('import.folder-archive')}
            value={values.root}
            onChange={(root) => set({ root })}
            hint={t('import.only-if-archive-several')}
          />
        )}
      </EditForm>
    </div>
  )
}

/** The file to import. Its name often says its format. */
function ImportFileField({
  choice: { values, set },
  isAgain,
}: {
  choice: FormValues<ImportChoice>
  isAgain: boolean
}) {
  const { file } = values
  return (
    <div className="field">
      <label htmlFor="import-file">{t('block.file')}</label>
      <input
        id="import-file"
        type="file"
        required={file === undefined}
        aria-describedby="import-chosen"
        onChange={(event) => {
          const [chosen] = event.target.files ?? []
          if (!chosen) return
          const source = sourceOf(chosen.name)
          set({ file: chosen, ...(source && { source }) })
        }}
      />
      <span id="import-chosen" className="hint">
        {/* After a failed attempt, the field is new and empty, but the file is still there. */}
        {file && isAgain && t('import.chosen-name', { name: file.name })}
      </span>
    </div>
  )
}

/** The server names the fields of a request, but people see those of the dialog. */
const withFolder = ({ message }: Error): Error =>
  new Error(message.replace(/Import one with its folder as "root".*$/, t('import.write-folder-one-them')))

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
