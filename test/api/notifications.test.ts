/** What users are notified of, and what they are not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expireEvents } from '../../src/jobs/expire-events.ts'
import { sendEmail } from '../../src/jobs/send-email.ts'
import { DIGEST_WORDS } from '../../src/model/events/digest-words.ts'
import { runDueJobs } from '../due-jobs.ts'
import { mailbox } from '../mailbox.ts'
import { proposalsIn } from '../proposing.ts'
import { createWorld, type Person } from '../world.ts'

const mail = mailbox()
const world = await createWorld({}, { mail })
const { ada, app, db, organizationId } = world
const { liveSpace, propose } = proposalsIn(world)

let counter = 0
/** New people, so that no test sees the notifications of another. */
const people = (...roles: Parameters<typeof world.person>[1][]) =>
  Promise.all(roles.map((role) => world.person(`person-${(counter += 1)}`, role)))
const newSpace = () => liveSpace({ 'README.md': '# Home\n' })

async function made(
  by: Person,
  request: string,
  body?: unknown,
): Promise<{ id: string } & Record<string, unknown>> {
  const answer = await by(request, body)
  assert(answer.status < 300, `${request}: ${answer.text}`)
  return answer.body
}

/** A change request by a user. @returns its URL path */
async function proposedBy(by: Person, space: string): Promise<string> {
  return `${space}/change-requests/${(await made(by, `POST ${space}/change-requests`, { subject: 'Mine' })).id}`
}

const said = (text: string) => ({ body: { markdown: text } })
const naming = ({ id }: Person) => `Look, [somebody](/users/${id} "mention")!`

// oxlint-disable-next-line typescript/no-explicit-any
const notified = async (by: Person, query = ''): Promise<any[]> =>
  (await by(`GET /v1/user/notifications${query}`)).body.items
const kinds = async (by: Person) => (await notified(by)).map(({ kind }) => kind)

test('a review request, a review, comments, replies and the merge notify those whom they concern', async () => {
  const space = await newSpace()
  const [author, reviewer, third] = await people('edit', 'review', 'review')
  const base = await propose(space, { 'new.md': '# New\n' })
  await db.write((tx) =>
    tx
      .updateTable('changeRequest')
      .set({ createdBy: author!.id })
      .where('id', '=', base.split('/')[5]!)
      .execute(),
  )
  const ask = { users: [reviewer!.id, author!.id] }
  await made(author!, `POST ${base}/requested-reviewers`, ask)
  await made(author!, `POST ${base}/requested-reviewers`, ask)
  assert.deepEqual(await kinds(reviewer!), ['review-requested'], 'once, although it was requested twice')

  const { id: comment } = await made(reviewer!, `POST ${base}/comments`, said('Why?'))
  const { id: reply } = await made(third!, `POST ${base}/comments/${comment}/replies`, said('Yes, why?'))
  await made(author!, `POST ${base}/comments/${comment}/replies`, said('Because'))
  const { id: review } = await made(reviewer!, `POST ${base}/reviews`, { status: 'approved' })
  await made(third!, `POST ${base}/merge`)

  const of = { id: base.split('/')[5], number: 1, subject: 'A change', status: 'merged' }
  const shown = (await notified(author!)).map(({ kind, actor, changeRequest, ...rest }) => {
    assert.deepEqual(changeRequest, of)
    return [kind, actor.id, rest.comment, rest.reply, rest.review]
  })
  assert.deepEqual(shown, [
    ['merge', third!.id, undefined, undefined, undefined],
    ['review', reviewer!.id, undefined, undefined, review],
    ['reply', third!.id, comment, reply, undefined],
    ['comment', reviewer!.id, comment, undefined, undefined],
  ])
  assert.deepEqual(await kinds(reviewer!), ['reply', 'reply', 'review-requested'])
  assert.deepEqual(await kinds(third!), ['reply'])
  const [first] = await notified(author!)
  assert.equal(first.actor.email, undefined)
  assert.equal(first.space.id, space.split('/')[3])
  assert.equal((await author!(`GET ${new URL(first.urls.location).pathname}`)).body.id, first.id)
})

