/** All fields of a page, a group or a link that its text does not show. */
import { type ReactNode, useState } from 'react'
import { jsonEqual } from '../../../../core/data/json.ts'
import { CheckField, ChoiceField, LineField } from '../../ui/fields.tsx'
import { OpenDialog } from '../../ui/open-dialog.tsx'
import { EditForm, type Sending } from '../../ui/forms.tsx'
import { type FormValues, useFormValues } from '../../ui/form-values.ts'
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
import { COVER_MASKS, COVER_SIZES, LAYOUT_PARTS, PAGE_WIDTHS } from '../../content/tree/page-layout.ts'
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

/** The fields of a page, and the values that are not saved yet. */
interface FieldsProps {
  page: FullPage
  form: FormValues<FieldValues>
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
  change: Sending
  onSave: (values: FieldValues) => void
  onClose: () => void
}) {
  const form = useFormValues<FieldValues>({})
  const [variables, setVariables] = useState(() => writtenVariables(page.variables ?? {}))
  const now = { ...page, ...form.values }
  const isDocument = page.type === 'document'
  const save = () => {
    const sent = changedValues(page, form.values)
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
          onChange={(target) => form.set({ target })}
        />
      )}
      <NameFields page={page} form={form} />
      <Section title={t('common.visibility')}>
        <VisibilityFields page={page} form={form} />
      </Section>
      {isDocument && page.layout && (
        <>
          <Section title={t('common.layout')}>
            <LayoutFields page={page} form={form} saved={page.layout} />
          </Section>
          <Section title={t('common.tags')}>
            <TagsField value={now.tags ?? []} onChange={(tags) => form.set({ tags })} />
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

/** The values that differ from those of the page. */
function changedValues(page: FullPage, values: FieldValues): FieldValues {
  const isChanged = ([name, value]: [string, unknown]) =>
    !jsonEqual(value ?? '', page[name as keyof FullPage] ?? '')
  return Object.fromEntries(Object.entries(values).filter(isChanged))
}

/** The title, the name in the address and the icon, where the text of the page does not show them. */
function NameFields({ page, form: { values, set } }: FieldsProps) {
  const now = { ...page, ...values }
  const text = (name: 'title' | 'linkTitle' | 'slug' | 'icon') => ({
    value: now[name] ?? '',
    onChange: (next: string) => set({ [name]: next }),
  })
  const isDocument = page.type === 'document'
  return (
    <>
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
    </>
  )
}

/** Where the page is shown, and to whom. */
function VisibilityFields({ page, form: { values, set } }: FieldsProps) {
  const now = { ...page, ...values }
  return (
    <>
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
    </>
  )
}

/** @param saved the layout that the page has */
function LayoutFields({
  page,
  form: { values, set },
  saved,
}: FieldsProps & { saved: NonNullable<FullPage['layout']> }) {
  const { layout } = { ...page, ...values }
  const look = (next: Partial<PageLook>) => set({ layout: { ...layout, ...next } })
  return (
    <>
      <ChoiceField
        label={t('common.width')}
        value={layout?.width ?? saved.width}
        onChange={(width) => look({ width })}
        options={PAGE_WIDTHS.map(([width, label]) => [width, t(label)] as const)}
      />
      <ChoiceField
        label={t('common.size-cover')}
        value={layout?.coverSize ?? saved.coverSize}
        onChange={(coverSize) => look({ coverSize })}
        options={COVER_SIZES.map(([size, label]) => [size, t(label)] as const)}
      />
      <ChoiceField
        label={t('common.edges-cover')}
        value={layout?.coverMask ?? saved.coverMask}
        onChange={(coverMask) => look({ coverMask })}
        options={COVER_MASKS.map(([mask, label]) => [mask, t(label)] as const)}
      />
      {LAYOUT_PARTS.map(([name, label]) => (
        <CheckField
          key={name}
          label={t('editing.show-part', { part: t(label) })}
          isChecked={layout?.[name] !== false}
          onChange={(isShown) => look({ [name]: isShown })}
        />
      ))}
    </>
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
  const names = value.map(({ tag }) => tag.tag)
  const [text, setText] = useState(names.join(', '))
  const primary = value.find((one) => one.primary)?.tag.tag ?? ''
  const tagsOf = (written: string, first: string) =>
    [...new Set(written.split(',').map((one) => one.trim()))]
      .filter((tag) => tag !== '')
      .map((tag): Tag => ({ tag: { kind: 'tag', tag }, ...(tag === first && { primary: true }) }))
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
          options={[['', t('common.none')], ...names.map((tag): [string, string] => [tag, tag])]}
        />
      )}
    </>
  )
}
