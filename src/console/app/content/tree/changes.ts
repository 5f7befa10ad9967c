/** Changes of pages that are made outside of the text, each with a way back. */
import { type Query, useIsFetching, useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type ApiFault } from '../../api/api.ts'
import { forPeople } from '../../words/refusals.ts'
import { t } from '../../words/words.ts'
import { type OutlinePage, outlineAt } from './levels.ts'
import { readTreeAgain, type TreeOfPages } from './page-tree.ts'
import { tellDone } from '../../ui/toasts.tsx'
import type { Schemas } from '../../api/operations/schemas.ts'
import type { AnswerOf } from '../../api/typed.ts'
import type { ContentPath, WritablePath } from '../../api/paths.ts'

/** A change of a batch; the manual defines each operation. */
export type BatchChange = Schemas['ContentChange']

/** The result of a batch. */
export type BatchDone = AnswerOf<`POST ${WritablePath}?compat=false`>

/** Changes to send, the message about them, and how they are undone. */
export interface Step {
  changes: BatchChange[]
  /** The message about the changes, to show to the user. */
  done?: string
  /** The changes that take it back. */
  undo?: (done: BatchDone) => BatchChange[]
  /** The changes join the burst of saves of the text, so that the history has one revision for all of them. */
  isSave?: boolean
  /** The form that sends it stays open and shows a refusal beside its fields, where a toast would be in the way. */
  isForm?: boolean
}

/** Sends changes of a content, reads its pages again, and offers to take the changes back. */
export function usePageChanges(content: WritablePath) {
  const client = useQueryClient()
  const send = useMutation<BatchDone, ApiFault, Step>({
    mutationKey: changesOf(content),
    async mutationFn({ changes, isSave }) {
      const base = isSave && { revision: await newestRevision(content) }
      return api(`POST ${content}?compat=false`, { changes, ...base })
    },
    onSuccess: async (answer, { done, undo, isSave = false }) => {
      if (done !== undefined) tellDone(done, undo && (() => send.mutate({ changes: undo(answer), isSave })))
      await Promise.all([
        readTreeAgain(client, content),
        client.invalidateQueries({
          predicate: ({ queryKey: [, path] }) =>
            /\/(?:page|reusable-contents|files)\b/.test(String(path).slice(content.length)) &&
            String(path).startsWith(content),
        }),
      ])
    },
    onError: (error, { isForm }) => {
      if (!isForm) tellDone(forPeople(error))
    },
  })
  return send
}

const changesOf = (content: ContentPath) => ['changes', content]

/**
 * Whether changes of a content are under way, or its page tree is read again.
 * @returns a function that says so at any time; the component is drawn again when the answer changes
 */
export function useIsTreeChanging(content: ContentPath): () => boolean {
  const client = useQueryClient()
  const sent = { mutationKey: changesOf(content) }
  const read = {
    predicate: ({ queryKey: [, path] }: Query) => String(path).startsWith(outlineAt(content)),
  }
  useIsMutating(sent)
  useIsFetching(read)
  return () => client.isMutating(sent) + client.isFetching(read) > 0
}

/** The newest revision of the change request whose content this is. */
async function newestRevision(content: WritablePath): Promise<string> {
  const [, space, number] = /^\/spaces\/([^/]+)\/change-requests\/([^/]+)/.exec(content) ?? []
  return (await api(`GET /spaces/${space}/change-requests/${number}`)).revision
}

/** A place in the page tree. */
export interface TreePlace {
  into: string | null
  at: number
}

/** Where a page is; undefined if its level has not been read. */
export function placeOf(tree: TreeOfPages, { id, parent }: OutlinePage): TreePlace | undefined {
  const at = tree.level(parent)?.items.findIndex((page) => page.id === id) ?? -1
  return at < 0 ? undefined : { into: parent, at }
}

/** The changes that move a page, and those that take the move back. */
export function moveStep(tree: TreeOfPages, page: OutlinePage, place: TreePlace): Step {
  const before = placeOf(tree, page)
  const move = (to: TreePlace): BatchChange[] => [{ operation: 'update_page', page: page.id, ...to }]
  return {
    changes: move(place),
    done: t('common.title-was-moved', { title: page.title }),
    ...(before && { undo: () => move(before) }),
  }
}

/** The places of a page one step up, down, in and out; those that do not exist are left out. */
export function stepsOf(tree: TreeOfPages, page: OutlinePage): Partial<Record<Direction, TreePlace>> {
  const place = placeOf(tree, page)
  if (!place) return {}
  const { into, at } = place
  const level = tree.level(into)
  const before = level?.items[at - 1]
  const above = tree.known().find(({ id }) => id === into)
  const outer = above && placeOf(tree, above)
  const isLast = at >= (level?.count ?? 0) - 1
  return {
    ...(at > 0 && { up: { into, at: at - 1 } }),
    ...(!isLast && { down: { into, at: at + 1 } }),
    ...(before && mayHold(before, page) && { in: { into: before.id, at: before.children } }),
    ...(outer && { out: { into: outer.into, at: outer.at + 1 } }),
  }
}

/** The direction of a move by one step. */
export type Direction = 'up' | 'down' | 'in' | 'out'

/** Whether a page may be below another one: links have no pages below them, and groups are at the top level. */
export function mayHold(above: OutlinePage, page: OutlinePage): boolean {
  return (
    (above.type === 'document' || above.type === 'group') && page.type !== 'group' && above.id !== page.id
  )
}

/** The changes that delete a page with the pages below it, and those that restore them. */
export async function deleteStep(content: WritablePath, page: OutlinePage): Promise<Step> {
  const revision = await newestRevision(content)
  const { id, title, children } = page
  return {
    changes: [{ operation: 'delete_page', page: id }],
    done: children > 0 ? t('page.title-pages-below-were', { title }) : t('page.title-was-deleted', { title }),
    undo: () => [{ operation: 'revert_page', page: id, revision }],
  }
}

/** The id of the page that a batch has added. */
export function addedPage({ changes }: BatchDone): string | undefined {
  return changes.find((one) => one.object === 'created_page')?.page.id
}
