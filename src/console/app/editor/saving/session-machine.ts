/** The session of an editor as a state machine: when a page is saved, and when the text of others is read. Pure. */
import { ApiFault, type Conflict } from '../../api/api.ts'
import type { ConflictChoice } from './saving.ts'

/** How far saving is. */
export interface SaveState {
  is: 'saved' | 'waiting' | 'saving' | 'offline' | 'conflict' | 'refused'
  error?: Error
  conflicts?: Conflict[]
}

/** Saving begins after this time without a change. */
const QUIET = 2000
/** It begins after this time in any case. What failed is tried again after it. */
const LONGEST = 10_000

/** What a session does. */
type Activity =
  | { is: 'resting' }
  /** It reads the newest version, because the server has named `seen`. */
  | { is: 'following'; seen: string | null }
  /** A save has begun by reading the newest version, to find out whether the server has what was sent last. */
  | { is: 'checking' }
  /** It compares the document: to save it, after a save, because of news, or after it has shown the text of others. */
  | { is: 'comparing'; after: 'begin' | 'send' | 'news' | 'follow' }
  | { is: 'sending' }
  /** Others have changed the same. The browser keeps what is written until the writer chooses. */
  | { is: 'conflict' }
  /** It reads the newest version, to settle a conflict. */
  | { is: 'settling'; choice: ConflictChoice }

/** The state of a session. */
export interface SessionState {
  doing: Activity
  /** The view is closed. Only the save that has begun, and one more, can follow. */
  isClosed: boolean
  /** A save was sent and got no response: the server may have stored it or not. */
  isDoubtful: boolean
  /** When the first change was made that no save has been planned or begun for. */
  changedAt: number | undefined
  /** The newest revision that the server has named; null if there may be one that the browser has missed. */
  news: string | null | undefined
  /** The number of the last request. The response to an earlier one comes too late. */
  turn: number
}

/** A document compared with what the server has. */
export interface Comparison {
  /** What is not saved. No save sends a title without letters, which is `unsendable`. */
  unsaved: 'nothing' | 'unsendable' | 'some'
  /** The revision that the server has, as far as the session knows. */
  revision: string
  now: number
}

/** A version of the page. */
interface Version {
  revision: string
}

/** What can happen to a session. `Newest` is a version that was read, `Stored` the response to a save. */
export type SessionEvent<Newest extends Version, Stored> =
  | { is: 'changed'; now: number }
  /** Somebody or something wants it to be saved: the writer, a timer, a tab that is hidden, the network that is back. */
  | { is: 'save' }
  /** The stream of events was interrupted. */
  | { is: 'missed' }
  /** The server has named a revision. */
  | { is: 'news'; revision: string }
  /** It is time to look for news again. */
  | { is: 'due' }
  | ({ is: 'compared' } & Comparison)
  | ({ is: 'read'; turn: number; newest: Newest } & Comparison)
  | { is: 'stored'; turn: number; stored: Stored }
  /** A request has failed, or what came of it could not be used. */
  | { is: 'failed'; turn: number; error: Error }
  | { is: 'settle'; choice: ConflictChoice }
  | { is: 'close' }

/** What a session has to do, in this order. */
export type SessionEffect<Newest, Stored> =
  | { do: 'show'; shown: SaveState }
  /** Keeps in the browser what the server does not have. Forgets what was sent, because the server has refused it. */
  | { do: 'keep' | 'forget' }
  | { do: 'keepSoon' }
  | { do: 'saveIn' | 'lookIn'; ms: number }
  /** A save begins, so none has to be planned until the next change. */
  | { do: 'cancelSave' }
  /** Ends timers and listening. */
  | { do: 'stop' }
  /** Answers with `compared`. */
  | { do: 'compare' }
  /** Answers with `read` or `failed`. */
  | { do: 'read'; turn: number }
  /** Answers with `stored` or `failed`. */
  | { do: 'send'; turn: number }
  /** Takes the response to what was sent. */
  | { do: 'take'; stored: Stored }
  /** Shows what others have written. Finds out whether the server has what was sent last. */
  | { do: 'follow' | 'endDoubt'; newest: Newest }
  | { do: 'settle'; newest: Newest; choice: ConflictChoice }
  /** A save has ended. */
  | { do: 'end'; isSaved: boolean }

type Step<Newest, Stored> = [SessionState, SessionEffect<Newest, Stored>[]]

/** The state of a session that begins. */
export const BEGINNING: SessionState = {
  doing: { is: 'resting' },
  isClosed: false,
  isDoubtful: false,
  changedAt: undefined,
  news: undefined,
  turn: 0,
}

