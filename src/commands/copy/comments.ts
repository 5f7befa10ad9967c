/** Copies comments with their replies, and reviews as comments. */
import { RefusedCall } from '../client.ts'
import { type Copying, doneOnce, madeOnce, reading, reportOn, writing } from './copying.ts'
import { fieldsIn, type JsonRecord, jsonRecord, segment, someText, jsonText } from './json.ts'
import { listed } from './patient-calls.ts'
import type { CopiedSpace } from './places.ts'
import { contentKey, translateText } from './translate.ts'

/** The place of a discussion: a space or a change request, in the source and in the target. */
export interface DiscussedPlace {
  from: string
  to: string
  what: string
  space: Pick<CopiedSpace, 'id'>
}

/** Copies comments, oldest first. */
export async function copyDiscussion(copying: Copying, place: DiscussedPlace): Promise<void> {
  const { source, journal } = copying
  const query = { format: 'markdown', order: 'asc', status: 'all' }
  const what = `${place.what}, comments`
  const comments = (await reading(copying, what, () => listed(source, `${place.from}/comments`, query))) ?? []
  for (const comment of comments) {
    const id = jsonText(comment.id)
    const body = await copiedBody(copying, place, comment)
    const made = await madeOnce(
      copying,
      { kind: 'comment', id, what },
      () => postComment(copying, place, comment, body),
      () => unmappedComment(copying, `${place.to}/comments`, 'comment', body),
    )
    if (made === undefined) continue
    await copyReplies(copying, place, comment, made)
    if (comment.status === 'resolved')
      await doneOnce(copying, `resolution of ${id}`, () =>
        writing(copying, what, () =>
          copying.target('PUT', `${place.to}/comments/${segment(made)}`, { resolved: true }),
        ),
      )
  }
  if (comments.some(({ id }) => journal.target('comment', jsonText(id)) !== undefined)) noteAuthors(copying)
}

const AUTHORS = 'Comments and replies'

/** The report says once that the API cannot post in the name of others. */
function noteAuthors(copying: Copying): void {
  if (copying.problems.some(({ path }) => path === AUTHORS)) return
  reportOn(
    copying,
    'copied-differently',
    AUTHORS,
    'are yours, and begin with the name of their author and the date',
  )
}

async function copyReplies(
  copying: Copying,
  place: DiscussedPlace,
  { id, replies }: JsonRecord,
  made: string,
): Promise<void> {
  if (replies === 0) return
  const { source, target } = copying
  const what = `${place.what}, replies`
  const from = `${place.from}/comments/${segment(jsonText(id))}/replies`
  const path = `${place.to}/comments/${segment(made)}/replies`
  const all = (await reading(copying, what, () => listed(source, from, { format: 'markdown' }))) ?? []
  for (const reply of all) {
    const body = await copiedBody(copying, place, reply)
    await madeOnce(
      copying,
      { kind: 'reply', id: jsonText(reply.id), what },
      async () => jsonText((await target('POST', path, { body: { markdown: body } })).id),
      () => unmappedComment(copying, path, 'reply', body),
    )
  }
}

/** A comment of the target that is like this and no copy yet: what a run made just before it was killed. */
async function unmappedComment(
  { target, journal }: Copying,
  path: string,
  kind: string,
  markdown: string,
): Promise<string | undefined> {
  const all = await listed(target, path, { format: 'markdown' })
  const like = all.find((one) => {
    const text = jsonText(jsonRecord(one.body).markdown)
    // One that lost its block begins with a quote of it.
    const isSame = text === markdown || (text.startsWith('> ') && text.endsWith(`\n\n${markdown}`))
    return isSame && !journal.isTaken(kind, jsonText(one.id))
  })
  return someText(like?.id)
}

/** The text with the ids of the target. That of another author begins with the name and the date. */
async function copiedBody(copying: Copying, place: DiscussedPlace, comment: JsonRecord): Promise<string> {
  const { body, postedBy, postedAt } = comment
  const { journal } = copying
  const text = translateText(jsonText(jsonRecord(body).markdown), { journal, space: place.space.id })
  const author = jsonRecord(postedBy)
  const copy = journal.target('user', jsonText(author.id))
  if (copy !== undefined && copy === (await ownId(copying))) return text
  return `${signature(author, postedAt)}:\n\n${text}`
}

