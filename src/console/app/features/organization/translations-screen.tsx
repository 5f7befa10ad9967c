import { useState } from 'react'
import { Link } from 'wouter'
import { CheckField, LineField } from '../../ui/fields.tsx'
import { OrganizationFrame } from '../../places/organization-frame.tsx'
import {
  isLanguageCode,
  type Language,
  languageName,
  languageOptions,
  meansLanguage,
} from '../../words/languages.ts'
import { useChange, useList } from '../../api/api.ts'
import { ConfirmButton, EditForm } from '../../ui/forms.tsx'
import { DialogButton, Named, Rows } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import type { Schemas } from '../../api/operations/schemas.ts'
import type { OrganizationPath } from '../../api/paths.ts'

type TranslationSettings = Schemas['TranslationSettings']
type TranslationsPath = `${OrganizationPath}/translations`

/** Into which languages an organization translates its spaces. */
export function TranslationsScreen({ params: { organizationId = '' } }: { params: Record<string, string> }) {
  const path = `/orgs/${organizationId}/translations` as const
  const list = useList(path)
  return (
    <OrganizationFrame
      id={organizationId}
      title={t('common.translations')}
      actions={({ permissions }) =>
        permissions.admin && (
          <DialogButton
            label={t('organization.new-translation')}
            title={t('organization.new-translation')}
            kind="button main"
          >
            {(close) => <TranslationForm request={`POST ${path}`} path={path} close={close} />}
          </DialogButton>
        )
      }
    >
      {() => (
        <>
          <p className="hint">{t('organization.translation-names-languages-into')}</p>
          <p className="hint">
            {t('organization.each-language-duplicate-space')}{' '}
            <Link href={`/o/${organizationId}`}>{t('organization.go-spaces')}</Link>{' '}
            <Link href={`/o/${organizationId}/sites`}>{t('organization.go-sites')}</Link>
          </p>
          <Rows list={list} empty={t('organization.there-no-translation-yet')}>
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
        <span>{languages.map(languageName).join(', ') || t('organization.no-language-yet')}</span>
      </span>
      {permissions.edit && (
        <span className="row-actions">
          <DialogButton
            label={<Named name={title}>{t('common.edit')}</Named>}
            title={title}
            kind="small quiet"
          >
            {(close) => (
              <TranslationForm request={`PUT ${path}/${id}`} path={path} known={one} close={close} />
            )}
          </DialogButton>
          <ConfirmButton
            label={t('common.delete')}
            name={title}
            question={t('common.delete-title', { title })}
            text={t('organization.spaces-sites-stay-they')}
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
  const shown = languageOptions().flatMap((one) => {
    const { tag } = one
    return isLanguageCode(tag) && (languages.includes(tag) || meansLanguage(one, filter))
      ? [{ ...one, tag }]
      : []
  })
  return (
    <EditForm
      change={save}
      action={t('common.save')}
      onSubmit={() => save.mutate({ title, languages }, { onSuccess: close })}
      close={close}
    >
      <LineField label={t('common.title')} value={title} onChange={setTitle} isRequired autoFocus />
      <LineField
        label={t('organization.search-languages')}
        type="search"
        value={filter}
        onChange={setFilter}
      />
      <fieldset className="options-section language-choices">
        <legend>{t('common.languages')}</legend>
        {shown.map(({ tag, name, translated }) => (
          <CheckField
            key={tag}
            label={name === translated ? name : t('common.name-translated', { name, translated })}
            isChecked={languages.includes(tag)}
            onChange={(isOn) =>
              setLanguages(isOn ? [...languages, tag] : languages.filter((one) => one !== tag))
            }
          />
        ))}
      </fieldset>
    </EditForm>
  )
}
