/**
 * Two sessions of the editor and a program write in one page, as in `together.test.ts`, but without a browser: a minute
 * of writing passes within a second, so that rare meetings of saves, news and conflicts come up.
 */
import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Node } from 'prosemirror-model'
import { EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import type { Block } from '../../src/core/document/model.ts'
import { timesOf } from '../effort.ts'
import { archiveOf, spaceWith } from '../importing.ts'
import { createWorld, type Person } from '../world.ts'

const ROUNDS = timesOf(30, 4)
const WORDS = 50
/** A title has at most 200 characters. */
const MOST_IN_TITLE = 20
/** The clock of the sessions runs so many times as fast. */
const FAST = 200
/** The pause after which a session saves, and the longest time that a request takes on its way, in milliseconds. */
const QUIET_MS = 2000 / FAST
const LATENCY_MS = 8
const START = 'The first line has some words to write between.'
const MORE = 'And so has the second line, of which there is one more than of the first.'

const world = await createWorld()
const { ada } = world

/** The writer on whose behalf the program of the browser runs, and how often no response reaches them. */
interface Writer {
  name: string
  token: string
  network: { failures: number; losesResponses?: boolean; sent?: number }
}
const writing = new AsyncLocalStorage<Writer>()
const streams = new Set<Stream>()

/** The events of the change request, which all sessions share. */
class Stream {
  static readonly CLOSED = 2
  readonly readyState = 1
  readonly #listeners = new Map<string, (event: { data: string }) => void>()
  readonly #writer = writing.getStore()!

  constructor() {
    streams.add(this)
  }

  addEventListener(name: string, listener: (event: { data: string }) => void): void {
    this.#listeners.set(name, listener)
  }

  send(data: object): void {
    writing.run(this.#writer, () => this.#listeners.get('content')?.({ data: JSON.stringify(data) }))
  }

  close(): void {
    streams.delete(this)
  }
}

const { fetch: send, setTimeout: later } = globalThis
const onItsWay = () => wait(Math.random() * LATENCY_MS)

/** Sends a request of a session. Some get lost, and some responses too. */
async function sendFor({ token, network }: Writer, path: string, init: RequestInit): Promise<Response> {
  const fate = Math.random()
  await onItsWay()
  if (fate < network.failures) throw new TypeError('not sent')
  const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${token}` }
  const response = await send(world.url + path, { ...init, keepalive: false, headers })
  if (init.method === 'POST' && response.ok) tell(((await response.clone().json()) as Saved).revision)
  if (init.method === 'POST') network.sent = (network.sent ?? 0) + 1
  await onItsWay()
  if (fate > 1 - network.failures || (network.losesResponses && init.method === 'POST'))
    throw new TypeError('no response')
  return response
}

interface Saved {
  revision: string
}

/** Tells all sessions of a new revision, some time later. */
function tell(revision: string): void {
  for (const stream of streams)
    later(() => stream.send({ changeRequest: 'this', revision }), Math.random() * 5 * LATENCY_MS)
}

const nothing = { addEventListener() {}, removeEventListener() {} }
Object.assign(globalThis, {
  document: { ...nothing, hidden: false, visibilityState: 'visible' },
  window: nothing,
  EventSource: Stream,
  fetch: (path: string | URL, init: RequestInit = {}) => {
    const writer = writing.getStore()
    const isOwn = writer && typeof path === 'string' && path.startsWith('/v1')
    return isOwn ? sendFor(writer, path, init) : send(path, init)
  },
  setTimeout: (run: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) =>
    later(run, writing.getStore() ? ms / FAST : ms, ...values),
})
after(() => Object.assign(globalThis, { fetch: send, setTimeout: later }))

interface Session {
  changed(tr: Transaction): void
  settle(choice: string): Promise<void>
  close(): void
}
interface View {
  state: EditorState
  dispatch(tr: Transaction): void
}
// The sources of the browser have a configuration of their own, with the types of the DOM.
const load = (path: string): Promise<unknown> =>
  import(new URL(`../../src/console/app/${path}`, import.meta.url).href)
const { docOf } = (await load('content/schema/convert.ts')) as { docOf: (blocks: Block[]) => Node }
const { savedPage } = (await load('editor/saving/saving.ts')) as {
  savedPage: (revision: string, title: string, blocks: Block[]) => object
}
const { readNewest } = (await load('editor/saving/page-requests.ts')) as {
  readNewest: (place: object) => Promise<{ revision: string; title: string; blocks: Block[] }>
}
const { WritingSession } = (await load('editor/saving/writing-session.ts')) as {
  WritingSession: new (
    place: object,
    view: View,
    opened: object,
    show: (state: { is: string }) => void,
  ) => Session
}

const { openSource, SourceSession } = (await load('editor/source/source-session.ts')) as {
  openSource: (place: object) => Promise<{ saved: object; source: string }>
  SourceSession: new (
    place: object,
    view: { source: () => string; change: (changes: TextChange[]) => void; mark: () => void },
    saved: object,
    show: (state: { is: string }) => void,
  ) => { changed(): void; close(): void }
}
interface TextChange {
  from: number
  to: number
  insert: string
}

/** A page of a change request. */
async function newPage() {
  const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': '# Home\n' }))
  const { number } = (await ada(`POST /v1/spaces/${spaceId}/change-requests`, { subject: 'Together' })).body
  const change = `/v1/spaces/${spaceId}/change-requests/${number}`
  const document = { markdown: `# Page\n\n${START}\n\n${MORE}\n` }
  const made = await ada(`POST ${change}/content?compat=false`, {
    changes: [{ operation: 'insert_page', document }],
  })
  const page = made.body.changes[0].page.id as string
  return { place: { spaceId, number: String(number), page }, spaceId, change, page }
}

/** A page, and sessions of two writers in it. */
async function opened(network: Writer['network']) {
  const { place, ...rest } = await newPage()
  const sessions = await Promise.all(['one', 'two'].map((name) => sessionOf(name, place, network)))
  return { sessions, ...rest }
}

async function sessionOf(name: string, place: object, network: Writer['network']) {
  const { token } = (await ada('POST /v1/user/tokens', { label: name })).body
  const writer = { name, token, network }
  return writing.run(writer, async () => {
    const { revision, title, blocks } = await readNewest(place)
    const shown = { state: 'saved' }
    const view: View = {
      state: EditorState.create({ doc: docOf(blocks) }),
      dispatch(tr) {
        this.state = this.state.apply(tr)
        if (tr.docChanged) session.changed(tr)
      },
    }
    const kept = { read() {}, write() {}, leave() {} }
    const page = { saved: savedPage(revision, title, blocks), title, blocks, kept }
    const session = new WritingSession(place, view, page, ({ is }) => (shown.state = is))
    return { writer, view, session, shown }
  })
}

type Opened = Awaited<ReturnType<typeof opened>>
type Open = Opened['sessions'][number]

/** Types words before others that are anywhere, some of them at the end of a new paragraph. @returns the words */
async function write({ writer, view }: Open): Promise<string[]> {
  const words: string[] = []
  while (words.length < WORDS) {
    const places: number[] = []
    view.state.doc.descendants((node, at) => {
      for (const { index } of node.text?.matchAll(/(?<= )\S/g) ?? []) places.push(at + index)
    })
    const place = places[Math.floor(Math.random() * places.length)]!
    view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, place)))
    const word = `${writer.name}${words.length}`
    words.push(word)
    for (const letter of `${word} `) {
      view.dispatch(view.state.tr.insertText(letter))
      await wait(Math.random() * 2)
    }
    if (words.length % 7 === 0) view.dispatch(view.state.tr.split(view.state.selection.from))
    // A person thinks now and then, and the page is saved.
    if (Math.random() < 0.4) await wait(QUIET_MS * (0.5 + Math.random()))
  }
  return words
}

