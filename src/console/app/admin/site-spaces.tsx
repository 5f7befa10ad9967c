import { useId, useState } from 'react'
import { Button } from 'react-aria-components'
import { Link } from 'wouter'
import { useApi, useChange, useList } from '../api.ts'
import { Loaded, Refusal, Named } from '../parts.tsx'
import type { Space } from '../types.ts'
import { t } from '../words.ts'
import { DraggedRow, StepButtons } from './dragged-row.tsx'
import { ChoiceField, LineField, Part } from './fields.tsx'
import {
  EditItem,
  groupsIn,
  nameOfItem,
  NewGroup,
  type ShownGroup,
  type ShownItem,
  type ShownSection,
  spacesIn,
  type Structure,
} from './site-item.tsx'
import { ADD_SPACE } from './site-parts.tsx'
import { ConfirmButton, EditForm } from '../forms.tsx'

/** The spaces of a site, in their sections. */
export function SiteSpaces({ path, organizationId }: { path: `/${string}`; organizationId: string }) {
  const query = useApi<Structure>(`${path}/structure`)
  const groups = groupsIn(query.data?.structure ?? [])
  return (
    <Part
      title={t('Spaces')}
      actions={query.data?.type === 'sections' && <NewGroup groups={groups} path={path} />}
    >
      <Loaded query={query} title={t('The spaces of the site cannot be shown')}>
        {(structure) => (
          <>
            <Items items={structure.structure} groups={groups} path={path} />
            <div id={ADD_SPACE} tabIndex={-1}>
              <AddSpace structure={structure} path={path} organizationId={organizationId} />
            </div>
          </>
        )}
      </Loaded>
    </Part>
  )
}

function Items({
  items,
  groups,
  path,
}: {
  items: readonly ShownItem[]
  groups: readonly ShownGroup[]
  path: `/${string}`
}) {
  const list = useId()
  return (
    <ul className="rows">
      {items.map((item, at) => (
        <ItemRow key={item.id} item={item} at={at} items={items} list={list} groups={groups} path={path} />
      ))}
    </ul>
  )
}

const FOLDERS = {
  'site-space': 'site-spaces',
  'site-section': 'sections',
  'site-section-group': 'section-groups',
} as const

const kindOf = ({ object }: ShownSection | ShownGroup): string =>
  object === 'site-section' ? t('Section, with a tab') : t('Group, a menu of sections')

/** What becomes of the pages of an item that is removed. */
const afterRemoval = (object: ShownItem['object']): string =>
  ({
    'site-space': t('Readers no longer find its pages on this site. The space itself stays.'),
    'site-section': t(
      'Readers no longer find its tab and its pages on this site. The spaces themselves stay.',
    ),
    'site-section-group': t('Its sections stay on the site, and take its place.'),
  })[object]

