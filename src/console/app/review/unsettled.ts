/** Reviews and comments that nobody has settled yet. */
import { type ListPage, useApi, useList } from '../api.ts'
import { t } from '../words.ts'
import type { Remark, Verdict } from './types.ts'

/** More open comments than this are only counted. */
const READ = 100

/** Sentences that a person should read before merging a change request. They do not prevent the merge. */
export function useUnsettled(base: `/${string}`): string[] {
  const reviews = useList<Verdict>(`${base}/reviews`)
  const comments = useApi<ListPage<Remark>>(`${base}/comments?status=open&limit=${READ}`)
  // The newest review of each person counts.
  const newest = new Map(reviews.items.toReversed().map((one) => [one.reviewer.id, one]))
  const asking = [...newest.values()].filter(({ status }) => status === 'changes-requested')
  const { items = [], count = 0 } = comments.data ?? {}
  const suggestions = items.filter(({ suggestion }) => suggestion).length
  return [
    ...asking.map(({ reviewer, outdated }) => {
      const name = reviewer.displayName
      return outdated
        ? t('{name} asked for changes to an earlier version.', { name })
        : t('{name} asked for changes.', { name })
    }),
    ...(count > suggestions ? [t('Open comments: {count}', { count: count - suggestions })] : []),
    ...(suggestions > 0 ? [t('Open suggestions: {count}', { count: suggestions })] : []),
  ]
}