/** Adds words to the title with the API, on what it has read last. */
async function writeByApi({ spaceId, change, page }: Opened, by: Person, isOver: () => boolean) {
  const words: string[] = []
  while (!isOver()) {
    const { revision } = (await by(`GET ${change}`)).body
    const { title } = (await by(`GET /v1/spaces/${spaceId}/revisions/${revision}/page/${page}`)).body
    await wait(Math.random() * 3 * QUIET_MS)
    const word = `api${words.length}`
    const changes = [{ operation: 'update_page', page, title: `${word} ${title}` }]
    const { status, body } = await by(`POST ${change}/content?compat=false`, { revision, changes })
    if (status === 200) tell(body.revision)
    if (status === 200 && words.push(word) === MOST_IN_TITLE) break
  }
  return words
}

const linesOf = ({ view }: Open) =>
  view.state.doc.children.map(({ textContent }) => textContent.trim()).filter(Boolean)

/** Lets everybody write, and checks what is there in the end. @param failures the share of requests and responses that get lost */
async function holds(failures: number): Promise<void> {
  const network = { failures: 0 }
  const here = await opened(network)
  const { sessions, change, page } = here
  network.failures = failures
  const over = { written: false, settled: false }
  const settling = sessions.map(({ writer, session, shown }) =>
    writing.run(writer, async () => {
      for (; !over.settled; await wait(10 + Math.random() * 30))
        if (shown.state === 'conflict') await session.settle('both')
    }),
  )
  const byApi = writeByApi(here, ada, () => over.written)
  const written = await Promise.all(sessions.map((one) => writing.run(one.writer, () => write(one))))
  over.written = true
  const titles = await byApi
  network.failures = 0

  const end = Date.now() + 30_000
  const isSettled = () =>
    sessions.every(({ shown }) => shown.state === 'saved') &&
    linesOf(sessions[0]!).join('\n') === linesOf(sessions[1]!).join('\n')
  while (!isSettled()) {
    assert(Date.now() < end, JSON.stringify(sessions.map((one) => [one.shown.state, linesOf(one)])))
    await wait(20)
  }
  over.settled = true
  await Promise.all(settling)
  for (const { writer, session } of sessions) writing.run(writer, () => session.close())
  const { markdown, title } = (await ada(`GET ${change}/content/page/${page}?format=markdown`)).body
  const found = new Set<string>(`${title} ${markdown}`.match(/\w+/g))
  const expected = [...written.flat(), ...titles, ...`${START} ${MORE}`.match(/\w+/g)!]
  const lost = expected.filter((word) => !found.has(word))
  assert.deepEqual(lost, [], `${[...found.difference(new Set(expected))].join(' ')}\n${markdown}`)
}