function ItemRow({
  item,
  at,
  items,
  list,
  groups,
  path,
}: {
  item: ShownItem
  at: number
  /** The item and its siblings. */
  items: readonly ShownItem[]
  list: string
  groups: readonly ShownGroup[]
  path: `/${string}`
}) {
  const sort = useChange<{ item: object; position: object }>(`PATCH ${path}/structure/sort`)
  const remove = useChange(`DELETE ${path}/${FOLDERS[item.object]}/${item.id}`)
  const choose = useChange<{ defaultSiteSpace?: string; defaultSiteSection?: string }>(
    item.object === 'site-space' && 'section' in item
      ? `PATCH ${path}/sections/${String(item.section)}`
      : `PATCH ${path}`,
  )
  const name = nameOfItem(item)
  const naming = (one: ShownItem) => ({ type: one.object, id: one.id })
  const isBusy = sort.isPending || remove.isPending || choose.isPending
  const move = (moved: ShownItem, place: 'before' | 'after', beside: ShownItem) =>
    sort.mutate({ item: naming(moved), position: { [place]: naming(beside) } })
  const step = (by: -1 | 1) => {
    const beside = items[at + by]
    if (beside && !isBusy) move(item, by < 0 ? 'before' : 'after', beside)
  }
  return (
    <li className="dragged-item">
      <DraggedRow
        list={list}
        id={item.id}
        name={name}
        takes={(_id, share) => (share < 0.5 ? 'before' : 'after')}
        onDrop={(id, place) => {
          const moved = items.find((one) => one.id === id)
          if (moved && place !== 'in') move(moved, place, item)
        }}
        onStep={step}
      >
        <span>
          {items.length > 1 && <span className="row-grip" aria-hidden="true" />}
          {'space' in item ? <Link href={`/s/${item.space.id}`}>{name}</Link> : <b>{name}</b>}
          {item.object !== 'site-space' && <span className="hint"> {kindOf(item)}</span>}
          {items.length > 1 && 'default' in item && item.default && <span className="tag">{t('First')}</span>}
          {'path' in item && !item.default && <span className="hint"> /{item.path}</span>}
        </span>
        <span className="row-actions">
          {'default' in item && !item.default && (
            <Button
              className="small quiet"
              isDisabled={isBusy}
              onPress={() =>
                choose.mutate(
                  item.object === 'site-space'
                    ? { defaultSiteSpace: item.id }
                    : { defaultSiteSection: item.id },
                )
              }
            >
              <Named name={name}>{t('Show first')}</Named>
            </Button>
          )}
          <StepButtons name={name} isFirst={at === 0} isLast={at === items.length - 1} onStep={step} />
          <EditItem item={item} groups={groups} path={path} />
          <ConfirmButton
            label={t('Remove')}
            name={name}
            question={t('Remove {name} from the site?', { name })}
            text={afterRemoval(item.object)}
            change={remove}
            onConfirm={(close) => remove.mutate(undefined, { onSuccess: close })}
          />
        </span>
      </DraggedRow>
      {(sort.error ?? choose.error) && (
        <div className="below">
          <Refusal error={sort.error ?? choose.error} />
        </div>
      )}
      {item.object === 'site-section' && (
        <div className="below">
          <Items items={item.siteSpaces} groups={groups} path={path} />
        </div>
      )}
      {item.object === 'site-section-group' && (
        <div className="below">
          <Items items={item.children} groups={groups} path={path} />
        </div>
      )}
    </li>
  )
}

const sectionsIn = (items: readonly (ShownSection | ShownGroup)[]): ShownSection[] =>
  items.flatMap((item) => (item.object === 'site-section' ? [item] : sectionsIn(item.children)))

function AddSpace({
  structure,
  path,
  organizationId,
}: {
  structure: Structure
  path: `/${string}`
  organizationId: string
}) {
  const [space, setSpace] = useState('')
  const [section, setSection] = useState('')
  const [title, setTitle] = useState('')
  const spaces = useList<Space>(`/orgs/${organizationId}/spaces?limit=200`)
  const sections = structure.type === 'sections' ? sectionsIn(structure.structure) : []
  const inside = new Set(spacesIn(structure.structure).map((one) => one.space.id))
  const isNew = section === 'new'
  const add = useChange<object>(`POST ${path}/${isNew ? 'sections' : 'site-spaces'}`)
  const free = spaces.items.filter(({ id, permissions }) => permissions?.admin && !inside.has(id))
  if (free.length === 0) {
    if (!spaces.isSuccess) return null
    return inside.size > 0 ? (
      <p className="hint">{t('All spaces that you can share are in this site.')}</p>
    ) : (
      <p>
        {t('There is no space yet that you can share.')}{' '}
        <Link href={`/o/${organizationId}`}>{t('Create a space')}</Link>
      </p>
    )
  }
  return (
    <EditForm
      change={add}
      action={t('Add')}
      onSubmit={() =>
        add.mutate(
          {
            spaceId: space,
            ...(isNew ? { title } : section === '' ? {} : { sectionId: section }),
          },
          { onSuccess: () => setSpace('') },
        )
      }
    >
      <div className="fields-row">
        <ChoiceField
          label={t('Add a space')}
          value={space}
          onChange={setSpace}
          options={[['', t('Choose…')], ...free.map((one) => [one.id, one.title || t('Untitled')] as const)]}
        />
        <ChoiceField
          label={t('Place')}
          value={section}
          onChange={setSection}
          options={[
            ['', sections.length > 0 ? t('The first section') : t('As another version')],
            ...sections.filter((one) => !one.default).map((one) => [one.id, one.title] as const),
            ['new', t('A new section, with a tab')],
          ]}
        />
      </div>
      {isNew && <LineField label={t('Title of the section')} value={title} onChange={setTitle} isRequired />}
    </EditForm>
  )
}
