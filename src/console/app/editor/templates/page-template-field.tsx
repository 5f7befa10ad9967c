import { ChoiceField } from '../../ui/fields.tsx'
import { t } from '../../words/words.ts'
import { type ListedPageTemplate, usePageTemplates } from './page-templates.ts'

/** What a new page begins with. */
export function PageTemplateField({
  organizationId,
  value,
  onChange,
}: {
  organizationId: string
  /** Undefined for an empty page. */
  value: ListedPageTemplate | undefined
  onChange: (template: ListedPageTemplate | undefined) => void
}) {
  const { items } = usePageTemplates(organizationId)
  return (
    <ChoiceField
      label={t('place.begin-with')}
      value={value?.id ?? ''}
      onChange={(id) => onChange(items.find((one) => one.id === id))}
      options={[['', t('page-template.empty-page')], ...items.map(({ id, title }) => [id, title] as const)]}
    />
  )
}
