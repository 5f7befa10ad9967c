import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, type ApiFault } from '../api/api.ts'
import type { Readable } from '../ui/parts.tsx'
import type { NewComment } from '../api/review-types.ts'
import type { ChangeRequestPath } from '../api/paths.ts'

interface Draft {
  comments: NewComment[]
}

/** The review that the caller is writing. The server keeps it, so it is there on another computer too. */
export interface ReviewDraft {
  comments: readonly NewComment[]
  isSaving: boolean
  /** Why the last change was refused. */
  error: Error | null
  read: Readable
  add(comment: NewComment, done: () => void): void
  remove(index: number): void
}

/** @param base the path of the change request below `/v1`; undefined if the caller cannot review */
export function useReviewDraft(base: ChangeRequestPath | undefined): ReviewDraft {
  const client = useQueryClient()
  const path = `${base!}/reviews/draft` as const
  const key = ['api', path]
  const query = useQuery<Draft, ApiFault>({
    queryKey: key,
    queryFn: () => api(`GET ${path}?orEmpty=true`),
    enabled: base !== undefined,
  })
  const save = useMutation<unknown, ApiFault, NewComment[]>({
    mutationFn: (comments) =>
      comments.length === 0 ? api(`DELETE ${path}`) : api(`PUT ${path}`, { comments }),
    onSuccess: (_, comments) => client.setQueryData(key, { comments }),
  })
  const comments = query.data?.comments ?? []
  return {
    comments,
    // A comment that is added to what could not be read would replace it.
    isSaving: save.isPending || query.data === undefined,
    error: save.error,
    // What is not read here would not draw the comments again when it changes.
    read: { error: query.error, isFetching: query.isFetching, refetch: query.refetch },
    add: (comment, done) => save.mutate([...comments, comment], { onSuccess: done }),
    remove: (index) => save.mutate(comments.filter((_, i) => i !== index)),
  }
}
