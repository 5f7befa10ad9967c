/** Runs the state machine of a session: its requests and timers, and what it hears from the browser and the server. */
import { listen } from '../../api/streams.ts'
import { changeRequestOf, type PagePlace } from '../../api/page-place.ts'
import {
  BEGINNING,
  type Comparison,
  isSaving,
  next,
  type SaveState,
  type SessionEffect,
  type SessionEvent,
  type SessionState,
} from './session-machine.ts'
import type { ConflictChoice } from './saving.ts'

/** The browser keeps unsaved changes after this time. */
const KEEP = 300

/** What a session does with its document. */
export interface SessionWork<Newest extends { revision: string }, Stored> {
  compare(): Omit<Comparison, 'now'>
  readNewest(): Promise<Newest>
  /** Sends the document as it is at the call. */
  send(): Promise<Stored>
  /** Takes the response to what was sent. */
  take(stored: Stored): void
  /** Forgets what was sent, because the server has refused it. */
  forget(): void
  /** Finds out whether the server has what was sent last, so that it is not merged with itself. */
  endDoubt(newest: Newest): void
  /** Shows what others have written. */
  follow(newest: Newest): void
  settle(newest: Newest, choice: ConflictChoice): void
  /** Keeps in the browser what the server does not have. */
  keep(): void
  /** From now on, the document is as the view has it now. */
  leaveView(): void
  show(state: SaveState): void
}

/** A session of a page. */
export class SessionRunner<Newest extends { revision: string }, Stored> {
  readonly #work: SessionWork<Newest, Stored>
  readonly #leave: () => void
  readonly #timers = new Map<'keep' | 'save' | 'due', ReturnType<typeof setTimeout>>()
  /** What has happened and is not handled: the effects of an event can make others. */
  readonly #events: SessionEvent<Newest, Stored>[] = []
  #state: SessionState = BEGINNING
  #isHandling = false
  #ending: PromiseWithResolvers<boolean> | undefined

  constructor(place: PagePlace, work: SessionWork<Newest, Stored>) {
    this.#work = work
    document.addEventListener('visibilitychange', this.#onHidden)
    window.addEventListener('online', this.#onOnline)
    this.#leave = listen(changeRequestOf(place), (name, { changeRequest, revision }) => {
      if (name === 'again' || name === 'reset') this.#handle({ is: 'missed' })
      else if (name === 'content' && changeRequest !== undefined)
        this.#handle({ is: 'news', revision: revision as string })
    })
    if (work.compare().unsaved !== 'nothing') this.changed()
  }

  /** Called after each change of the document. */
  changed(): void {
    this.#handle({ is: 'changed', now: Date.now() })
  }

  /** Saves now, if something has changed. @returns false if something is not saved */
  save(): Promise<boolean> {
    return this.#untilEnd({ is: 'save' })
  }

  /** Saves everything, also what was written while the last save was on its way. @returns false if it is not saved */
  async finish(): Promise<boolean> {
    if (isSaving(this.#state)) await this.save()
    return (
      (await this.save()) ||
      (this.#state.doing.is !== 'conflict' && this.#work.compare().unsaved === 'nothing')
    )
  }

  /** Settles a conflict with a choice, and saves. */
  async settle(choice: ConflictChoice): Promise<void> {
    if (this.#state.doing.is === 'conflict') await this.#untilEnd({ is: 'settle', choice })
  }

  /** Saves for the last time; the view is closed after it. @returns false if it is not saved, but kept */
  close(): Promise<boolean> {
    if (!this.#state.isClosed) this.#work.leaveView()
    this.#handle({ is: 'close' })
    return this.finish()
  }

  #onHidden = (): void => {
    if (document.visibilityState !== 'hidden') return
    this.#work.keep()
    this.#handle({ is: 'save' })
  }

  #onOnline = (): void => this.#handle({ is: 'save' })

  #untilEnd(event: SessionEvent<Newest, Stored>): Promise<boolean> {
    const { promise } = (this.#ending ??= Promise.withResolvers<boolean>())
    this.#handle(event)
    return promise
  }

  #handle(event: SessionEvent<Newest, Stored>): void {
    this.#events.push(event)
    if (this.#isHandling) return
    this.#isHandling = true
    for (let one = this.#events.shift(); one; one = this.#events.shift()) {
      const [state, effects] = next(this.#state, one)
      this.#state = state
      try {
        for (const effect of effects) this.#run(effect)
      } catch (error) {
        this.#handle({ is: 'failed', turn: state.turn, error: error as Error })
      }
    }
    this.#isHandling = false
  }

  #run(effect: SessionEffect<Newest, Stored>): void {
    switch (effect.do) {
      case 'show':
        return this.#work.show(effect.shown)
      case 'keep':
      case 'forget':
        return this.#work[effect.do]()
      case 'keepSoon':
        return this.#later('keep', KEEP, () => this.#work.keep())
      case 'saveIn':
        return this.#later('save', effect.ms, () => this.#handle({ is: 'save' }))
      case 'lookIn':
        return this.#later('due', effect.ms, () => this.#handle({ is: 'due' }))
      case 'cancelSave':
        return clearTimeout(this.#timers.get('save'))
      case 'stop':
        return this.#stop()
      case 'compare':
        return this.#handle({ is: 'compared', ...this.#compare() })
      case 'read':
        return this.#request(effect.turn, this.#work.readNewest(), (newest) =>
          this.#handle({ is: 'read', turn: effect.turn, newest, ...this.#compare() }),
        )
      case 'send':
        return this.#request(effect.turn, this.#work.send(), (stored) =>
          this.#handle({ is: 'stored', turn: effect.turn, stored }),
        )
      case 'take':
        return this.#work.take(effect.stored)
      case 'follow':
      case 'endDoubt':
        return this.#work[effect.do](effect.newest)
      case 'settle':
        return this.#work.settle(effect.newest, effect.choice)
      case 'end':
        this.#ending?.resolve(effect.isSaved)
        this.#ending = undefined
    }
  }

  #compare(): Comparison {
    return { ...this.#work.compare(), now: Date.now() }
  }

  #request<T>(turn: number, response: Promise<T>, take: (value: T) => void): void {
    void response.then(take).catch((error: Error) => this.#handle({ is: 'failed', turn, error }))
  }

  #later(name: 'keep' | 'save' | 'due', ms: number, run: () => void): void {
    clearTimeout(this.#timers.get(name))
    this.#timers.set(name, setTimeout(run, ms))
  }

  #stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#leave()
    document.removeEventListener('visibilitychange', this.#onHidden)
    window.removeEventListener('online', this.#onOnline)
  }
}
