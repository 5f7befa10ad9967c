/** A link to another website beside the sections of a site. */
import { useState } from 'react'
import { useChange } from '../../api/api.ts'
import type { SitePath } from '../../api/paths.ts'
import { ConditionField } from '../../ui/condition-field.tsx'
import { LineField } from '../../ui/fields.tsx'
import { CreateButton, EditForm } from '../../ui/forms.tsx'
import { t } from '../../words/words.ts'
import type { Schemas } from '../../api/operations/schemas.ts'
import { changed, DraftField, type GroupChoice, GroupField, hintOfIcon } from './item-fields.tsx'

/** The settings of a link. @param groups those that it can be moved into */
export function LinkForm({
  item,
  groups,
  path,
  close,
}: {
  item: Schemas['SiteExternalLink']
  groups: readonly GroupChoice[]
  path: SitePath
  close: () => void
}) {
  const before = item.sectionGroup ?? ''
  const [title, setTitle] = useState(item.title)
  const [url, setUrl] = useState<string>(item.url)
  const [description, setDescription] = useState(item.description ?? '')
  const [icon, setIcon] = useState(item.icon ?? '')
  const [condition, setCondition] = useState(item.condition ?? '')
  const [group, setGroup] = useState(before)
  const [draft, setDraft] = useState(item.draft)
  const change = useChange(`PATCH ${path}/external-links/${item.id}`)
  return (
    <EditForm
      change={change}
      action={t('common.save')}
      close={close}
      onSubmit={() =>
        change.mutate(
          {
            ...(title === item.title ? {} : { title }),
            ...(url === item.url ? {} : { url }),
            ...changed('description', description, item.description),
            ...changed('icon', icon, item.icon),
            ...changed('condition', condition, item.condition),
            ...changed('parent', group, before),
            ...(draft === item.draft ? {} : { draft }),
          },
          { onSuccess: close },
        )
      }
    >
      <LineField label={t('common.title')} value={title} onChange={setTitle} isRequired autoFocus />
      <LineField label={t('common.address')} value={url} onChange={setUrl} isRequired />
      <LineField label={t('common.description')} value={description} onChange={setDescription} />
      <LineField label={t('block.icon')} value={icon} onChange={setIcon} hint={hintOfIcon()} />
      <GroupField groups={groups} value={group} onChange={setGroup} />
      <ConditionField label={t('site.who-sees-it')} value={condition} onChange={setCondition} />
      <DraftField value={draft} onChange={setDraft} />
    </EditForm>
  )
}

/** A button that adds a link. @param groups those that can contain it */
export function NewLink({ groups, path }: { groups: readonly GroupChoice[]; path: SitePath }) {
  const [title, setTitle] = useState('')
  const [url, setUrl] = useState('')
  const [parent, setParent] = useState('')
  const create = useChange(`POST ${path}/external-links`)
  return (
    <CreateButton
      label={t('site.new-link')}
      create={create}
      body={{ title, url, ...(parent === '' ? {} : { parent }) }}
      onCreated={() => {
        setTitle('')
        setUrl('')
      }}
    >
      <LineField label={t('common.title')} value={title} onChange={setTitle} isRequired autoFocus />
      <LineField
        label={t('common.address')}
        value={url}
        onChange={setUrl}
        isRequired
        hint={t('site.link-beside-sections')}
      />
      <GroupField groups={groups} value={parent} onChange={setParent} />
    </CreateButton>
  )
}