test('no word of two writers and a program is lost, and all of them see the same in the end', async () => {
  for (let round = 0; round < ROUNDS; round++) await holds(0)
})

test('nor if requests and responses get lost', async () => {
  for (let round = 0; round < ROUNDS; round++) await holds(0.03)
})

test('a source that was stored without a response is not sent again', async () => {
  const { place, change, page } = await newPage()
  const { token } = (await ada('POST /v1/user/tokens', { label: 'source' })).body
  const network: Writer['network'] = { failures: 0 }
  await writing.run({ name: 'source', token, network }, async () => {
    const { saved, source } = await openSource(place)
    const shown = { source, state: 'saved' }
    const view = {
      source: () => shown.source,
      mark() {},
      change(changes: TextChange[]) {
        for (const { from, to, insert } of changes.toReversed())
          shown.source = shown.source.slice(0, from) + insert + shown.source.slice(to)
      },
    }
    const session = new SourceSession(place, view, saved, ({ is }) => (shown.state = is))
    const until = async (state: string) => {
      for (const end = Date.now() + 10_000; shown.state !== state; await wait(5))
        assert(Date.now() < end, shown.state)
    }
    const type = (word: string) => {
      shown.source = shown.source.replace(START, `${START} ${word}`)
      session.changed()
    }
    network.losesResponses = true
    type('one')
    await until('offline')
    type('two')
    network.losesResponses = false
    await until('saved')
    session.close()
    const { markdown } = (await ada(`GET ${change}/content/page/${page}?format=markdown`)).body
    assert.match(markdown, / two one$/m)
    assert.equal(network.sent, 2)
  })
})