/** Whether a save has begun and not ended, or the settlement of a conflict, which ends with one. */
export function isSaving({ doing }: SessionState): boolean {
  if (doing.is === 'comparing') return doing.after === 'begin' || doing.after === 'send'
  return doing.is === 'checking' || doing.is === 'sending' || doing.is === 'settling'
}

/** Returns the state after an event, and what is to be done. */
export function next<N extends Version, S>(state: SessionState, event: SessionEvent<N, S>): Step<N, S> {
  if ('turn' in event && event.turn !== state.turn) return [state, []]
  const step = STEPS[event.is] as (from: SessionState, by: typeof event) => Step<N, S>
  const [after, effects] = step(state, event)
  return [after, after.isClosed ? effects.filter(({ do: name }) => !OF_OPEN_VIEW.has(name)) : effects]
}

/** Nothing is shown or planned after the view is closed. */
const OF_OPEN_VIEW = new Set<SessionEffect<unknown, unknown>['do']>(['show', 'keepSoon', 'saveIn', 'lookIn'])

type Steps = {
  [E in SessionEvent<Version, unknown>['is']]: <N extends Version, S>(
    state: SessionState,
    event: SessionEvent<N, S> & { is: E },
  ) => Step<N, S>
}

const STEPS: Steps = {
  changed: change,
  save: begin,
  missed: (state) => begin({ ...state, news: null }),
  news: (state, { revision }) => look({ ...state, news: revision }),
  due: look,
  compared: takeComparison,
  read: takeNewest,
  stored: (state, { stored }) =>
    state.doing.is === 'sending'
      ? [{ ...state, doing: AFTER_SEND }, [{ do: 'take', stored }, { do: 'compare' }]]
      : [state, []],
  failed: fail,
  settle: (state, { choice }) =>
    state.doing.is === 'conflict' ? read(state, { is: 'settling', choice }) : [state, []],
  close,
}

const RESTING: Activity = { is: 'resting' }
const CONFLICT: Activity = { is: 'conflict' }
const AFTER_BEGIN: Activity = { is: 'comparing', after: 'begin' }
const AFTER_SEND: Activity = { is: 'comparing', after: 'send' }

function change<N, S>(state: SessionState, { now }: { now: number }): Step<N, S> {
  const { is } = state.doing
  if (is === 'conflict' || is === 'settling') return [state, [{ do: 'keepSoon' }]]
  const [planned, effects] = plan<N, S>(state, now)
  if (!isSaving(state)) effects.unshift({ do: 'show', shown: { is: 'waiting' } })
  return [planned, effects]
}

/** Plans the next save after a change. */
function plan<N, S>(state: SessionState, now: number): Step<N, S> {
  const { changedAt = now } = state
  const ms = Math.max(0, Math.min(QUIET, changedAt + LONGEST - now))
  return [{ ...state, changedAt }, [{ do: 'keepSoon' }, { do: 'saveIn', ms }]]
}

/** Begins a save, unless one is running. */
function begin<N, S>(state: SessionState): Step<N, S> {
  if (state.doing.is === 'conflict') return [state, [{ do: 'end', isSaved: false }]]
  if (isSaving(state)) return [state, []]
  const begun: SessionState = { ...state, changedAt: undefined, doing: AFTER_BEGIN }
  if (!state.isDoubtful) return [begun, [{ do: 'cancelSave' }, { do: 'compare' }]]
  const [after, effects] = read<N, S>(begun, { is: 'checking' })
  return [after, [{ do: 'cancelSave' }, { do: 'show', shown: { is: 'saving' } }, ...effects]]
}

/** Begins to read the newest version. */
function read<N, S>(state: SessionState, doing: Activity): Step<N, S> {
  const turn = state.turn + 1
  return [{ ...state, doing, turn }, [{ do: 'read', turn }]]
}

/** Looks whether the news is to be read. */
function look<N, S>(state: SessionState): Step<N, S> {
  if (state.doing.is !== 'resting' || state.isClosed) return [state, []]
  return [{ ...state, doing: { is: 'comparing', after: 'news' } }, [{ do: 'compare' }]]
}

/** Reads what others have written if there is news of it, unless something is not saved: then the next save does. */
function follow<N, S>(state: SessionState, { unsaved, revision }: Comparison): Step<N, S> {
  const { news, isClosed } = state
  const isWanted = !isClosed && unsaved === 'nothing' && news !== undefined && news !== revision
  return isWanted ? read(state, { is: 'following', seen: news }) : [{ ...state, doing: RESTING }, []]
}