test('a mention notifies the user once, and one who cannot see the space not at all', async () => {
  const space = await newSpace()
  const [writer, named, guest] = await people('comment', 'read', null)
  const stranger = await world.stranger(`stranger-${(counter += 1)}`)
  const all = [writer, named, guest, stranger].map((one) => naming(one!)).join('\n')
  const { id } = await made(writer!, `POST ${space}/comments`, said(all))
  assert.deepEqual(await kinds(named!), ['mention'])
  for (const one of [writer!, guest!, stranger]) assert.deepEqual(await kinds(one), [])

  const [late] = await people('read')
  await made(writer!, `PUT ${space}/comments/${id}`, said(`${all}\n${naming(late!)}`))
  assert.deepEqual([await kinds(named!), await kinds(late!)], [['mention'], ['mention']])
  const document = {
    object: 'document',
    data: {},
    nodes: [
      {
        object: 'block',
        type: 'paragraph',
        data: {},
        nodes: [
          {
            object: 'inline',
            type: 'mention',
            isVoid: true,
            data: { ref: { kind: 'user', user: named!.id } },
          },
        ],
      },
    ],
  }
  await made(writer!, `POST ${space}/comments/${id}/replies`, { body: { document } })
  assert.deepEqual(await kinds(named!), ['mention', 'mention'])

  // What is deleted concerns nobody any more.
  await made(ada, `DELETE ${space}/comments/${id}`)
  assert.deepEqual([await kinds(named!), await kinds(late!)], [[], []])
})

test('the comments of a review can mention somebody, and its draft notifies nobody', async () => {
  const space = await newSpace()
  const [author, named, other] = await people('edit', 'read', 'read')
  const base = await proposedBy(author!, space)
  const review = {
    status: 'approved',
    comment: { markdown: naming(named!) },
    comments: [{ body: { markdown: 'One' } }, { body: { markdown: naming(other!) } }],
  }
  await made(ada, `PUT ${base}/reviews/draft`, review)
  for (const one of [author!, named!, other!]) assert.deepEqual(await kinds(one), [])
  await made(ada, `POST ${base}/reviews`, review)
  assert.deepEqual(
    [await kinds(author!), await kinds(named!), await kinds(other!)],
    [['review'], ['mention'], ['mention']],
  )
})

test('notifications are read, one by one or up to one of them, and counted', async () => {
  const space = await newSpace()
  const [author, other] = await people('edit', 'read')
  const base = await proposedBy(author!, space)
  for (const text of ['1', '2', '3', '4']) await made(ada, `POST ${base}/comments`, said(text))
  const unread = async () => (await author!('GET /v1/user/notifications?limit=0')).body.unread
  assert.equal(await unread(), 4)
  const [newest, second, third] = await notified(author!)
  const one = await made(author!, `PATCH /v1/user/notifications/${newest.id}`, { read: true })
  assert.deepEqual([one.read, await unread()], [true, 3])
  await made(author!, `PATCH /v1/user/notifications/${newest.id}`, { read: false })
  assert.equal(await unread(), 4)
  assert.deepEqual(await made(author!, 'PATCH /v1/user/notifications', { read: true, until: third.id }), {
    changed: 2,
  })
  assert.deepEqual(
    (await notified(author!, '?unread=true')).map(({ id }) => id),
    [newest.id, second.id],
  )
  assert.equal((await notified(author!, '?unread=false')).length, 2)

  assert.equal((await other!(`PATCH /v1/user/notifications/${newest.id}`, { read: true })).status, 404)
  assert.equal((await other!('PATCH /v1/user/notifications', { read: true, until: newest.id })).status, 400)
  assert.deepEqual(await made(other!, 'PATCH /v1/user/notifications', { read: true }), { changed: 0 })
  assert.deepEqual(await made(author!, 'PATCH /v1/user/notifications', { read: true }), { changed: 2 })
  assert.equal(await unread(), 0)
  for (const read of ['yes', null, 1])
    assert.equal((await author!(`PATCH /v1/user/notifications/${newest.id}`, { read })).status, 400)
})

test('notifications in a space that the user can no longer see are hidden', async () => {
  const [space, kept] = [await newSpace(), await newSpace()]
  const [author] = await people('edit')
  for (const one of [space, kept])
    await made(ada, `POST ${await proposedBy(author!, one)}/comments`, said('Secret'))
  const [, hidden] = await notified(author!)
  await made(ada, `POST ${space}/permissions`, { users: [author!.id], role: 'edit' })
  await made(ada, `PATCH ${space}/permissions/users/${author!.id}`, { role: null })
  const { body } = await author!('GET /v1/user/notifications')
  assert.deepEqual([body.count, body.unread, body.items[0].space.id], [1, 1, kept.split('/')[3]])
  assert.equal((await author!(`GET /v1/user/notifications/${hidden.id}`)).status, 404)
  assert.deepEqual(await made(author!, 'PATCH /v1/user/notifications', { read: true }), { changed: 1 })
  await made(ada, `DELETE /v1/orgs/${organizationId}/members/${author!.id}`)
  assert.deepEqual(await kinds(author!), [])
})

