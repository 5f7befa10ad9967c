import { useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import { Link } from 'wouter'
import { useApi, useChange, useList } from '../../api/api.ts'
import { tellDone, Toasts } from '../../ui/toasts.tsx'
import { Loaded, Refusal, Named } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import { DraggedRow, type DropPlace, StepButtons } from '../../ui/dragged-row.tsx'
import { ChoiceField, LineField, Part } from '../../ui/fields.tsx'
import {
  EditItem,
  groupsIn,
  nameOfItem,
  NewGroup,
  type ShownItem,
  type ShownSection,
  spacesIn,
  type Structure,
} from './site-item.tsx'
import { NewLink } from './site-link.tsx'
import { itemPlaceOf, useItemMove } from './site-moving.ts'
import { ConfirmButton, EditForm } from '../../ui/forms.tsx'
import type { SitePath } from '../../api/paths.ts'

/** The id of the form that adds a space to a site. */
export const ADD_SPACE = 'add-space'

/** The spaces of a site, in their sections. */
export function SiteSpaces({ path, organizationId }: { path: SitePath; organizationId: string }) {
  const query = useApi(`${path}/structure`)
  const groups = groupsIn(query.data?.structure ?? [])
  return (
    <Part
      title={t('common.spaces')}
      actions={
        query.data?.type === 'sections' && (
          <div className="row-actions">
            <NewLink groups={groups} path={path} />
            <NewGroup groups={groups} path={path} />
          </div>
        )
      }
    >
      <Loaded query={query} title={t('site.spaces-site-cannot-shown')}>
        {(structure) => (
          <>
            <Items items={structure.structure} root={structure.structure} path={path} />
            <div id={ADD_SPACE} tabIndex={-1}>
              <AddSpace structure={structure} path={path} organizationId={organizationId} />
            </div>
            <Toasts />
          </>
        )}
      </Loaded>
    </Part>
  )
}

function Items({
  items,
  root,
  group,
  path,
}: {
  items: readonly ShownItem[]
  /** All items of the site that are in no other. */
  root: readonly ShownItem[]
  /** The id of the group that the items are in. */
  group?: string
  path: SitePath
}) {
  return (
    <ul className="rows">
      {items.map((item, at) => (
        <ItemRow key={item.id} item={item} at={at} items={items} root={root} group={group} path={path} />
      ))}
    </ul>
  )
}

const FOLDERS = {
  'site-space': 'site-spaces',
  'site-section': 'sections',
  'site-section-group': 'section-groups',
  'site-external-link': 'external-links',
} as const

const kindOf = ({ object }: ShownItem): string =>
  ({
    'site-space': '',
    'site-section': t('site.section-tab'),
    'site-section-group': t('site.group-menu-sections'),
    'site-external-link': t('site.link-to-website'),
  })[object]

/** Puts the focus where a person goes on: in a row that is still there, or where spaces are added. */
function goOnAt(row: Element | null | undefined): void {
  const place = row?.isConnected ? row : document.getElementById(ADD_SPACE)
  const control = place?.querySelector<HTMLElement>(':is(a, button, select):not(:disabled)')
  ;(control ?? document.getElementById(ADD_SPACE))?.focus()
}

/** Returns a text about the pages of an item after its removal. */
const afterRemoval = (object: ShownItem['object']): string =>
  ({
    'site-space': t('site.readers-no-longer-find-pages'),
    'site-section': t('site.readers-no-longer-find-tab'),
    'site-section-group': t('site.sections-stay-site-take'),
    'site-external-link': t('site.readers-no-longer-find-link'),
  })[object]

function ItemRow({
  item,
  at,
  items,
  root,
  group,
  path,
}: {
  item: ShownItem
  at: number
  /** The item and its siblings. */
  items: readonly ShownItem[]
  root: readonly ShownItem[]
  group: string | undefined
  path: SitePath
}) {
  const move = useItemMove(path)
  const remove = useChange(`DELETE ${path}/${FOLDERS[item.object]}/${item.id}`)
  const choose = useChange(
    item.object === 'site-space' && 'section' in item
      ? `PATCH ${path}/sections/${String(item.section)}`
      : `PATCH ${path}`,
  )
  const duplicate = useChange(`POST ${path}/site-spaces/${item.id}/duplicate`)
  const row = useRef<HTMLLIElement>(null)
  const name = nameOfItem(item)
  const isBusy = move.isPending || remove.isPending || choose.isPending || duplicate.isPending
  const leaveSite = async (close: () => void) => {
    const next = row.current?.nextElementSibling ?? row.current?.previousElementSibling
    try {
      await remove.mutateAsync(undefined)
    } catch {
      // The dialog says why.
      return
    }
    close()
    setTimeout(() => goOnAt(next))
  }
  const step = (by: -1 | 1) => {
    const beside = items[at + by]
    if (beside && !isBusy)
      move.mutate({ moved: { item, siblings: items, group }, group, [by < 0 ? 'before' : 'after']: beside })
  }
  const takes = (id: string, share: number): DropPlace | undefined => {
    const moved = itemPlaceOf(root, id)
    const isSection =
      (moved?.item.object === 'site-section' || moved?.item.object === 'site-external-link') &&
      item.object !== 'site-space'
    if (!moved || !(isSection || moved.siblings === items)) return undefined
    const isGroup = item.object === 'site-section-group' && item.id !== moved.group
    if (isSection && isGroup && share > 0.25 && share < 0.75) return 'in'
    return share < 0.5 ? 'before' : 'after'
  }
  const put = (id: string, place: DropPlace) => {
    const moved = itemPlaceOf(root, id)
    if (moved) move.mutate(place === 'in' ? { moved, group: item.id } : { moved, group, [place]: item })
  }
  return (
    <li ref={row} className="dragged-item">
      <DraggedRow list={`site-${path}`} id={item.id} name={name} takes={takes} onDrop={put} onStep={step}>
        <span>
          {(items.length > 1 || group !== undefined) && <span className="row-grip" aria-hidden="true" />}
          {'space' in item ? (
            <Link href={`/s/${item.space.id}`}>{name}</Link>
          ) : 'url' in item ? (
            <a href={item.url} target="_blank" rel="noreferrer">
              {name}
            </a>
          ) : (
            <b>{name}</b>
          )}
          {item.object !== 'site-space' && <span className="hint"> {kindOf(item)}</span>}
          {items.length > 1 && 'default' in item && item.default && (
            <span className="tag">{t('common.first')}</span>
          )}
          {item.draft && <span className="tag">{t('change-request.draft')}</span>}
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
              <Named name={name}>{t('site.show-first')}</Named>
            </Button>
          )}
          <StepButtons name={name} isFirst={at === 0} isLast={at === items.length - 1} onStep={step} />
          {item.object === 'site-space' && (
            <Button
              className="small quiet"
              isDisabled={isBusy}
              // A draft, so that readers see the copy only when it is ready.
              onPress={() =>
                duplicate.mutate(
                  { draft: true },
                  { onSuccess: () => tellDone(t('site.name-copied-as-draft', { name })) },
                )
              }
            >
              <Named name={name}>{t('common.duplicate')}</Named>
            </Button>
          )}
          <EditItem item={item} groups={groupsIn(root)} path={path} />
          <ConfirmButton
            label={t('common.remove')}
            name={name}
            question={t('site.remove-name-site', { name })}
            text={afterRemoval(item.object)}
            change={remove}
            onConfirm={(close) => void leaveSite(close)}
          />
        </span>
      </DraggedRow>
      {(move.error ?? choose.error ?? duplicate.error) && (
        <div className="below">
          <Refusal error={move.error ?? choose.error ?? duplicate.error} />
        </div>
      )}
      {item.object === 'site-section' && (
        <div className="below">
          <Items items={item.siteSpaces} root={root} path={path} />
        </div>
      )}
      {item.object === 'site-section-group' && (
        <div className="below">
          <Items items={item.children} root={root} group={item.id} path={path} />
        </div>
      )}
    </li>
  )
}

