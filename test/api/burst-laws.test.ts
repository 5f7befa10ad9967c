/** Whatever two authors do and whenever jobs run, each revision of the history stays whole. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { draftOn, insert } from '../batches.ts'
import { checkStored, DAY, MINUTE, pass, save, SECOND } from '../bursts.ts'
import { runDueJobs } from '../due-jobs.ts'
import { holds } from '../property.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, db } = world
world.clock.now = new Date()
const bob = await world.person('Bob', 'admin')
const people = [ada, bob]

/** Few texts, so that the same ones are written again and again. */
const LINES = ['Alpha.', 'Beta.', 'Gamma.']
const textOf = (choices: readonly number[]) =>
  `# Page\n\n${choices.map((choice, i) => `Paragraph ${i}: ${LINES[choice]}\n`).join('\n')}`

/** A space with so many pages that its map has several levels. */
const large = await largeSpace()

async function largeSpace(): Promise<string> {
  const { spaceId, changeRequest, made } = await draftOn(world)
  for (let i = 0; i < 3; i++)
    await made(...Array.from({ length: 50 }, (_, n) => insert(`# Page ${i * 50 + n}\n`)))
  const merged = await ada(`POST /v1/spaces/${spaceId}/change-requests/${changeRequest.id}/merge`, {})
  assert.equal(merged.status, 200, merged.text)
  return spaceId
}

const person = fc.nat(1)
const draft = fc.constantFrom(0, 0, 0, 1)
const text = fc.array(fc.nat(LINES.length - 1), { minLength: 3, maxLength: 3 })
const page = fc.constantFrom(0, 0, 0, 1)
const step = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('save' as const),
      person,
      draft,
      page,
      text,
      /** How many revisions before the newest one; -1 is without a base. */
      base: fc.constantFrom(0, 0, 0, 0, 1, 2, 5, -1),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('revert' as const),
      person,
      draft,
      page,
      of: draft,
      from: fc.nat(6),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('insert' as const), person, draft, text }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('comment' as const),
      person,
      draft,
      page,
      onBlock: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('review' as const), draft }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('read' as const), draft }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(5 * SECOND, 5 * SECOND, 30 * SECOND, 2 * MINUTE, 6 * MINUTE),
    }),
  },
)

test('every revision stays readable, every replaced one a base, and nothing refers to what is deleted', async () => {
  const steps = fc.array(step, { minLength: 10, maxLength: 40 })
  await holds(
    fc.asyncProperty(steps, async (all) => {
      const copy = await ada(`POST /v1/spaces/${large}/duplicate`)
      assert.equal(copy.status, 201, copy.text)
      const spaceId = copy.body.id as string
      const drafts = [await draftOn(world, spaceId), await draftOn(world, spaceId)]
      const space = `/v1/spaces/${spaceId}`
      const { body: listed } = await ada(`GET /v1/spaces/${spaceId}/content/pages`)
      const pages = (listed.pages as { id: string }[]).slice(0, 2).map(({ id }) => id)
      const address = (i: number) => `${space}/change-requests/${drafts[i]!.changeRequest.id}`
      const known = [[await drafts[0]!.revision()], [await drafts[1]!.revision()]]
      /** The texts of the pages that each revision had when it was the newest. */
      const seen = new Map<string, string[]>()
      const note = async (i: number) => {
        const revision = await drafts[i]!.revision()
        if (!known[i]!.includes(revision)) known[i]!.push(revision)
        seen.set(revision, await Promise.all(pages.map((id) => drafts[i]!.markdown(id))))
      }
      for (const one of all) {
        switch (one.kind) {
          case 'save': {
            const revision = one.base < 0 ? undefined : known[one.draft]!.at(-1 - one.base)
            const by = people[one.person]!
            const target = pages[one.page]!
            const { status, text: answer } = await save(
              by,
              address(one.draft),
              revision,
              target,
              textOf(one.text),
            )
            assert(status === 200 || (status === 409 && revision !== undefined), answer)
            await note(one.draft)
            break
          }
          case 'revert': {
            const revision = known[one.of]!.at(-1 - one.from) ?? known[one.of]![0]!
            const changes = [{ operation: 'revert_page', page: pages[one.page], revision }]
            const answer = await people[one.person]!(`POST ${address(one.draft)}/content`, {
              changes,
              revision: known[one.draft]!.at(-1),
            })
            assert([200, 400, 404].includes(answer.status), answer.text)
            await note(one.draft)
            break
          }
          case 'insert': {
            const answer = await people[one.person]!(`POST ${address(one.draft)}/content`, {
              changes: [insert(textOf(one.text))],
              revision: known[one.draft]!.at(-1),
            })
            assert.equal(answer.status, 200, answer.text)
            await note(one.draft)
            break
          }
          case 'comment': {
            const { body: read } = await ada(
              `GET ${address(one.draft)}/content/page/${pages[one.page]}/document`,
            )
            const node = (read.nodes as { key: string; type: string }[]).find(
              ({ type }) => type === 'paragraph',
            )
            const target = { page: pages[one.page], ...(node ? { node: node.key } : {}) }
            const body = { body: { markdown: 'Hm.' }, ...(one.onBlock ? target : {}) }
            const answer = await people[one.person]!(`POST ${address(one.draft)}/comments`, body)
            assert.equal(answer.status, 200, answer.text)
            break
          }
          case 'review': {
            const answer = await bob(`POST ${address(one.draft)}/reviews`, { status: 'approved' })
            assert([200, 201, 400, 403, 409].includes(answer.status), answer.text)
            break
          }
          case 'read': {
            const target = pages[0]
            const answer = await ada(`GET ${address(one.draft)}/content/page/${target}/links`)
            assert([200, 404].includes(answer.status), answer.text)
            break
          }
          case 'wait':
            pass(world, one.ms)
            await runDueJobs(world)
        }
      }
      await checkStored(world, spaceId)
      for (const days of [0, 8]) {
        pass(world, days * DAY + 3 * MINUTE)
        await runDueJobs(world)
        await checkStored(world, spaceId)
        const rows = await db.read
          .selectFrom('revision')
          .select('id')
          .where('spaceId', '=', spaceId)
          .where('changeRequestId', 'is not', null)
          .execute()
        for (const { id } of rows) {
          const texts = seen.get(id)
          if (!texts) continue
          for (const [at, markdown] of texts.entries()) {
            const { status, body } = await ada(
              `GET ${space}/revisions/${id}/page/${pages[at]}?format=markdown`,
            )
            assert.equal(status, 200)
            assert.equal(body.markdown, markdown)
          }
        }
      }
    }),
    { cases: 400, byDefault: 6 },
  )
})