test('old notifications are deleted, and those beyond the newest 1,000 of a user', async () => {
  const spaceId = (await newSpace()).split('/')[3]!
  const [user] = await people('read')
  const about = { changeRequestId: null, commentId: null, replyId: null, reviewId: null, readAt: null }
  const now = new Date()
  const rows = Array.from({ length: 1_003 }, (_, i) => ({
    ...about,
    id: `n${String(i).padStart(21, '0')}`,
    userId: user!.id,
    kind: 'mention' as const,
    actorId: ada.id,
    spaceId,
    createdAt: new Date(now.getTime() - (i === 1_002 ? 91 : 1) * 86_400_000).toISOString(),
  }))
  await db.write(async (tx) => {
    for (let i = 0; i < rows.length; i += 100)
      await tx
        .insertInto('notification')
        .values(rows.slice(i, i + 100))
        .execute()
  })
  await expireEvents(app.services)({} as never, {} as never)
  const { body } = await user!('GET /v1/user/notifications?limit=1')
  assert.deepEqual([body.count, body.items[0].id], [1_000, rows[1_001]!.id])
})

test('the e-mail has the same values in each language', () => {
  const valuesOf = (texts: object) =>
    JSON.stringify(texts, (_name, text: unknown) =>
      typeof text === 'string' ? [...text.matchAll(/\{\w+\}/g)].map(String).toSorted().join(' ') : text,
    )
  for (const words of Object.values(DIGEST_WORDS)) assert.equal(valuesOf(words), valuesOf(DIGEST_WORDS.en))
  assert.match(valuesOf(DIGEST_WORDS.en), /\{actor\} \{where\}/)
})

test('a user who asks for it gets one e-mail a day with what is new and unread', async () => {
  const space = await newSpace()
  const [author, silent] = await people('edit', 'edit')
  const settings = async (by: Person) => (await by('GET /v1/user/notification-settings')).body
  assert.deepEqual(await settings(author!), { digest: 'off' })
  assert.equal((await author!('PATCH /v1/user/notification-settings', { digest: 'hourly' })).status, 400)
  const base = await proposedBy(author!, space)
  const others = await proposedBy(silent!, space)
  await made(ada, `POST ${base}/comments`, said('Before the setting'))
  await made(author!, 'PATCH /v1/user/notification-settings', { digest: 'daily' })
  assert.deepEqual(await settings(author!), { digest: 'daily' })

  const later = (hours: number) => void (world.clock.now = new Date(Date.now() + hours * 3_600_000))
  const digests = async () => {
    mail.letters.length = 0
    await expireEvents(app.services)({} as never, {} as never)
    await runDueJobs(world)
    return mail.letters.filter(({ subject }) => /notification|通知/.test(subject))
  }
  later(1)
  await made(ada, `POST ${base}/comments`, said('Secret words'))
  await made(ada, `POST ${others}/comments`, said('Not wanted'))
  assert.deepEqual(await digests(), [], 'not before a day is over')
  later(25)
  const [letter, ...more] = await digests()
  assert.deepEqual(more, [])
  assert.match(letter!.to, /^person-\d+@example\.com$/)
  assert.equal(letter!.subject, 'One new notification')
  assert.match(letter!.text, /“Administrator” commented on change request 1 \(“Mine”\) of “Live”\n {2}http/)
  assert.doesNotMatch(letter!.text, /Secret/)
  later(50)
  assert.deepEqual(await digests(), [], 'nothing is new')
  later(51)
  await made(ada, `POST ${base}/comments`, said('In Chinese'))
  await made(author!, `PATCH /v1/users/${author!.id}`, { language: 'zh' })
  later(75)
  const [chinese] = await digests()
  assert.equal(chinese!.subject, '一条新通知')
  assert.match(chinese!.text, /\n- “Administrator” 评论了“Live”的变更请求 1（“Mine”）\n {2}http/)
  assert.match(chinese!.text, /请在个人资料中更改设置：http\S+\/app\/profile\n$/)
  await made(ada, `POST ${base}/comments`, said('Again'))
  await made(author!, 'PATCH /v1/user/notification-settings', { digest: 'off' })
  later(100)
  assert.deepEqual(await digests(), [])

  // A user who has lost access meanwhile gets no e-mail.
  await made(ada, `DELETE /v1/orgs/${organizationId}/members/${author!.id}`)
  await sendEmail(app.services)({ template: 'digest', userId: author!.id, since: '2000' }, { id: 'digest' })
  assert.deepEqual(mail.letters, [])
  world.clock.now = undefined
})