const sectionsIn = (items: readonly ShownItem[]): ShownSection[] =>
  items.flatMap((item) => {
    if (item.object === 'site-section') return [item]
    return item.object === 'site-section-group' ? sectionsIn(item.children) : []
  })

function AddSpace({
  structure,
  path,
  organizationId,
}: {
  structure: Structure
  path: SitePath
  organizationId: string
}) {
  const [space, setSpace] = useState('')
  const [section, setSection] = useState('')
  const [title, setTitle] = useState('')
  const [isMissing, setMissing] = useState(false)
  const spaces = useList(`/orgs/${organizationId}/spaces?limit=200`)
  const sections = structure.type === 'sections' ? sectionsIn(structure.structure) : []
  const inside = new Set(spacesIn(structure.structure).map((one) => one.space.id))
  const isNew = section === 'new'
  const add = useChange(`POST ${path}/${isNew ? 'sections' : 'site-spaces'}`)
  const free = spaces.items.filter(({ id, permissions }) => permissions.admin && !inside.has(id))
  if (free.length === 0) {
    if (!spaces.isSuccess) return null
    return inside.size > 0 ? (
      <p className="hint">{t('site.all-spaces-can-share')}</p>
    ) : (
      <p>
        {t('site.there-no-space-yet')} <Link href={`/o/${organizationId}`}>{t('site.create-a-space')}</Link>
      </p>
    )
  }
  return (
    <EditForm
      change={
        isMissing && space === ''
          ? { ...add, error: new Error(t('site.choose-a-space')), isSuccess: false }
          : add
      }
      action={t('common.add')}
      onSubmit={() => {
        setMissing(space === '')
        if (space === '') return
        add.mutate(
          {
            spaceId: space,
            ...(isNew ? { title } : section === '' ? {} : { sectionId: section }),
          },
          {
            onSuccess: () => {
              setSpace('')
              setTitle('')
              setTimeout(() => goOnAt(null))
            },
          },
        )
      }}
    >
      <div className="fields-row">
        <ChoiceField
          label={t('site.add-a-space')}
          value={space}
          onChange={setSpace}
          options={[
            ['', t('common.choose')],
            ...free.map((one) => [one.id, one.title || t('common.untitled')] as const),
          ]}
        />
        <ChoiceField
          label={t('common.place')}
          value={section}
          onChange={setSection}
          options={[
            ['', sections.length > 0 ? t('site.the-first-section') : t('site.as-another-version')],
            ...sections.filter((one) => !one.default).map((one) => [one.id, one.title] as const),
            ['new', t('site.new-section-tab')],
          ]}
        />
      </div>
      {isNew && <LineField label={t('site.title-section')} value={title} onChange={setTitle} isRequired />}
    </EditForm>
  )
}
