/** The session of an editor as a state machine: each event in each state, and any sequence of events. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { holds } from '../property.ts'
import { load } from './editor-steps.ts'
import { STEPS } from './saving-steps.ts'

interface State {
  doing: { is: string; after?: string }
  isClosed: boolean
  isDoubtful: boolean
  changedAt: number | undefined
  news: string | null | undefined
  turn: number
}
type Named = { is: string } & Record<string, unknown>
type Effect = { do: string } & Record<string, unknown>
const { BEGINNING, isSaving, next } = (await load('editor/saving/session-machine.ts')) as {
  BEGINNING: State
  isSaving: (state: State) => boolean
  next: (state: State, event: Named) => [State, Effect[]]
}

const { ApiFault } = (await load('api/requests.ts')) as {
  ApiFault: new (status: number, refused: { message: string; conflicts?: object[] }) => Error
}

const NOW = 50_000
const open: State = { ...BEGINNING, turn: 7 }
const doing = (is: string, more: object = {}): State['doing'] => ({ is, ...more })
const following: State = { ...open, doing: doing('following', { seen: 'r2' }), news: 'r2' }

/** A state of each kind. The server has revision r1. */
const STATES: Record<string, State> = {
  resting: open,
  'resting, changed': { ...open, changedAt: NOW - 9000 },
  'resting, in doubt': { ...open, isDoubtful: true },
  following,
  'following, more news': { ...following, news: 'r3' },
  checking: { ...open, doing: doing('checking'), isDoubtful: true },
  'comparing to save': { ...open, doing: doing('comparing', { after: 'begin' }) },
  'comparing after a save': { ...open, doing: doing('comparing', { after: 'send' }) },
  'comparing because of news': { ...open, doing: doing('comparing', { after: 'news' }), news: 'r2' },
  'comparing after following': { ...open, doing: doing('comparing', { after: 'follow' }), news: 'r2' },
  sending: { ...open, doing: doing('sending') },
  conflict: { ...open, doing: doing('conflict') },
  settling: { ...open, doing: doing('settling', { choice: 'mine' }) },
  'resting, closed': { ...open, isClosed: true },
  'checking, closed': { ...open, doing: doing('checking'), isDoubtful: true, isClosed: true },
  'comparing to save, closed': { ...open, doing: doing('comparing', { after: 'begin' }), isClosed: true },
  'comparing after a save, closed': { ...open, doing: doing('comparing', { after: 'send' }), isClosed: true },
  'sending, closed': { ...open, doing: doing('sending'), isClosed: true },
  'conflict, closed': { ...open, doing: doing('conflict'), isClosed: true },
}

const compared = (unsaved: string) => ({ unsaved, revision: 'r1', now: NOW })
const failed = (error: Error) => ({ is: 'failed', turn: 7, error })
const newest = (revision: string) => ({ is: 'read', turn: 7, newest: { revision } })
const CONFLICT = new ApiFault(409, { message: 'Conflict', conflicts: [{ kind: 'text' }] })

/** An event of each kind. */
const EVENTS: Record<string, Named> = {
  'a change': { is: 'changed', now: NOW },
  save: { is: 'save' },
  'an interruption': { is: 'missed' },
  'news of r2': { is: 'news', revision: 'r2' },
  'the time to look': { is: 'due' },
  'nothing is unsaved': { is: 'compared', ...compared('nothing') },
  'an empty title is unsaved': { is: 'compared', ...compared('unsendable') },
  'something is unsaved': { is: 'compared', ...compared('some') },
  'r1 is read': { ...newest('r1'), ...compared('nothing') },
  'r2 is read': { ...newest('r2'), ...compared('nothing') },
  'r2 is read, something is unsaved': { ...newest('r2'), ...compared('some') },
  stored: { is: 'stored', turn: 7, stored: 'answer' },
  'no response': failed(new TypeError('no response')),
  'too many requests': failed(new ApiFault(429, { message: 'Later' })),
  'a conflict': failed(CONFLICT),
  'a refusal': failed(new ApiFault(400, { message: 'No' })),
  'a choice': { is: 'settle', choice: 'both' },
  close: { is: 'close' },
}

function named({ doing: { is, ...more }, isClosed, isDoubtful, changedAt, news }: State): string {
  return [
    [is, ...Object.values(more)].join(' '),
    ...(isDoubtful ? ['in doubt'] : []),
    ...(changedAt === undefined ? [] : [`changed ${NOW - changedAt} ms ago`]),
    ...(news === undefined ? [] : [`news ${news}`]),
    ...(isClosed ? ['closed'] : []),
  ].join(', ')
}

