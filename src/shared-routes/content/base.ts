import { Type, type TSchema } from 'typebox'
import type { Reader, Row } from '../../db/schema.ts'
import type { Access } from '../../http/route.ts'
import { Id } from '../../model/common.ts'

/** The base of content: a space, a revision or a change request. */
export interface ContentBase<Subject extends object> {
  /** `/v1/spaces/:spaceId/content` and the like. */
  path: `/v1/spaces/:spaceId/${string}`
  access: Access<Subject>
  params: Record<string, TSchema>
  revision(context: { db: Reader; params: Record<string, string> } & Subject): Promise<Row<'revision'>>
  /** Whether the base names one revision, so that its content never changes. */
  immutable?: boolean
}

/** What every route below a base declares. */
export function commonOf<Subject extends object>({ access, immutable }: ContentBase<Subject>) {
  return { method: 'GET', access, ...(immutable ? { immutable } : {}) } as const
}

/** The same for routes that readers of a site may use, who get what they see there. */
export function forReaders<Subject extends object>(base: ContentBase<Subject>) {
  return { ...commonOf(base), readers: true } as const
}

/** The parameters of a path below a base, and `more` of them behind it. */
export function paramsOf<Subject extends object, More extends Record<string, TSchema>>(
  base: ContentBase<Subject>,
  more: More,
) {
  return Type.Object({ spaceId: Id, ...base.params, ...more })
}

/** The revision of a request. */
export function revisionOf<Subject extends object>(
  base: ContentBase<Subject>,
  context: object,
): Promise<Row<'revision'>> {
  // The subject is a type parameter, so the compiler cannot see that the context has what the base takes.
  return base.revision(context as { db: Reader; params: Record<string, string> } & Subject)
}

/** The space of a request. */
export const spaceIn = (context: object) => (context as { space: Row<'space'> }).space
