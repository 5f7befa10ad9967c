import { append } from '../../../../core/data/lists.ts'
import { useDeferredValue, useState } from 'react'
import { Label, TextArea, TextField } from 'react-aria-components'
import { CheckField, LineField, Part } from '../../ui/fields.tsx'
import {
  redirectAddress,
  DestinationField,
  type Destination,
  useDestinationName,
} from './destination-field.tsx'
import { readRedirects } from './redirect-list.ts'
import { SiteFrame } from './site-frame.tsx'
import { api, useChange, useList } from '../../api/api.ts'
import { ConfirmButton, EditForm } from '../../ui/forms.tsx'
import { DialogButton, Named, Rows } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import type { Schemas } from '../../api/operations/schemas.ts'
import type { AnswerOf } from '../../api/typed.ts'
import type { SitePath } from '../../api/paths.ts'

type Redirect = Schemas['SiteRedirect']

/** The redirects of a site. */
export function SiteRedirectsScreen({ params }: { params: Record<string, string> }) {
  return (
    <SiteFrame params={params} title={t('common.redirects')}>
      {({ site, path }) => (
        <>
          <Redirects path={path} />
          <FindRedirect path={path} />
          <ManyRedirects path={path} home={site.urls.published} />
        </>
      )}
    </SiteFrame>
  )
}

function Redirects({ path }: { path: SitePath }) {
  const [search, setSearch] = useState('')
  const looked = useDeferredValue(search).trim()
  const list = useList(
    looked === '' ? `${path}/redirects` : `${path}/redirects?search=${encodeURIComponent(looked)}`,
  )
  return (
    <Part title={t('common.redirects')} actions={<EditRedirect path={path} />}>
      <LineField label={t('site.filter-old-path')} type="search" value={search} onChange={setSearch} />
      <Rows
        list={list}
        empty={looked === '' ? t('site.there-no-redirect-yet') : t('common.nothing-was-found')}
      >
        {(redirect) => <RedirectRow key={redirect.id} redirect={redirect} path={path} />}
      </Rows>
    </Part>
  )
}

function RedirectRow({ redirect, path }: { redirect: Redirect; path: SitePath }) {
  const { id, source, destination, permanent } = redirect
  const remove = useChange(`DELETE ${path}/redirects/${id}`)
  const name = useDestinationName(destination, path)
  return (
    <li>
      <span className="name">
        <span>
          <code>{source}</code>
          {!permanent && <span className="tag">{t('site.for-now')}</span>}
        </span>
        <span>→ {name}</span>
      </span>
      <span className="row-actions">
        <EditRedirect path={path} redirect={redirect} />
        <ConfirmButton
          label={t('common.delete')}
          name={source}
          question={t('site.delete-redirect-name', { name: source })}
          text={t('site.old-path-then-not')}
          change={remove}
          onConfirm={(close) => remove.mutate(undefined, { onSuccess: close })}
        />
      </span>
    </li>
  )
}

/** A button that creates or changes a redirect. */
function EditRedirect({ path, redirect }: { path: SitePath; redirect?: Redirect }) {
  const title = redirect ? t('site.edit-the-redirect') : t('common.new-redirect')
  return (
    <DialogButton
      label={redirect ? <Named name={redirect.source}>{t('common.edit')}</Named> : title}
      title={title}
      kind={redirect ? 'small quiet' : 'button main'}
    >
      {(close) => <RedirectForm path={path} redirect={redirect} close={close} />}
    </DialogButton>
  )
}