function described(effect: Effect): string {
  const { do: name, turn: _turn, ...more } = effect
  const values = Object.values(more).map((value) =>
    typeof value === 'object' && value !== null ? Object.values(value)[0] : value,
  )
  return [name, ...values].join(' ')
}

const stepFrom = (state: State, event: Named): string => {
  const [after, effects] = next(state, event)
  return `${named(after)}: ${effects.map(described).join(', ')}`.trim()
}

for (const [from, state] of Object.entries(STATES))
  test(`each event in the state: ${from}`, () => {
    for (const [name, event] of Object.entries(EVENTS))
      assert.equal(stepFrom(state, event), STEPS[from]?.[name] ?? `${named(state)}:`, name)
    for (const [name, event] of Object.entries(EVENTS))
      if ('turn' in event)
        assert.deepEqual(next(state, { ...event, turn: 6 }), [state, []], `${name}, but too late`)
  })

test('the table has no other states and events', () => {
  assert.deepEqual(Object.keys(STEPS), Object.keys(STATES))
  for (const row of Object.values(STEPS))
    assert.deepEqual(
      Object.keys(row).filter((name) => !(name in EVENTS)),
      [],
    )
})

/** What becomes of a request. */
const FATES = ['answered', 'not sent', 'no response', 'too many', 'refused', 'conflict'] as const
type Fate = (typeof FATES)[number]
const ERRORS: Record<Exclude<Fate, 'answered'>, Error> = {
  'not sent': new TypeError('not sent'),
  'no response': new TypeError('no response'),
  'too many': new ApiFault(429, { message: 'Later' }),
  refused: new ApiFault(400, { message: 'No' }),
  conflict: CONFLICT,
}

/** A session whose document is the number of updates that were typed, and a server that has the first of them. */
class Model {
  state = BEGINNING
  typed = 0
  /** What the server has, as far as the session knows. */
  known = { updates: 0, revision: 0 }
  server = { updates: 0, revision: 0 }
  /** The updates that were sent last, until it is known whether the server has them. */
  sent: number | undefined
  kept = 0
  shown = 'saved'
  readonly timers = new Set<string>()
  readonly requests: { is: 'read' | 'send'; turn: number; updates: number }[] = []
  readonly #events: Named[] = []
  #saves = 0

  handle(event: Named): void {
    this.#events.push(event)
    if (this.#events.length > 1) return
    for (let one: Named | undefined = event; one; one = this.#events[0]) {
      const [state, effects] = next(this.state, one)
      this.state = state
      for (const effect of effects) this.#run(effect)
      this.#events.shift()
    }
  }

  #comparison() {
    const unsaved = this.typed > this.known.updates ? 'some' : 'nothing'
    return { unsaved, revision: `r${this.known.revision}`, now: 0 }
  }

  #run({ do: name, turn, ...more }: Effect): void {
    const newestRevision = Number((more['newest'] as { revision: string } | undefined)?.revision.slice(1))
    const isAll = this.sent !== undefined && this.server.updates >= this.sent
    if (name === 'show') this.shown = (more['shown'] as { is: string }).is
    else if (name === 'keep') this.#keep()
    else if (name === 'cancelSave') this.timers.delete('saveIn')
    else if (name === 'stop') this.timers.clear()
    else if (name === 'compare') this.handle({ is: 'compared', ...this.#comparison() })
    else if (name === 'read') this.requests.push({ is: 'read', turn: turn as number, updates: 0 })
    else if (name === 'send') this.#send(turn as number)
    else if (name === 'forget') this.sent = undefined
    else if (name === 'take' || (name === 'endDoubt' && isAll)) {
      this.known = {
        updates: this.sent!,
        revision: name === 'take' ? Number(more['stored']) : newestRevision,
      }
      this.sent = undefined
    } else if (name === 'endDoubt') this.sent = undefined
    else if (name === 'follow') this.#follow(newestRevision)
    else if (name === 'settle') this.known = { updates: this.server.updates, revision: newestRevision }
    else if (name === 'end') this.#ended()
    else this.timers.add(name)
  }

  #keep(): void {
    this.kept = this.typed
  }

