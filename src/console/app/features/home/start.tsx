/** The ways to begin in an organization: documentation that exists, a template, or an empty page. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import { api, type ApiFault, go, useChange } from '../../api/api.ts'
import type { ChangeRequestPath } from '../../api/paths.ts'
import type { Organization } from '../../api/types.ts'
import { addedPage } from '../../content/tree/changes.ts'
import { beginAtTitle } from '../../editor/saving/opening.ts'
import { ImportForm } from '../../import-export/import-dialog.tsx'
import type { ImportKind } from '../../import-export/import-run.ts'
import { useTemplates } from '../../places/template-field.tsx'
import { noteDirectEdit } from '../../proposals/direct-edit.ts'
import { noteEmptyPage } from '../../proposals/untouched.ts'
import { emojiText } from '../../ui/emoji-code.ts'
import { LineField } from '../../ui/fields.tsx'
import { EditForm } from '../../ui/forms.tsx'
import { OpenDialog } from '../../ui/open-dialog.tsx'
import { Refusal } from '../../ui/parts.tsx'
import { PlaceSign } from '../../ui/signs.tsx'
import { templateNames } from '../../words/template-names.ts'
import { t } from '../../words/words.ts'
// oxlint-disable-next-line import/no-unassigned-import
import './start.css'

/** The characters that the title of a space can have. */
const TITLE_MAX = 50

/** The tools whose exports or projects can be imported, by their names. */
const TOOLS: readonly (readonly [source: ImportKind, name: string])[] = [
  ['gitbook', 'GitBook'],
  ['notion', 'Notion'],
  ['confluence', 'Confluence'],
  ['google-docs', 'Google Docs'],
  ['docx', 'Word'],
  ['odt', 'LibreOffice'],
  ['docusaurus', 'Docusaurus'],
  ['mkdocs', 'MkDocs'],
  ['mintlify', 'Mintlify'],
  ['vitepress', 'VitePress'],
  ['starlight', 'Starlight'],
  ['nextra', 'Nextra'],
  ['sphinx', 'Sphinx'],
  ['myst', 'MyST'],
  ['hugo', 'Hugo'],
  ['jekyll', 'Jekyll'],
  ['mdbook', 'mdBook'],
  ['docfx', 'DocFX'],
  ['outline', 'Outline'],
  ['docmost', 'Docmost'],
  ['bookstack', 'BookStack'],
  ['wiki-js', 'Wiki.js'],
  ['github-wiki', 'GitHub Wiki'],
]

/** The ways to begin. Each ends on a page that can be read, with Publish beside it. */
export function Start({ organization }: { organization: Organization }) {
  const { id } = organization
  return (
    <div className="start">
      <h2>{t('start.what-first')}</h2>
      <Bring organizationId={id} />
      <Templates organizationId={id} />
      <WriteEmptyPage organization={organization} />
    </div>
  )
}

function Bring({ organizationId }: { organizationId: string }) {
  const [source, setSource] = useState<ImportKind>()
  const ways = [
    ['zip', 'inbox', t('start.upload'), t('start.upload-about')],
    ['website', 'globe', t('start.website'), t('start.website-about')],
    ['repository', 'merge', t('start.repository'), t('start.repository-about')],
  ] as const
  return (
    <section aria-labelledby="start-bring">
      <h3 id="start-bring">{t('start.bring')}</h3>
      <ul className="start-cards">
        {ways.map(([kind, sign, title, about]) => (
          <li key={kind}>
            <Button className="start-card" onPress={() => setSource(kind)}>
              <PlaceSign name={sign} />
              <b>{title}</b>
              <span>{about}</span>
            </Button>
          </li>
        ))}
      </ul>
      <div role="group" aria-label={t('start.from-a-tool')} className="start-tools">
        <span aria-hidden="true">{t('start.from-a-tool')}</span>
        {TOOLS.map(([kind, name]) => (
          <Button key={kind} className="small" onPress={() => setSource(kind)}>
            {name}
          </Button>
        ))}
      </div>
      {source && (
        <OpenDialog title={t('import.import-documentation')} onClose={() => setSource(undefined)}>
          <ImportForm
            organizationId={organizationId}
            into={undefined}
            source={source}
            close={() => setSource(undefined)}
          />
        </OpenDialog>
      )}
    </section>
  )
}

function Templates({ organizationId }: { organizationId: string }) {
  const templates = useTemplates(organizationId)
  const create = useChange(`POST /orgs/${organizationId}/spaces`)
  return (
    <section aria-labelledby="start-templates">
      <h3 id="start-templates">{t('start.from-a-template')}</h3>
      <ul className="start-cards">
        {templates.map(({ id, emoji }) => {
          const { title, about } = templateNames()[id]
          return (
            <li key={id}>
              <Button
                className="start-card"
                isDisabled={create.isPending}
                onPress={() =>
                  create.mutate({ template: id }, { onSuccess: (space) => go(`/s/${space.id}`) })
                }
              >
                <span className="start-emoji" aria-hidden="true">
                  {emojiText(emoji)}
                </span>
                <b>{title}</b>
                <span>{about}</span>
              </Button>
            </li>
          )
        })}
      </ul>
      <Refusal error={create.error} />
    </section>
  )
}

/** Creates a space that can be changed directly, so that Done shows the first page to everybody in the organization. */
function WriteEmptyPage({ organization: { id, title } }: { organization: Organization }) {
  const client = useQueryClient()
  const write = useMutation<string, ApiFault>({
    async mutationFn() {
      const space = await api(`POST /orgs/${id}/spaces`, {
        title: title.slice(0, TITLE_MAX),
        editMode: 'live',
      })
      const { number } = await api(`POST /spaces/${space.id}/change-requests`, {})
      const base: ChangeRequestPath = `/spaces/${space.id}/change-requests/${number}`
      const added = await api(`POST ${base}/content?compat=false`, {
        changes: [{ operation: 'insert_page', title: t('common.welcome'), document: {} }],
      })
      noteDirectEdit(base)
      noteEmptyPage(base, added)
      beginAtTitle(addedPage(added))
      await client.invalidateQueries()
      return `/s/${space.id}/~/changes/${number}/edit/`
    },
    onSuccess: go,
  })
  return (
    <section aria-labelledby="start-empty">
      <h3 id="start-empty">{t('start.begin-empty')}</h3>
      <div className="actions">
        <Button className="button" isDisabled={write.isPending} onPress={() => write.mutate()}>
          {t('start.write-empty-page')}
        </Button>
      </div>
      <Refusal error={write.error} />
    </section>
  )
}

/** The name of the organization, for people who may change it. */
export function NameOrganization({ organization: { id, title } }: { organization: Organization }) {
  const [name, setName] = useState(title)
  const rename = useChange(`PATCH /orgs/${id}`)
  return (
    <EditForm change={rename} action={t('common.save')} onSubmit={() => rename.mutate({ title: name })}>
      <LineField label={t('start.name-of-organization')} value={name} onChange={setName} isRequired />
    </EditForm>
  )
}