function RedirectForm({
  path,
  redirect,
  close,
}: {
  path: SitePath
  redirect: Redirect | undefined
  close: () => void
}) {
  const [source, setSource] = useState(redirect?.source ?? '/')
  const [destination, setDestination] = useState<Destination>(
    redirect?.destination ?? { kind: 'external', url: '' },
  )
  const [captures, setCaptures] = useState(redirect?.captureWildcard ?? false)
  const [isPermanent, setPermanent] = useState(redirect?.permanent ?? true)
  const save = useChange(redirect ? `PATCH ${path}/redirects/${redirect.id}` : `POST ${path}/redirects`)
  return (
    <EditForm
      change={save}
      action={t('common.save')}
      close={close}
      onSubmit={() =>
        save.mutate(
          { source, destination, captureWildcard: captures, permanent: isPermanent },
          { onSuccess: close },
        )
      }
    >
      <LineField
        label={t('site.old-path')}
        value={source}
        onChange={setSource}
        isRequired
        autoFocus
        hint={t('site.such-old-page-old')}
      />
      <DestinationField path={path} value={destination} onChange={setDestination} />
      {source.endsWith('*') && (
        <CheckField label={t('site.add-stands-new-address')} isChecked={captures} onChange={setCaptures} />
      )}
      <CheckField
        label={t('site.good-browsers-search-engines')}
        isChecked={isPermanent}
        onChange={setPermanent}
      />
    </EditForm>
  )
}

/** Says where a path leads. */
function FindRedirect({ path }: { path: SitePath }) {
  const [source, setSource] = useState('/')
  const [found, setFound] = useState<string>()
  const [state, setState] = useState({ error: null as Error | null, isPending: false, isSuccess: false })
  const find = async () => {
    setFound(undefined)
    try {
      const { target } = await api(`GET ${path}/redirect?source=${encodeURIComponent(source)}`)
      setState({ ...state, error: null })
      setFound(target)
    } catch (error) {
      setState({ ...state, error: error as Error })
    }
  }
  return (
    <Part title={t('site.where-does-path-lead')}>
      <EditForm change={state} action={t('common.find')} onSubmit={() => void find()}>
        <LineField label={t('common.path')} value={source} onChange={setSource} isRequired />
        {found !== undefined && (
          <p role="status">
            → <a href={found}>{found}</a>
          </p>
        )}
      </EditForm>
    </Part>
  )
}

type BulkAnswer = AnswerOf<`PUT ${SitePath}/redirects`>

/** The redirects that the API takes at once. */
const AT_ONCE = 500

/** Many redirects, from a table or a CSV file. */
function ManyRedirects({ path, home }: { path: SitePath; home: string | undefined }) {
  const [text, setText] = useState('')
  const save = useChange(`PUT ${path}/redirects`)
  const [results, setResults] = useState<BulkAnswer['results']>([])
  const { redirects, faults } = readRedirects(text, (line) => redirectAddress(line, home))
  const count = (status: string) => results.filter((one) => one.status === status).length
  const send = async () => {
    setResults([])
    const all: BulkAnswer['results'] = []
    for (let at = 0; at < redirects.length; at += AT_ONCE) {
      const { results: some } = await save.mutateAsync({ redirects: redirects.slice(at, at + AT_ONCE) })
      append(all, some)
    }
    setResults(all)
    if (all.every(({ status }) => status !== 'error')) setText('')
  }
  return (
    <Part title={t('site.many-redirects-at-once')}>
      <EditForm
        change={{ ...save, isSuccess: false }}
        action={t('site.save-count-redirects', { count: redirects.length })}
        onSubmit={() => void send().catch(() => undefined)}
      >
        <TextField className="field" value={text} onChange={setText}>
          <Label>{t('site.one-per-line-old')}</Label>
          <TextArea rows={6} spellCheck="false" aria-describedby="many-redirects" />
          <span id="many-redirects" className="hint">
            {t('site.paste-two-columns-spreadsheet')}
          </span>
        </TextField>
        <input
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          aria-label={t('site.a-csv-file')}
          onChange={(event) => void event.target.files?.[0]?.text().then(setText)}
        />
        {faults.length > 0 && (
          <p className="refusal" role="alert">
            {t('site.these-lines-cannot-read', { lines: faults.join(', ') })}
          </p>
        )}
      </EditForm>
      {results.length > 0 && (
        <>
          <p role="status">
            {t('site.created-created-changed-updated', {
              created: count('created'),
              updated: count('updated'),
              deleted: count('deleted'),
              error: count('error'),
            })}
          </p>
          <ul className="rows">
            {results
              .filter(({ status }) => status === 'error')
              .map(({ source, error }) => (
                <li key={source}>
                  <span className="name">
                    <code>{source}</code>
                    <span>{error}</span>
                  </span>
                </li>
              ))}
          </ul>
        </>
      )}
    </Part>
  )
}