  #follow(revision: number): void {
    assert.equal(this.typed, this.known.updates, 'the text of others replaces what is not saved')
    this.known.revision = revision
  }

  #send(turn: number): void {
    assert(!this.requests.some(({ is }) => is === 'send'), 'two saves run at once')
    this.sent = this.typed
    this.requests.push({ is: 'send', turn, updates: this.typed })
  }

  /** A view that is closed is saved once more if a save was running. */
  #ended(): void {
    if (this.state.isClosed && this.#saves++ === 0) this.handle({ is: 'save' })
  }

  close(): void {
    if (this.state.isClosed) return
    const wasSaving = isSaving(this.state)
    this.handle({ is: 'close' })
    if (!wasSaving) this.handle({ is: 'save' })
  }

  answer(nth: number, fate: Fate): void {
    const [request] = this.requests.splice(nth % Math.max(1, this.requests.length), 1)
    if (!request) return
    const { is, turn, updates } = request
    const isTaken = is === 'send' && (fate === 'answered' || fate === 'no response')
    if (isTaken) {
      assert.equal(this.server.updates, this.known.updates, 'updates are merged with themselves')
      this.server = { updates, revision: this.server.revision + 1 }
    }
    if (fate !== 'answered') {
      // Only a save can have a conflict.
      const error = ERRORS[is === 'read' && fate === 'conflict' ? 'refused' : fate]
      this.handle({ is: 'failed', turn, error })
    } else if (is === 'send') this.handle({ is: 'stored', turn, stored: this.server.revision })
    else
      this.handle({
        is: 'read',
        turn,
        newest: { revision: `r${this.server.revision}` },
        ...this.#comparison(),
      })
  }

  fire(timer: string): void {
    if (!this.timers.delete(timer)) return
    if (timer === 'keepSoon') this.#keep()
    else this.handle({ is: timer === 'saveIn' ? 'save' : 'due' })
  }

  /** Every update is stored, or on its way or planned, or the writer sees why not; and the browser has it until then. */
  check(): void {
    const { typed, known, shown, timers, kept, state } = this
    if (typed === known.updates) return
    if (!state.isClosed) {
      assert.notEqual(shown, 'saved')
      const isSeen = shown === 'refused' || shown === 'conflict'
      assert(isSeen || timers.has('saveIn') || isSaving(state), `nobody saves: ${named(state)}`)
    }
    assert(kept === typed || timers.has('keepSoon'), `nobody keeps: ${named(state)}`)
  }
}

type Act = (model: Model) => void
const anAct: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constant<Act>((model) => {
      if (model.state.isClosed) return
      model.typed += 1
      model.handle({ is: 'changed', now: 0 })
    }),
  },
  {
    weight: 6,
    arbitrary: fc.tuple(fc.nat(3), fc.constantFrom('answered' as const, ...FATES)).map(
      ([nth, fate]): Act =>
        (model) =>
          model.answer(nth, fate),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom('saveIn', 'keepSoon', 'lookIn').map(
      (timer): Act =>
        (model) =>
          model.fire(timer),
    ),
  },
  fc.constantFrom<Named>({ is: 'save' }, { is: 'missed' }, { is: 'settle', choice: 'both' }).map(
    (event): Act =>
      (model) =>
        model.handle(event),
  ),
  fc.boolean().map((isNews): Act => (model) => {
    model.server.revision += 1
    if (isNews) model.handle({ is: 'news', revision: `r${model.server.revision}` })
  }),
)

test('no update is dropped, none is saved twice, and no two saves run at once', () => {
  const isClosing = fc.boolean()
  holds(
    fc.property(fc.array(anAct, { maxLength: 60 }), isClosing, (acts, closes) => {
      const model = new Model()
      for (const act of acts) {
        act(model)
        model.check()
      }
      if (closes) model.close()
      model.check()
      // From now on, everything is answered.
      for (let round = 0; round < 100; round++) {
        model.answer(0, 'answered')
        for (const timer of new Set(model.timers)) model.fire(timer)
        if (closes) continue
        if (model.state.doing.is === 'conflict') model.handle({ is: 'settle', choice: 'both' })
        if (model.shown === 'refused') model.handle({ is: 'save' })
      }
      model.check()
      assert.equal(model.requests.length, 0)
      if (closes) return
      assert.deepEqual([model.known.updates, model.server.updates], [model.typed, model.typed])
      assert.deepEqual([model.shown, model.state.doing.is], ['saved', 'resting'])
    }),
    { cases: 20_000 },
  )
})
