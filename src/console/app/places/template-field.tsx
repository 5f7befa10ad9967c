import { useApi } from '../api/api.ts'
import type { Schemas } from '../api/operations/schemas.ts'
import { ChoiceField } from '../ui/fields.tsx'
import { templateNames } from '../words/template-names.ts'
import { t } from '../words/words.ts'

type SpaceTemplate = Schemas['SpaceTemplate']

/** A template that the person who creates a space has chosen; empty for a space without pages. */
export type TemplateChoice = SpaceTemplate['id'] | ''

/** The templates of spaces, the most general first; empty until they are read. */
export function useTemplates(organizationId: string): readonly SpaceTemplate[] {
  const { data } = useApi(`/orgs/${organizationId}/space-templates?limit=100`)
  return data?.items.toSorted((a, b) => b.pages - a.pages) ?? []
}

/** What a new space begins with. */
export function TemplateField({
  organizationId,
  value,
  onChange,
}: {
  organizationId: string
  value: TemplateChoice
  onChange: (value: TemplateChoice) => void
}) {
  const templates = useTemplates(organizationId)
  return (
    <ChoiceField<TemplateChoice>
      label={t('place.begin-with')}
      value={value}
      onChange={onChange}
      options={[
        ['', t('place.no-pages')],
        ...templates.map(({ id }) => [id, templateNames()[id].title] as const),
      ]}
    />
  )
}
