/** A space, a section or a group in the structure of a site, and changing it. */
import { useState } from 'react'
import { Link } from 'wouter'
import { api, useChange, useList } from '../../api/api.ts'
import { CreateButton, EditForm } from '../../ui/forms.tsx'
import { DialogButton, Named } from '../../ui/parts.tsx'
import { ConditionField } from '../../ui/condition-field.tsx'
import { t } from '../../words/words.ts'
import { ChoiceField, LineField } from '../../ui/fields.tsx'
import type { Schemas } from '../../api/operations/schemas.ts'
import type { SitePath } from '../../api/paths.ts'
import { changed, DraftField, GroupField, hintOfIcon } from './item-fields.tsx'
import { LinkForm } from './site-link.tsx'

/** A space in a site. */
export type ShownSpace = Schemas['SiteSpace']

/** A section of a site: a tab with one space, or with several as variants. */
export type ShownSection = Schemas['SiteSection']

/** A menu of sections. */
export type ShownGroup = Schemas['SiteSectionGroup']

/** A link to another website, beside the sections. */
export type ShownLink = Schemas['SiteExternalLink']

export type ShownItem = ShownSpace | ShownSection | ShownGroup | ShownLink

/** The content of a site: spaces, or sections with spaces. */
export type Structure = Schemas['SiteStructure']

/** The spaces in these items. */
export const spacesIn = (items: readonly ShownItem[]): ShownSpace[] =>
  items.flatMap((item) => {
    if (item.object === 'site-space') return [item]
    if (item.object === 'site-section') return item.siteSpaces
    return item.object === 'site-section-group' ? spacesIn(item.children) : []
  })

/** The groups among these items, the outer ones first. */
export const groupsIn = (items: readonly ShownItem[]): ShownGroup[] =>
  items.flatMap((item) => (item.object === 'site-section-group' ? [item, ...groupsIn(item.children)] : []))

/** The name of an item for people. */
export const nameOfItem = (item: ShownItem): string =>
  ('space' in item ? item.title || item.space.title : item.title) || t('common.untitled')

/** A button that opens the settings of an item. @param groups those that a section or a link can be moved into */
export function EditItem({
  item,
  groups,
  path,
}: {
  item: ShownItem
  groups: readonly ShownGroup[]
  path: SitePath
}) {
  const name = nameOfItem(item)
  return (
    <DialogButton label={<Named name={name}>{t('common.settings')}</Named>} title={name} kind="small quiet">
      {(close) =>
        item.object === 'site-space' ? (
          <SpaceForm item={item} path={path} close={close} />
        ) : item.object === 'site-section' ? (
          <SectionForm item={item} groups={groups} path={path} close={close} />
        ) : item.object === 'site-section-group' ? (
          <GroupForm item={item} path={path} close={close} />
        ) : (
          <LinkForm item={item} groups={groups} path={path} close={close} />
        )
      }
    </DialogButton>
  )
}

const hintOfPath = () => t('site.part-address-old-address')

function SpaceForm({ item, path, close }: { item: ShownSpace; path: SitePath; close: () => void }) {
  const [segment, setSegment] = useState(item.path)
  const [condition, setCondition] = useState(item.condition ?? '')
  const [space, setSpace] = useState(item.space.id)
  const [draft, setDraft] = useState(item.draft)
  const spaces = useList(`/orgs/${item.space.organization}/spaces?limit=200`)
  const change = useChange(`PATCH ${path}/site-spaces/${item.id}`)
  return (
    <EditForm
      change={change}
      action={t('common.save')}
      close={close}
      onSubmit={() =>
        change.mutate(
          {
            ...(segment === item.path ? {} : { path: segment }),
            ...changed('condition', condition, item.condition),
            ...(space === item.space.id ? {} : { spaceId: space }),
            ...(draft === item.draft ? {} : { draft }),
          },
          { onSuccess: close },
        )
      }
    >
      <LineField
        label={t('common.path')}
        value={segment}
        onChange={setSegment}
        isRequired
        autoFocus
        hint={hintOfPath()}
      />
      <ConditionField label={t('site.who-sees-it')} value={condition} onChange={setCondition} />
      <ChoiceField
        label={t('site.space-shown-here')}
        value={space}
        onChange={setSpace}
        options={[
          [item.space.id, item.space.title || t('common.untitled')] as const,
          ...spaces.items
            .filter(({ id, permissions }) => permissions.admin && id !== item.space.id)
            .map((one) => [one.id, one.title || t('common.untitled')] as const),
        ]}
      />
      <DraftField value={draft} onChange={setDraft} />
      <p>
        <Link href={`${path.replace(/^\/orgs/, '/o')}/spaces/${item.id}`} onClick={close}>
          {t('site.use-different-settings-space')}
        </Link>
      </p>
    </EditForm>
  )
}