function signature({ displayName, email }: JsonRecord, at: unknown): string {
  const name = (someText(displayName) ?? someText(email) ?? 'A former member').replaceAll(
    /[\\`*_[\]<>]/g,
    '\\$&',
  )
  const date = jsonText(at).slice(0, 10)
  return `**${name}**${date === '' ? '' : `, ${date}`}`
}

const owners = new WeakMap<Copying, Promise<string>>()

/** The id of the user of the token. */
function ownId(copying: Copying): Promise<string> {
  const known = owners.get(copying) ?? copying.target('GET', '/user').then(({ id }) => jsonText(id))
  owners.set(copying, known)
  return known
}

/** Posts a comment where it was: on the block, or else on the page, or else on the whole. */
async function postComment(
  copying: Copying,
  { to, space }: DiscussedPlace,
  comment: JsonRecord,
  markdown: string,
): Promise<string> {
  const { target, journal } = copying
  const place = jsonRecord(comment.target)
  const node = jsonRecord(place.node)
  const page = journal.target('page', contentKey(space.id, jsonText(jsonRecord(place.page).id)))
  const onPage = page === undefined ? {} : { page }
  const suggestion = jsonRecord(comment.suggestion)
  const onBlock =
    page !== undefined && typeof node.id === 'string' ? { node: node.id, ...fieldsIn(node, ['range']) } : {}
  const suggested =
    suggestion.status === 'open' && 'node' in onBlock
      ? { suggestion: fieldsIn(suggestion, ['text', 'markdown']) }
      : {}
  const wordings = [
    { ...onPage, ...onBlock, ...suggested },
    { ...onPage, ...fieldsIn(onBlock, ['node']) },
    onPage,
    {},
  ]
  const preview = someText(node.preview)
  for (const [nth, wording] of wordings.entries()) {
    const isQuoted = preview !== undefined && !('node' in wording)
    const quote = isQuoted
      ? `${preview
          .split('\n')
          .map((line) => `> ${line}`)
          .join('\n')}\n\n`
      : ''
    try {
      return jsonText(
        (await target('POST', `${to}/comments`, { body: { markdown: quote + markdown }, ...wording })).id,
      )
    } catch (error) {
      if (!(error instanceof RefusedCall) || error.status !== 400 || nth === wordings.length - 1) throw error
    }
  }
  return ''
}

/** Posts reviews as comments: the API cannot review in the name of others. */
export async function copyReviews(copying: Copying, place: DiscussedPlace): Promise<void> {
  const { source, target } = copying
  const what = `${place.what}, reviews`
  const path = `${place.to}/comments`
  const reviews =
    (await reading(copying, what, () => listed(source, `${place.from}/reviews`, { format: 'markdown' }))) ??
    []
  for (const review of reviews.toReversed()) {
    const verdict = review.status === 'approved' ? 'approved' : 'requested changes'
    const comment = jsonRecord(review.comment)
    const text = translateText(jsonText(jsonRecord(comment.body ?? comment).markdown), {
      journal: copying.journal,
      space: place.space.id,
    })
    const body = `${signature(jsonRecord(review.reviewer), review.createdAt)} ${verdict}${text === '' ? '.' : `:\n\n${text}`}`
    const made = await madeOnce(
      copying,
      { kind: 'review', id: jsonText(review.id), what },
      async () => {
        const { id } = await target('POST', path, { body: { markdown: body } })
        return jsonText(id)
      },
      () => unmappedComment(copying, path, 'review', body),
    )
    // The list of comments may have the text of the review too.
    const commentId = someText(comment.id)
    if (made !== undefined && commentId !== undefined) copying.journal.record('comment', commentId, made)
  }
  if (reviews.length > 0)
    reportOn(
      copying,
      'copied-differently',
      what,
      'are comments, because nobody can review in the name of others',
    )
}
