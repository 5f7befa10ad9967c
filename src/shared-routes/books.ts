import { adviceFor } from '../books/missing-scripts.ts'
import { Type, type TSchema } from 'typebox'
import { bookUrl, fileNameOf, holderOf } from '../books/download.ts'
import { orderBook, bookSourceOf } from '../books/book-source.ts'
import { bookOf } from '../books/press.ts'
import type { Reader, Row } from '../db/schema.ts'
import type { Access } from '../http/route.ts'
import { route } from '../http/route.ts'
import { Id, oneOf, ReasonOfMessage } from '../model/common.ts'
import type { SpaceReading } from '../model/sites/published/on-reader.ts'
import { faultParameters } from '../core/languages/reasoned.ts'
import { because } from '../core/languages/reasons.ts'

/** The base of books: a space or a change request. */
export interface BookBase<Subject extends object> {
  path: `/v1/spaces/:spaceId${string}`
  /** The source of the book, as the summary of the route names it. */
  of: string
  access: Access<Subject>
  params: Record<string, TSchema>
  revision(subject: Subject): string
}

const BookQuery = Type.Object({
  page: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'A page: the file has it and everything below it',
    }),
  ),
  only: Type.Optional(Type.Boolean({ description: 'Only the page itself. Requires `page`.' })),
  format: Type.Optional(oneOf(['pdf', 'epub'], { default: 'pdf' })),
})

export const BookLocation = Type.Object(
  {
    url: Type.String({
      format: 'uri',
      description:
        'The address of the file. It needs no token, and works for an hour, as long as the caller may read the content.',
    }),
    problems: Type.Array(
      Type.Object({
        page: Id,
        title: Type.String(),
        message: Type.String(),
        ...ReasonOfMessage,
        scripts: Type.Optional(
          Type.Array(Type.String(), {
            description: 'The scripts of the page for which the server has no font',
          }),
        ),
      }),
      {
        description:
          'The pages that could only be set as plain text, and those with text in a script for which the server has no font',
      },
    ),
  },
  { title: 'BookLocation' },
)

interface BookSubject {
  space: Row<'space'>
  reading?: SpaceReading | undefined
}

/** The route that makes a PDF or an EPUB, shared by spaces and change requests. */
export function bookRoute<Subject extends BookSubject>(base: BookBase<Subject>) {
  return route({
    method: 'GET',
    path: `${base.path}/pdf`,
    summary: `Make a PDF or an EPUB of ${base.of}`,
    description:
      'The response comes when the file is ready. A file that was made before for the same revision, pages and settings is returned at once. The file has what a visitor without claims sees, or for the reader of a site, what they see. The request fails with 503 if too many other files are being made.',
    access: base.access,
    readers: true,
    params: Type.Object({ spaceId: Id, ...base.params }),
    query: BookQuery,
    returns: BookLocation,
    async handler(context) {
      const { me, urls, sealing, blobs, reportMissing, now, leaving, query } = context
      const subject = context as unknown as Subject
      const db: Reader = context.db
      const { format = 'pdf', page, only } = query
      const source = await bookSourceOf({ db, urls }, subject.space, subject.reading, base.revision(subject))
      const order = await orderBook({ db, urls }, source, format, { page, only })
      const book = await bookOf(order, { blobs, reportMissing }, leaving())
      const name = fileNameOf(order.cover.title, format)
      return {
        url: bookUrl(
          { urls, sealing, now },
          { spaceId: subject.space.id, hash: book.hash, name },
          holderOf(me, subject.reading),
          me.reader?.expires,
        ),
        problems: [
          ...book.plain.map(({ page: id, title, why }) => ({
            page: id,
            title,
            ...because('page-set-as-plain-text', faultParameters(why)),
          })),
          ...book.unreadable.map(({ page: id, title, scripts }) => ({
            page: id,
            title,
            ...adviceFor(scripts),
            scripts,
          })),
        ],
      }
    },
  })
}