function SectionForm({
  item,
  groups,
  path,
  close,
}: {
  item: ShownSection
  groups: readonly ShownGroup[]
  path: SitePath
  close: () => void
}) {
  const before = item.sectionGroup ?? ''
  const [title, setTitle] = useState(item.title)
  const [segment, setSegment] = useState(item.path)
  const [description, setDescription] = useState(item.description ?? '')
  const [icon, setIcon] = useState(item.icon ?? '')
  const [condition, setCondition] = useState(item.condition ?? '')
  const [group, setGroup] = useState(before)
  const [draft, setDraft] = useState(item.draft)
  const change = useChange(`PATCH ${path}/sections/${item.id}`)
  const [refused, setRefused] = useState<Error | null>(null)
  const submit = async () => {
    setRefused(null)
    try {
      if (group !== before && group !== '')
        await api(`POST ${path}/section-groups/${group}/sections`, { sectionId: item.id })
      else if (group !== before) await api(`DELETE ${path}/section-groups/${before}/sections/${item.id}`)
      await change.mutateAsync({
        ...(title === item.title ? {} : { title }),
        ...(segment === item.path ? {} : { path: segment }),
        ...changed('description', description, item.description),
        ...changed('icon', icon, item.icon),
        ...changed('condition', condition, item.condition),
        ...(draft === item.draft ? {} : { draft }),
      })
      close()
    } catch (error) {
      setRefused(error as Error)
    }
  }
  return (
    <EditForm
      change={{ ...change, error: refused }}
      action={t('common.save')}
      close={close}
      onSubmit={() => void submit()}
    >
      <LineField label={t('common.title')} value={title} onChange={setTitle} isRequired autoFocus />
      <LineField
        label={t('common.path')}
        value={segment}
        onChange={setSegment}
        isRequired
        hint={hintOfPath()}
      />
      <LineField label={t('common.description')} value={description} onChange={setDescription} />
      <LineField label={t('block.icon')} value={icon} onChange={setIcon} hint={hintOfIcon()} />
      <GroupField groups={groups} value={group} onChange={setGroup} />
      <ConditionField label={t('site.who-sees-it')} value={condition} onChange={setCondition} />
      <DraftField value={draft} onChange={setDraft} />
    </EditForm>
  )
}

function GroupForm({ item, path, close }: { item: ShownGroup; path: SitePath; close: () => void }) {
  const [title, setTitle] = useState(item.title)
  const [icon, setIcon] = useState(item.icon ?? '')
  const [draft, setDraft] = useState(item.draft)
  const change = useChange(`PATCH ${path}/section-groups/${item.id}`)
  return (
    <EditForm
      change={change}
      action={t('common.save')}
      close={close}
      onSubmit={() =>
        change.mutate(
          { title, ...changed('icon', icon, item.icon), ...(draft === item.draft ? {} : { draft }) },
          { onSuccess: close },
        )
      }
    >
      <LineField label={t('common.title')} value={title} onChange={setTitle} isRequired autoFocus />
      <LineField label={t('block.icon')} value={icon} onChange={setIcon} hint={hintOfIcon()} />
      <DraftField value={draft} onChange={setDraft} />
    </EditForm>
  )
}

/** A button that adds a group of sections. @param groups those that can contain it */
export function NewGroup({ groups, path }: { groups: readonly ShownGroup[]; path: SitePath }) {
  const [title, setTitle] = useState('')
  const [parent, setParent] = useState('')
  const create = useChange(`POST ${path}/section-groups`)
  return (
    <CreateButton
      label={t('common.new-group')}
      create={create}
      body={{ title, ...(parent === '' ? {} : { parent }) }}
      onCreated={() => setTitle('')}
    >
      <LineField
        label={t('common.title')}
        value={title}
        onChange={setTitle}
        isRequired
        autoFocus
        hint={t('site.menu-header-several-sections')}
      />
      {groups.length > 0 && (
        <ChoiceField
          label={t('site.inside-the-group')}
          value={parent}
          onChange={setParent}
          options={[['', t('common.none')], ...groups.map((one) => [one.id, one.title] as const)]}
        />
      )}
    </CreateButton>
  )
}
