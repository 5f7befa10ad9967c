/** The differences of one page of a change request or a revision. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import type { BlockChange } from '../../../core/content/edit/block-diff.ts'
import { leafText } from '../../../core/document/leaf-text.ts'
import type { Document } from '../../../core/document/model.ts'
import { api, type ApiFault, useChange } from '../api/api.ts'
import { Loaded, Named, Refusal } from '../ui/parts.tsx'
import { t } from '../words/words.ts'
import { ComparedContents } from './shown/shown-picture.tsx'
import { BlockDiff, type DiffView, wholePage } from './block-diff.tsx'
import { Sign, whatHappened } from './change-list.tsx'
import { pageSettings } from './page-settings.ts'
import { withoutChange } from './put-back.ts'
import { SettingList } from './shown-setting.tsx'
import type { ChangedPage, SemanticChange, SemanticChanges } from '../api/review-types.ts'
import type { DiffTools } from './versions.ts'
// oxlint-disable-next-line import/no-unassigned-import
import './review.css'
import type { ChangeRequestPath, ContentPath, RevisionPath } from '../api/paths.ts'
// oxlint-disable-next-line import/no-unassigned-import
import './diff.css'

/** Two versions of a space, and where the API lists their changes. */
export interface Compared {
  spaceId: string
  /** The path of the list of changes below `/v1`. */
  changes: `${ChangeRequestPath | RevisionPath}/changes`
  /** The revisions; undefined before the first one. */
  before: string | undefined
  after: string
  /** The path of the change request below `/v1`, if the caller may change it. */
  edits?: ChangeRequestPath | undefined
}

/** The changes of one page. */
export interface PageChanges {
  page: ChangedPage
  changes: SemanticChange[]
}

/** The changes of pages, page by page. */
export function pagesOf(changes: readonly SemanticChange[]): PageChanges[] {
  const pages = new Map<string, PageChanges>()
  for (const one of changes) {
    if (!('page' in one)) continue
    const known = pages.get(one.page.id)
    if (known) known.changes.push(one)
    else pages.set(one.page.id, { page: one.page, changes: [one] })
  }
  return [...pages.values()]
}

/** A page with its differences, which are loaded when it is about to be seen. */
export function PageSection({
  compared,
  changed,
  view,
  tools,
  head,
  isFolded = false,
  children,
}: {
  compared: Compared
  changed: PageChanges
  view: DiffView
  tools?: DiffTools
  /** The elements beside the title. */
  head?: ReactNode
  isFolded?: boolean
  children?: ReactNode
}) {
  const { page, changes } = changed
  const [place, isNear] = useNear()
  return (
    <section ref={place} id={`page-${page.id}`} className="page-diff" aria-labelledby={`title-${page.id}`}>
      <div className="page-diff-head">
        <h2 id={`title-${page.id}`}>
          <Sign change={changes[0]!} /> {page.title || t('common.untitled')}
        </h2>
        <span className="faint">{changes.map(whatHappened).join(', ')}</span>
        {head}
      </div>
      {!isFolded && (
        <>
          <ComparedContents value={contentsOf(compared)}>
            <Fields changes={changes} />
            {isNear && page.type === 'document' && (
              <Texts compared={compared} changed={changed} view={view} tools={tools} />
            )}
          </ComparedContents>
          {children}
        </>
      )}
    </section>
  )
}

/** Where the pictures of both versions are, those of the later one first. */
const contentsOf = ({ spaceId, before, after }: Compared): ContentPath[] =>
  [after, before].flatMap((revision) =>
    revision ? [`/spaces/${spaceId}/revisions/${revision}` as const] : [],
  )

function useNear() {
  const place = useRef<HTMLElement>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: '800px' },
    )
    if (place.current) observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  return [place, isNear] as const
}

