/** Reviews and comments that nobody has resolved yet. They do not prevent a merge, so the console asks before it. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, type ApiFault, type ListPage } from '../../../api/api.ts'
import { t } from '../../../words/words.ts'
import type { Comment, Verdict } from '../../../api/review-types.ts'
import type { ChangeRequestPath } from '../../../api/paths.ts'

/** What nobody has resolved on a change request. */
export interface Unresolved {
  /** The newest reviews of those who ask for changes, even if they are about an earlier version. */
  asking: Verdict[]
  /** The open comments, without those that have an open suggestion. */
  comments: Comment[]
  /** The open comments whose suggestion nobody has applied. */
  suggestions: Comment[]
}

/** Reads what is not resolved now. @param base the path of the change request below `/v1`. @throws ApiFault */
export async function readUnresolved(base: ChangeRequestPath, signal?: AbortSignal): Promise<Unresolved> {
  const [reviews, open] = await Promise.all([
    readAll((at) => api(`GET ${base}/reviews?${at}`, undefined, signal)),
    readAll((at) => api(`GET ${base}/comments?status=open&${at}`, undefined, signal)),
  ])
  // The newest review of each person counts, and the newest come first.
  const newest = new Map(reviews.toReversed().map((one) => [one.reviewer.id, one]))
  const isSuggestion = ({ suggestion }: Comment) => suggestion?.status === 'open'
  return {
    asking: [...newest.values()].filter(({ status }) => status === 'changes-requested'),
    comments: open.filter((one) => !isSuggestion(one)),
    suggestions: open.filter(isSuggestion),
  }
}

/** Reads all pages of a list. @param read sends a request with this query */
async function readAll<T>(read: (query: string) => Promise<ListPage<T>>): Promise<T[]> {
  let items: T[] = []
  let page: string | undefined
  do {
    const at = page === undefined ? '' : `&page=${encodeURIComponent(page)}`
    // Markdown is shorter than a document, and nobody reads either here.
    const list = await read(`format=markdown&limit=1000${at}`)
    items = items.concat(list.items)
    page = list.next?.page
  } while (page !== undefined)
  return items
}

/** What is not resolved, and a way to show what was read just now. */
export function useUnresolved(base: ChangeRequestPath) {
  const client = useQueryClient()
  // Whatever changes on the change request makes it read again.
  const queryKey = ['api', `${base}/comments`, 'unresolved']
  const read = useQuery<Unresolved, ApiFault>({
    queryKey,
    queryFn: ({ signal }) => readUnresolved(base, signal),
    staleTime: 0,
  })
  const show = (now: Unresolved) => {
    client.setQueryData(queryKey, now)
    // An earlier request that is still on its way would undo this.
    void client.invalidateQueries({ queryKey })
  }
  return { unresolved: read.data, read, show }
}

/** Whether something is open now that was resolved, or not there, before. */
export function hasMore(now: Unresolved, before: Unresolved): boolean {
  const idsOf = ({ asking, comments, suggestions }: Unresolved) =>
    [...asking, ...comments, ...suggestions].map(({ id }) => id)
  const known = new Set(idsOf(before))
  return idsOf(now).some((id) => !known.has(id))
}

/** What is not resolved in a few words; undefined if everything is. */
export function titleOfUnresolved({ asking, comments, suggestions }: Unresolved): string | undefined {
  if (asking.length > 0) return t('change-request.changes-are-requested')
  if (comments.length > 0 && suggestions.length > 0) return t('change-request.comments-suggestions-open')
  if (comments.length > 0) return t('change-request.count-comments-open', { count: comments.length })
  if (suggestions.length > 0) return t('change-request.count-suggestions-open', { count: suggestions.length })
  return undefined
}

/** Sentences that a person should read before merging a change request. */
export function sentencesOf({ asking, comments, suggestions }: Unresolved): string[] {
  return [
    ...asking.map(({ reviewer, outdated }) => {
      const name = reviewer.displayName
      return outdated
        ? t('change-request.name-asked-changes-earlier', { name })
        : t('change-request.name-asked-changes', { name })
    }),
    ...(comments.length > 0 ? [t('common.open-comments-count', { count: comments.length })] : []),
    ...(suggestions.length > 0
      ? [t('change-request.open-suggestions-count', { count: suggestions.length })]
      : []),
  ]
}
