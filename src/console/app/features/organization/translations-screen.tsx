import { useState } from 'react'
import { Link } from 'wouter'
import { CheckField, LineField } from '../../ui/fields.tsx'
import { OrganizationFrame } from '../../places/organization-frame.tsx'
import { type Language, languageCodes } from '../../words/languages.ts'
import { useChange, useList } from '../../api/api.ts'
import { ConfirmButton, EditForm } from '../../ui/forms.tsx'
import { DialogButton, Named, Rows } from '../../ui/parts.tsx'
import { language, t } from '../../words/words.ts'
import type { Schemas } from '../../api/operations/schemas.ts'
import type { OrganizationPath } from '../../api/paths.ts'

type TranslationSettings = Schemas['TranslationSettings']
type TranslationsPath = `${OrganizationPath}/translations`

/** The name of a language in that of the interface. */
const languageName = (code: string) =>
  new Intl.DisplayNames([language], { type: 'language', fallback: 'code' }).of(code) ?? code

/** Into which languages an organization translates its spaces. */
export function TranslationsScreen({ params: { organizationId = '' } }: { params: Record<string, string> }) {
  const path = `/orgs/${organizationId}/translations` as const
  const list = useList(path)
  return (
    <OrganizationFrame
      id={organizationId}
      title={t('Translations')}
      actions={({ permissions }) =>
        permissions.admin && (
          <DialogButton label={t('New translation')} title={t('New translation')} kind="button main">
            {(close) => <TranslationForm request={`POST ${path}`} path={path} close={close} />}
          </DialogButton>
        )
      }
    >
      {() => (
        <>
          <p className="hint">
            {t(
              'A translation names the languages into which content is translated. People write the translations: Lectern does not translate, and readers see nothing of this list.',
            )}
          </p>
          <p className="hint">
            {t(
              'For each language, duplicate the space, choose the language in the settings of the copy, and translate its pages. Then add the copy to the section of the site in which the original is: readers choose between the languages there.',
            )}{' '}
            <Link href={`/o/${organizationId}`}>{t('Go to the spaces')}</Link>{' '}
            <Link href={`/o/${organizationId}/sites`}>{t('Go to the sites')}</Link>
          </p>
          <Rows list={list} empty={t('There is no translation yet.')}>
            {(one) => <TranslationRow key={one.id} one={one} path={path} />}
          </Rows>
        </>
      )}
    </OrganizationFrame>
  )
}

function TranslationRow({ one, path }: { one: TranslationSettings; path: TranslationsPath }) {
  const { id, title, languages, permissions } = one
  const remove = useChange(`DELETE ${path}/${id}`, [path])
  return (
    <li>
      <span className="name">
        <span>{title}</span>
        <span>{languages.map(languageName).join(', ') || t('No language yet')}</span>
      </span>
      {permissions.edit && (
        <span className="row-actions">
          <DialogButton label={<Named name={title}>{t('Edit')}</Named>} title={title} kind="small quiet">
            {(close) => (
              <TranslationForm request={`PUT ${path}/${id}`} path={path} known={one} close={close} />
            )}
          </DialogButton>
          <ConfirmButton
            label={t('Delete')}
            name={title}
            question={t('Delete “{title}”?', { title })}
            text={t('Spaces and sites stay as they are.')}
            change={remove}
            onConfirm={(close) => remove.mutate(undefined, { onSuccess: close })}
          />
        </span>
      )}
    </li>
  )
}

function TranslationForm({
  request,
  path,
  known,
  close,
}: {
  request: `POST ${TranslationsPath}` | `PUT ${TranslationsPath}/${string}`
  path: TranslationsPath
  known?: TranslationSettings
  close: () => void
}) {
  const [title, setTitle] = useState(known?.title ?? '')
  const [languages, setLanguages] = useState<Language[]>(known?.languages ?? [])
  const [filter, setFilter] = useState('')
  const save = useChange(request, [path])
  const shown = languageCodes.filter(
    (code) =>
      languages.includes(code) ||
      `${code} ${languageName(code)}`.toLowerCase().includes(filter.toLowerCase()),
  )
  return (
    <EditForm
      change={save}
      action={t('Save')}
      onSubmit={() => save.mutate({ title, languages }, { onSuccess: close })}
      close={close}
    >
      <LineField label={t('Title')} value={title} onChange={setTitle} isRequired autoFocus />
      <LineField label={t('Search languages')} type="search" value={filter} onChange={setFilter} />
      <fieldset className="options-section language-choices">
        <legend>{t('Languages')}</legend>
        {shown.map((code) => (
          <CheckField
            key={code}
            label={languageName(code)}
            isChecked={languages.includes(code)}
            onChange={(isOn) =>
              setLanguages(isOn ? [...languages, code] : languages.filter((one) => one !== code))
            }
          />
        ))}
      </fieldset>
    </EditForm>
  )
}