/** Requests data that never changes once it exists. */
function useFixed(path: `${RevisionPath}/page/${string}/document` | undefined) {
  return useQuery<Document, ApiFault>({
    queryKey: ['fixed', path],
    queryFn: ({ signal }) => api(`GET ${path!}`, undefined, signal),
    enabled: path !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

function Texts({
  compared: { spaceId, changes: list, before, after, edits },
  changed: { page, changes },
  view,
  tools,
}: {
  compared: Compared
  changed: PageChanges
  view: DiffView
  tools: DiffTools | undefined
}) {
  const is = (type: SemanticChange['type']) => changes.some((one) => one.type === type)
  const edited = changes.find((one) => one.type === 'page_edited')
  const isEdited = edited?.attributes.document !== undefined
  const at = (revision: string | undefined) =>
    revision === undefined
      ? undefined
      : (`/spaces/${spaceId}/revisions/${revision}/page/${page.id}/document` as const)
  const was = useFixed(isEdited || is('page_deleted') ? at(before) : undefined)
  const now = useFixed(isEdited || is('page_created') ? at(after) : undefined)
  // The list of a change request changes with its revision.
  const found = useQuery<SemanticChanges, ApiFault>({
    queryKey: ['fixed', `${list}?blocks`, page.id, before, after],
    queryFn: ({ signal }) => api(`GET ${list}?blocks=true&limit=50&pageId=${page.id}`, undefined, signal),
    enabled: isEdited,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const title = t('diff.differences-page-cannot-shown')
  const differing = (one: Document, change: 'inserted' | 'deleted') => (
    <BlockDiff
      before={change === 'deleted' ? one : undefined}
      after={change === 'inserted' ? one : undefined}
      changes={wholePage(one, change)}
      view="inline"
      tools={tools}
    />
  )
  if (is('page_created'))
    return (
      <Loaded query={now} title={title}>
        {(one) => differing(one, 'inserted')}
      </Loaded>
    )
  if (is('page_deleted'))
    return (
      <Loaded query={was} title={title}>
        {(one) => differing(one, 'deleted')}
      </Loaded>
    )
  if (!isEdited) return null
  return (
    <Loaded query={found} title={title}>
      {({ changes: all }) => (
        <Loaded query={was} title={title}>
          {(earlier) => (
            <Loaded query={now} title={title}>
              {(later) => (
                <PageTextDiff
                  earlier={earlier}
                  later={later}
                  changes={all.flatMap((one) => (one.type === 'page_edited' ? (one.blocks ?? []) : []))}
                  view={view}
                  tools={tools}
                  page={page}
                  edits={edits}
                />
              )}
            </Loaded>
          )}
        </Loaded>
      )}
    </Loaded>
  )
}

/** The text of a page with its changes, and the way to take one of them back. */
function PageTextDiff({
  earlier,
  later,
  changes,
  view,
  tools,
  page,
  edits,
}: {
  earlier: Document
  later: Document
  changes: readonly BlockChange[]
  view: DiffView
  tools: DiffTools | undefined
  page: ChangedPage
  edits: ChangeRequestPath | undefined
}) {
  const write = useChange(`POST ${edits!}/content?compat=false`, edits ? [edits] : [])
  const putBack = (index: number) => {
    const blocks = withoutChange(earlier, later, changes, index)
    if (!blocks) return null
    const batch = { changes: [{ operation: 'update_page' as const, page: page.id, document: { blocks } }] }
    return (
      <Button
        className="small quiet put-back"
        isDisabled={write.isPending}
        onPress={() => write.mutate(batch)}
      >
        <Named name={changeBeginning(changes[index]!)}>{t('diff.put-back')}</Named>
      </Button>
    )
  }
  const changeBeginning = (change: BlockChange) => {
    const block =
      'after' in change
        ? later.nodes.find(({ key }) => key === change.after)
        : earlier.nodes.find(({ key }) => key === change.before)
    return block ? leafText(block).slice(0, 40) : ''
  }
  const shown = tools && edits ? { ...tools, putBack } : tools
  return (
    <>
      <BlockDiff before={earlier} after={later} changes={changes} view={view} tools={shown} />
      <Refusal error={write.error} />
    </>
  )
}

/** The fields of a page that changed, with both values. */
function Fields({ changes }: { changes: readonly SemanticChange[] }) {
  const settings = changes.flatMap((one) =>
    one.type === 'page_edited'
      ? Object.entries(one.attributes).flatMap(([name, { before, after }]) =>
          name === 'document' ? [] : pageSettings(name, before, after),
        )
      : [],
  )
  return <SettingList changes={settings} side="both" />
}

/** A value for people. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return t('common.nothing')
  if (value === true) return t('diff.yes')
  if (value === false) return t('diff.no')
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1)
}
