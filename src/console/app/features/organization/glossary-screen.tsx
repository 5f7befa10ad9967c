import { useState } from 'react'
import { codeOfTag } from '../../../../core/languages/language-tag.ts'
import { useChange, useList } from '../../api/api.ts'
import type { Schemas } from '../../api/operations/schemas.ts'
import type { OrganizationPath } from '../../api/paths.ts'
import { OrganizationFrame } from '../../places/organization-frame.tsx'
import { LineField } from '../../ui/fields.tsx'
import { ConfirmButton, EditForm } from '../../ui/forms.tsx'
import { DialogButton, Named, Rows } from '../../ui/parts.tsx'
import { LanguageField } from '../../ui/language-field.tsx'
import { languageName, languageOptions } from '../../words/languages.ts'
import { language, t } from '../../words/words.ts'

type GlossaryEntry = Schemas['GlossaryEntry']
type GlossaryPath = `${OrganizationPath}/translations-glossary`

/** A term of a form, with the tag of its language. */
interface Term {
  tag: string
  text: string
}

const termsOf = ({ translations }: GlossaryEntry): Term[] =>
  Object.entries(translations).map(([tag, text]) => ({ tag, text }))

/** The language of the interface, as terms name it. */
const HERE = codeOfTag(language) ?? 'en'

/** The term that stands for an entry: that in the language of the interface, or else the first. */
const entryTitle = ({ translations }: GlossaryEntry) =>
  translations[HERE] ?? translations.en ?? Object.values(translations)[0] ?? ''

/** The terms of an organization in its languages. */
export function GlossaryScreen({ params: { organizationId = '' } }: { params: Record<string, string> }) {
  const path = `/orgs/${organizationId}/translations-glossary` as const
  const list = useList(`${path}?limit=1000`)
  const [wanted, setWanted] = useState('')
  const found = list.items
    .filter((entry) => termsOf(entry).some(({ text }) => text.toLowerCase().includes(wanted.toLowerCase())))
    .toSorted((a, b) => entryTitle(a).localeCompare(entryTitle(b), language))
  return (
    <OrganizationFrame
      id={organizationId}
      title={t('common.glossary')}
      actions={({ permissions }) =>
        permissions.createContent && (
          <DialogButton
            label={t('organization.new-term')}
            title={t('organization.new-term')}
            kind="button main"
          >
            {(close) => <EntryForm path={path} close={close} />}
          </DialogButton>
        )
      }
    >
      {({ permissions }) => (
        <>
          <p className="hint">{t('organization.glossary-keeps-words')}</p>
          {list.items.length > 0 && (
            <LineField
              label={t('organization.find-term')}
              type="search"
              value={wanted}
              onChange={setWanted}
            />
          )}
          <Rows
            list={{ ...list, items: found }}
            empty={wanted === '' ? t('organization.no-term-yet') : t('organization.no-term-found')}
          >
            {(entry) => (
              <EntryRow key={entry.id} entry={entry} path={path} canChange={permissions.createContent} />
            )}
          </Rows>
        </>
      )}
    </OrganizationFrame>
  )
}

function EntryRow({
  entry,
  path,
  canChange,
}: {
  entry: GlossaryEntry
  path: GlossaryPath
  canChange: boolean
}) {
  const remove = useChange(`PUT ${path}`, [path])
  const title = entryTitle(entry)
  return (
    <li>
      <span className="name">
        <span>{title}</span>
        <span>
          {termsOf(entry)
            .map(({ tag, text }) => t('organization.term-in-language', { language: languageName(tag), text }))
            .join(' · ')}
        </span>
      </span>
      {canChange && (
        <span className="row-actions">
          <DialogButton
            label={<Named name={title}>{t('common.edit')}</Named>}
            title={title}
            kind="small quiet"
          >
            {(close) => <EntryForm path={path} entry={entry} close={close} />}
          </DialogButton>
          <ConfirmButton
            label={t('common.delete')}
            name={title}
            question={t('common.delete-title', { title })}
            text={t('organization.term-deleted')}
            change={remove}
            onConfirm={(close) =>
              remove.mutate({ operations: [{ type: 'delete', id: entry.id }] }, { onSuccess: close })
            }
          />
        </span>
      )}
    </li>
  )
}

function EntryForm({ path, entry, close }: { path: GlossaryPath; entry?: GlossaryEntry; close: () => void }) {
  const [terms, setTerms] = useState<readonly Term[]>(entry ? termsOf(entry) : [{ tag: HERE, text: '' }])
  const save = useChange(`PUT ${path}`, [path])
  const change = (at: number, changed: Partial<Term>) =>
    setTerms(terms.map((term, i) => (i === at ? { ...term, ...changed } : term)))
  const submit = () => {
    const translations = Object.fromEntries(
      terms.filter(({ text }) => text.trim() !== '').map(({ tag, text }) => [tag, text.trim()]),
    )
    const operation = entry
      ? { type: 'update' as const, id: entry.id, translations }
      : { type: 'insert' as const, translations }
    save.mutate({ operations: [operation] }, { onSuccess: close })
  }
  return (
    <EditForm
      change={save}
      action={entry ? t('common.save') : t('common.create')}
      close={close}
      onSubmit={submit}
    >
      {terms.map(({ tag, text }, at) => (
        <div key={tag} className="fields-row" role="group" aria-label={languageName(tag)}>
          <LanguageField
            label={t('common.language')}
            value={tag}
            onChange={(chosen) => change(at, { tag: chosen })}
            without={terms.map((term) => term.tag)}
          />
          <LineField
            label={t('organization.term')}
            value={text}
            onChange={(written) => change(at, { text: written })}
            isRequired={at === 0}
            autoFocus={at === terms.length - 1}
          />
        </div>
      ))}
      {terms.length > 1 && <p className="hint">{t('organization.empty-term-removed')}</p>}
      <button
        type="button"
        className="button small"
        onClick={() => setTerms([...terms, { tag: freeLanguage(terms), text: '' }])}
      >
        {t('organization.add-language')}
      </button>
    </EditForm>
  )
}

/** The first language in which an entry has no term yet. */
const freeLanguage = (terms: readonly Term[]): string =>
  languageOptions().find(({ tag }) => terms.every((term) => term.tag !== tag))?.tag ?? ''