function takeComparison<N, S>(state: SessionState, comparison: Comparison): Step<N, S> {
  const { doing } = state
  if (doing.is !== 'comparing') return [state, []]
  const isSaved = comparison.unsaved === 'nothing'
  if (doing.after === 'news') return follow(state, comparison)
  if (doing.after === 'begin' && comparison.unsaved === 'some') return send(state)
  const [after, effects]: Step<N, S> = isSaved
    ? follow(state, comparison)
    : plan({ ...state, doing: RESTING }, comparison.now)
  const shown: SaveState = { is: isSaved ? 'saved' : 'waiting' }
  if (doing.after !== 'follow') effects.push({ do: 'end', isSaved })
  return [after, [{ do: 'keep' }, { do: 'show', shown }, ...effects]]
}

function send<N, S>(state: SessionState): Step<N, S> {
  const turn = state.turn + 1
  const shown: SaveState = { is: 'saving' }
  return [
    { ...state, doing: { is: 'sending' }, turn },
    [
      { do: 'show', shown },
      { do: 'send', turn },
    ],
  ]
}

function takeNewest<N extends Version, S>(
  state: SessionState,
  { newest, ...comparison }: { newest: N } & Comparison,
): Step<N, S> {
  const { doing } = state
  if (doing.is === 'following') {
    if (comparison.unsaved !== 'nothing') return [{ ...state, doing: RESTING }, []]
    // A revision that the server has named meanwhile may be newer than this one.
    const news = state.news === doing.seen ? newest.revision : state.news
    if (newest.revision === comparison.revision) return follow({ ...state, news }, comparison)
    const after: SessionState = { ...state, doing: { is: 'comparing', after: 'follow' }, news }
    return [after, [{ do: 'follow', newest }, { do: 'compare' }]]
  }
  if (doing.is === 'checking') {
    const after = { ...state, doing: AFTER_BEGIN, isDoubtful: false }
    return [after, [{ do: 'endDoubt', newest }, { do: 'compare' }]]
  }
  if (doing.is !== 'settling') return [state, []]
  const { choice } = doing
  const after = { ...state, doing: AFTER_BEGIN, isDoubtful: false, changedAt: undefined }
  return [after, [{ do: 'settle', newest, choice }, { do: 'compare' }]]
}

function fail<N, S>(state: SessionState, { error }: { error: Error }): Step<N, S> {
  const { doing } = state
  if (doing.is === 'resting' || doing.is === 'conflict') return [state, []]
  if (doing.is === 'following') return [{ ...state, doing: RESTING }, [{ do: 'lookIn', ms: LONGEST }]]
  const wasSent = doing.is === 'sending' || (doing.is === 'comparing' && doing.after === 'send')
  const shown = stateAfter(error)
  const isDoubtful = wasSent ? isUnanswered(error) : state.isDoubtful
  const after = { ...state, doing: shown.is === 'conflict' ? CONFLICT : RESTING, isDoubtful }
  const effects: SessionEffect<N, S>[] = [{ do: 'keep' }, { do: 'show', shown }]
  if (wasSent && !isDoubtful) effects.unshift({ do: 'forget' })
  if (shown.is === 'offline') effects.push({ do: 'saveIn', ms: LONGEST })
  return [after, [...effects, { do: 'end', isSaved: false }]]
}

/** What is being read for a view that is closed comes too late. */
function close<N, S>(state: SessionState): Step<N, S> {
  if (state.isClosed) return [state, []]
  const { is } = state.doing
  const closed = { ...state, isClosed: true }
  const effects: SessionEffect<N, S>[] = [{ do: 'keep' }, { do: 'stop' }]
  if (is !== 'following' && is !== 'settling') return [closed, effects]
  const doing = is === 'following' ? RESTING : CONFLICT
  return [{ ...closed, doing, turn: state.turn + 1 }, [...effects, { do: 'end', isSaved: false }]]
}

/** Whether nobody knows if the server has done what was asked. */
export function isUnanswered(error: unknown): boolean {
  return !(error instanceof ApiFault) || error.status === 0 || error.status >= 500
}

/** Returns the state after a save has failed: the save is retried, or the author has to act. */
export function stateAfter(error: Error): SaveState {
  const status = error instanceof ApiFault ? error.status : 0
  if (isUnanswered(error) || status === 429) return { is: 'offline', error }
  const conflicts = error instanceof ApiFault ? error.conflicts : []
  if (status === 409 && conflicts.length > 0) return { is: 'conflict', error, conflicts }
  return { is: 'refused', error }
}
