/** The fields that the settings of several parts of a site have. */
import { CheckField, ChoiceField } from '../../ui/fields.tsx'
import { t } from '../../words/words.ts'

/** A group that can be chosen. */
export interface GroupChoice {
  id: string
  title: string
}

/** A text as the API takes it: null for none, and nothing if it is as it was. */
export const changed = <K extends string>(key: K, value: string, before = '') =>
  (value === before ? {} : { [key]: value === '' ? null : value }) as { [P in K]?: string | null }

/** Whether a part of a site is a draft. */
export function DraftField({ value, onChange }: { value: boolean; onChange: (draft: boolean) => void }) {
  return <CheckField label={t('site.draft-hidden-from-readers')} isChecked={value} onChange={onChange} />
}

/** How an icon is named. */
export const hintOfIcon = () => t('site.name-icon-font-awesome')

/** The group that contains a part. */
export function GroupField({
  groups,
  value,
  onChange,
}: {
  groups: readonly GroupChoice[]
  value: string
  onChange: (group: string) => void
}) {
  if (groups.length === 0) return null
  return (
    <ChoiceField
      label={t('site.group')}
      value={value}
      onChange={onChange}
      options={[['', t('common.none')], ...groups.map((one) => [one.id, one.title] as const)]}
    />
  )
}
