/** Requests of screens, whose answers are kept for other screens. */
import {
  type InfiniteData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type UseInfiniteQueryResult,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query'
import { navigate } from 'wouter/use-browser-location'
import { type ApiFault, type ApiRequest, type ListPage, sendRequest } from './requests.ts'
import type { AnswerOf, BodyOf, Known, KnownPath } from './typed.ts'

export { api, ApiFault, type ApiRequest, type Conflict, type ListPage } from './requests.ts'

/** Reads a resource, and keeps it for the screens that show it. @param path below `/v1`; undefined to wait */
export function useApi<const P extends string>(
  path: (P & KnownPath<P>) | '' | undefined,
  options: { live?: boolean } = {},
): UseQueryResult<AnswerOf<`GET ${P}`>, ApiFault> {
  return useQuery<AnswerOf<`GET ${P}`>, ApiFault>({
    queryKey: ['api', path],
    queryFn: ({ signal }) => sendRequest(`GET ${path as `/${string}`}`, undefined, signal),
    enabled: path !== undefined,
    ...(options.live ? { staleTime: 0 } : {}),
  })
}

/** A list as a screen shows it. */
export type ListQuery<T> = UseInfiniteQueryResult<InfiniteData<ListPage<T>>, ApiFault> & { items: T[] }

/** An item of the list at a path. */
type ItemOf<P extends string> = AnswerOf<`GET ${P}`> extends { items: (infer Item)[] } ? Item : never

/** Reads a list, page after page. */
export function useList<const P extends string>(
  path: (P & KnownPath<P>) | '' | undefined,
): ListQuery<ItemOf<P>> {
  type Page = ListPage<ItemOf<P>>
  const query = useInfiniteQuery<Page, ApiFault, InfiniteData<Page>, unknown[], string>({
    queryKey: ['api', path, 'list'],
    queryFn: ({ pageParam, signal }) => {
      const at =
        pageParam === '' ? '' : `${path?.includes('?') ? '&' : '?'}page=${encodeURIComponent(pageParam)}`
      return sendRequest(`GET ${path as `/${string}`}${at}`, undefined, signal)
    },
    initialPageParam: '',
    getNextPageParam: (last: Page) => last.next?.page,
    enabled: path !== undefined,
  })
  return { ...query, items: query.data?.pages.flatMap(({ items }) => items) ?? [] }
}

/** What a request is made of: its body, and anything if it has none. */
type Given<R extends string> = undefined extends BodyOf<R> ? unknown : BodyOf<R>

/** A change that a screen sends. */
export type Change<B, T> = UseMutationResult<T, ApiFault, B>

/**
 * Changes something, and then reads again what screens show of it.
 * @param request of a body, if its path depends on it
 * @param changed the beginnings of the paths that the change concerns; by default, everything
 */
export function useChange<const R extends ApiRequest>(
  request: R & Known<R>,
  changed?: readonly string[],
): Change<BodyOf<R>, AnswerOf<R>>
export function useChange<const R extends ApiRequest, B extends Given<R>>(
  request: (body: B) => R & Known<R>,
  changed?: readonly string[],
): Change<B, AnswerOf<R>>
export function useChange<B, T>(
  request: ApiRequest | ((body: B) => ApiRequest),
  changed?: readonly string[],
) {
  const client = useQueryClient()
  return useMutation<T, ApiFault, B>({
    mutationFn: (body) => sendRequest(typeof request === 'function' ? request(body) : request, body),
    onSuccess: async () => {
      await client.invalidateQueries({
        predicate: ({ queryKey: [, path] }) =>
          changed === undefined || changed.some((start) => String(path).startsWith(start)),
      })
    },
  })
}

/** Shows another screen. @param path below `/app` */
export function go(path: string): void {
  navigate(`/app${path}`)
}
