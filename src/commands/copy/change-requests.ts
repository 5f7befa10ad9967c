/** Copies change requests that are drafts or open: their subject, description, content, reviewers and comments. */
import { shorten } from '../../core/text/shorten.ts'
import { RefusedCall } from '../client.ts'
import { copyDiscussion, copyReviews } from './comments.ts'
import { type ReadContent, readContent } from './content-read.ts'
import {
  type Copying,
  doneOnce,
  madeOnce,
  reportLabel,
  reading,
  reportOn,
  writeSettings,
  writing,
} from './copying.ts'
import { type JsonRecord, jsonRecord, segment, someText, jsonText } from './json.ts'
import { listed } from './patient-calls.ts'
import type { CopiedSpace } from './places.ts'
import { type CopiedChangeRequest, writeProposal } from './proposed-content.ts'
import { translateJson } from './translate.ts'

const STATUSES = ['draft', 'open']
const LONGEST_SUBJECT = 100
const REVIEWERS_AT_ONCE = 100

/** Copies the change requests of a space, oldest first. */
export async function copyChangeRequests(copying: Copying, space: CopiedSpace): Promise<void> {
  const { source } = copying
  const what = `${reportLabel('Space', space.title)}, change requests`
  const path = `/spaces/${segment(space.id)}/change-requests`
  const all: JsonRecord[] = []
  for (const status of STATUSES)
    for (const one of (await reading(copying, what, () => listed(source, path, { status }))) ?? [])
      all.push(one)
  const inOrder = all.toSorted((a, b) => Number(a.number) - Number(b.number))
  for (const [nth, fields] of inOrder.entries()) {
    copying.bar.show({ label: `Change requests of ${space.title}`, done: nth, total: inOrder.length })
    const changeRequest = await makeChangeRequest(copying, space, fields)
    if (!changeRequest) continue
    await doneOnce(copying, `content of change request ${jsonText(fields.id)}`, () =>
      copyProposal(copying, changeRequest),
    )
    await doneOnce(copying, `state of change request ${jsonText(fields.id)}`, () =>
      copyState(copying, changeRequest),
    )
    await copyReviews(copying, changeRequest)
    await copyDiscussion(copying, changeRequest)
  }
}

async function makeChangeRequest(
  copying: Copying,
  space: CopiedSpace,
  fields: JsonRecord,
): Promise<CopiedChangeRequest | undefined> {
  const { target, journal } = copying
  const id = jsonText(fields.id)
  const subject = shorten(jsonText(fields.subject), LONGEST_SUBJECT)
  const what = `${reportLabel('Space', space.title)}, ${reportLabel('change request', subject)}`
  const path = `/spaces/${segment(space.target)}/change-requests`
  const made = await madeOnce(
    copying,
    { kind: 'change-request', id, what },
    async () => jsonText((await target('POST', path, { subject })).id),
    async () => {
      const drafts = await listed(target, path, { status: 'draft' })
      const like = drafts.filter(
        (one) => one.subject === subject && !journal.isTaken('change-request', jsonText(one.id)),
      )
      return someText(like[0]?.id)
    },
  )
  if (made === undefined) return undefined
  const from = `/spaces/${segment(space.id)}/change-requests/${segment(id)}`
  return { from, to: `${path}/${segment(made)}`, what, fields, space }
}

async function copyProposal(copying: Copying, changeRequest: CopiedChangeRequest): Promise<void> {
  const { source } = copying
  const { what, fields, from } = changeRequest
  const base = await reading(copying, what, () => proposalBase(copying, changeRequest))
  const content = await reading(copying, what, () => readContent(source, `${from}/content`))
  if (!base || !content) return
  if (fields.outdated === true)
    reportOn(
      copying,
      'copied-differently',
      what,
      'is behind the primary content: where both have changed a page, it has its own text. Review it before you merge it',
    )
  await writeProposal(copying, changeRequest, { base, content })
}

/** The content from which a change request was created or last updated. What differs from it is what the change request changes. */
async function proposalBase(
  { source }: Copying,
  { fields, space }: CopiedChangeRequest,
): Promise<ReadContent> {
  const ancestor = someText(fields.revisionMergedAncestor) ?? jsonText(fields.revisionInitial)
  const path = `/spaces/${segment(space.id)}`
  try {
    return await readContent(source, `${path}/revisions/${segment(ancestor)}`)
  } catch (error) {
    if (!(error instanceof RefusedCall) || error.status !== 404) throw error
    return readContent(source, `${path}/content`)
  }
}

/** Copies the description, the review requests and the status. */
async function copyState(copying: Copying, changeRequest: CopiedChangeRequest): Promise<void> {
  const { journal } = copying
  const { what, fields, to, space } = changeRequest
  const { id, description, status } = fields
  if (jsonRecord(description).nodes !== undefined)
    await doneOnce(copying, `description of change request ${jsonText(id)}`, () =>
      writeSettings(
        copying,
        what,
        { path: to },
        { description: translateJson(description, { journal, space: space.id }) },
      ),
    )
  await copyReviewRequests(copying, changeRequest)
  await writeSettings(copying, what, { path: to }, { status })
}

/** Requests the reviews that are requested in the source. Those that the copy has already stay. */
async function copyReviewRequests(copying: Copying, { what, from, to }: CopiedChangeRequest): Promise<void> {
  const { source, target, journal } = copying
  const label = `${what}, reviewers`
  const requested = (await reading(copying, label, () => listed(source, `${from}/requested-reviewers`))) ?? []
  const users = requested.flatMap(({ user }) => journal.target('user', jsonText(jsonRecord(user).id)) ?? [])
  for (let start = 0; start < users.length; start += REVIEWERS_AT_ONCE) {
    const some = users.slice(start, start + REVIEWERS_AT_ONCE)
    await writing(copying, label, () => target('POST', `${to}/requested-reviewers`, { users: some }))
  }
}
