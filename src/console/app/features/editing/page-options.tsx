/** All fields of a page, a group or a link that its text does not show. */
import { type ReactNode, useState } from 'react'
import { jsonEqual } from '../../../../core/data/json.ts'
import { CheckField, ChoiceField, LineField } from '../../ui/fields.tsx'
import { OpenDialog } from '../../ui/open-dialog.tsx'
import { EditForm } from '../../ui/forms.tsx'
import { useFormValues } from '../../ui/form-values.ts'
import { Loaded } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import { ConditionField } from '../../ui/condition-field.tsx'
import { LinkTargetField } from '../../pages/link-target-field.tsx'
import {
  type FieldValues,
  type FullPage,
  type PageLook,
  useFieldChanges,
  usePageFields,
} from '../../content/tree/page-fields.ts'
import { COVER_SIZES, LAYOUT_PARTS, PAGE_WIDTHS } from '../../content/tree/page-layout.ts'
import { readVariables, VariablesField, writtenVariables } from '../../pages/variables-field.tsx'
import type { WritablePath } from '../../api/paths.ts'

/** A dialog with the fields of a page. @param onSaved called when the fields were changed */
export function PageOptions({
  content,
  id,
  onSaved,
  onClose,
}: {
  content: WritablePath
  id: string
  onSaved?: () => void
  onClose: () => void
}) {
  const query = usePageFields(content, id)
  const fields = useFieldChanges(content)
  return (
    <OpenDialog
      title={query.data ? t('editing.options-of-title', { title: query.data.title }) : t('common.options')}
      onClose={onClose}
    >
      <Loaded query={query} title={t('common.page-cannot-shown')}>
        {(page) => (
          <OptionsForm
            content={content}
            page={page}
            change={fields}
            onSave={(values) => {
              if (Object.keys(values).length === 0) return onClose()
              return fields.set(page, values, () => {
                onSaved?.()
                onClose()
              })
            }}
            onClose={onClose}
          />
        )}
      </Loaded>
    </OpenDialog>
  )
}

function OptionsForm({
  content,
  page,
  change,
  onSave,
  onClose,
}: {
  content: WritablePath
  page: FullPage
  change: { error: Error | null; isPending: boolean; isSuccess: boolean }
  onSave: (values: FieldValues) => void
  onClose: () => void
}) {
  const { values, set } = useFormValues<FieldValues>({})
  const [variables, setVariables] = useState(() => writtenVariables(page.variables ?? {}))
  const now = { ...page, ...values }
  const text = (name: 'title' | 'linkTitle' | 'slug' | 'icon') => ({
    value: now[name] ?? '',
    onChange: (next: string) => set({ [name]: next }),
  })
  const look = (next: Partial<PageLook>) => set({ layout: { ...now.layout, ...next } })
  const isDocument = page.type === 'document'
  const save = () => {
    const isChanged = ([name, value]: [string, unknown]) =>
      !jsonEqual(value ?? '', page[name as keyof FullPage] ?? '')
    const sent = Object.fromEntries(Object.entries(values).filter(isChanged)) as FieldValues
    const read = readVariables(variables)
    if (isDocument && !jsonEqual(read, page.variables ?? {})) sent.variables = read
    onSave(sent)
  }
  return (
    <EditForm
      change={{ ...change, error: change.error && withLabels(change.error) }}
      action={t('common.save')}
      onSubmit={save}
      close={onClose}
    >
      {page.type === 'link' && (
        <LinkTargetField
          content={content}
          value={now.target ?? undefined}
          onChange={(target) => set({ target })}
        />
      )}
      {!isDocument && page.type !== 'computed' && page.type !== 'link' && (
        <LineField label={t('common.title')} {...text('title')} isRequired />
      )}
      <LineField
        label={t('common.title-navigation')}
        {...text('linkTitle')}
        hint={t('editing.empty-title-page')}
      />
      {page.slug !== undefined && (
        <LineField
          label={t('common.name-address')}
          {...text('slug')}
          hint={t('editing.old-addresses-keep-working')}
        />
      )}
      {!isDocument && <LineField label={t('editing.name-icon')} {...text('icon')} />}
      <Section title={t('common.visibility')}>
        <CheckField
          label={t('common.hide-navigation')}
          isChecked={now.hidden === true}
          onChange={(hidden) => set({ hidden })}
        />
        {page.type !== 'link' && (
          <>
            <CheckField
              label={t('common.leave-out-search-site')}
              isChecked={now.noIndex === true}
              onChange={(noIndex) => set({ noIndex })}
            />
            <CheckField
              label={t('common.ask-search-engines-leave')}
              isChecked={now.noRobotsIndex === true}
              onChange={(noRobotsIndex) => set({ noRobotsIndex })}
            />
          </>
        )}
        <ConditionField
          label={t('common.sees-page')}
          value={now.condition ?? ''}
          onChange={(condition) => set({ condition })}
        />
      </Section>
      {isDocument && page.layout && (
        <>
          <Section title={t('common.layout')}>
            <ChoiceField
              label={t('common.width')}
              value={now.layout?.width ?? page.layout.width}
              onChange={(width) => look({ width })}
              options={PAGE_WIDTHS.map(([width, label]) => [width, t(label)] as const)}
            />
            <ChoiceField
              label={t('common.size-cover')}
              value={now.layout?.coverSize ?? page.layout.coverSize}
              onChange={(coverSize) => look({ coverSize })}
              options={COVER_SIZES.map(([size, label]) => [size, t(label)] as const)}
            />
            {LAYOUT_PARTS.map(([name, label]) => (
              <CheckField
                key={name}
                label={t('editing.show-part', { part: t(label) })}
                isChecked={now.layout?.[name] !== false}
                onChange={(isShown) => look({ [name]: isShown })}
              />
            ))}
          </Section>
          <Section title={t('common.tags')}>
            <TagsField value={now.tags ?? []} onChange={(tags) => set({ tags })} />
          </Section>
          <Section title={t('common.variables')}>
            <p className="hint">{t('editing.texts-conditions-page-use')}</p>
            <VariablesField rows={variables} onChange={setVariables} />
          </Section>
        </>
      )}
    </EditForm>
  )
}

/** A refusal with the labels of the fields here, in place of their names in the API. */
const withLabels = ({ message }: Error): Error =>
  new Error(message.replaceAll(/\bbody\.[\w.]*\bslug\b/g, `“${t('common.name-address')}”`))

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="options-section">
      <legend>{title}</legend>
      {children}
    </fieldset>
  )
}

type Tag = NonNullable<FullPage['tags']>[number]

/** Tags, separated by commas, and which of them stands first for the page. */
function TagsField({ value, onChange }: { value: readonly Tag[]; onChange: (tags: Tag[]) => void }) {
  const [text, setText] = useState(value.map(({ tag }) => tag).join(', '))
  const primary = value.find((one) => one.primary)?.tag ?? ''
  const tagsOf = (written: string, first: string) =>
    [...new Set(written.split(',').map((one) => one.trim()))]
      .filter((tag) => tag !== '')
      .map((tag): Tag => (tag === first ? { tag, primary: true } : { tag }))
  return (
    <>
      <LineField
        label={t('common.tags')}
        value={text}
        onChange={(next) => {
          setText(next)
          onChange(tagsOf(next, primary))
        }}
        hint={t('editing.separate-them-commas')}
      />
      {value.length > 0 && (
        <ChoiceField
          label={t('common.main-tag')}
          value={primary}
          onChange={(first) => onChange(tagsOf(text, first))}
          options={[['', t('common.none')], ...value.map(({ tag }): [string, string] => [tag, tag])]}
        />
      )}
    </>
  )
}
