/**
 * The effect of a change on clients of the API that were made before it: it `breaks` them, it `may-break` some of them,
 * or it is `safe`.
 */
export type ChangeEffect = 'breaks' | 'may-break' | 'safe'

/** A difference between two specifications. */
export interface ApiChange {
  effect: ChangeEffect
  /** The operation, such as `GET /users/{id}`, the schema, such as `User in responses`, or `API`. */
  place: string
  /** A description of the difference. */
  what: string
}

/** The most changes that a comparison reports. */
const MOST_CHANGES = 10_000

/** Collects changes. */
export class ChangeList {
  readonly all: ApiChange[] = []

  add(effect: ChangeEffect, place: string, what: string): void {
    if (this.all.length < MOST_CHANGES) this.all.push({ effect, place, what })
  }

  /** @returns what reports changes at a place */
  at(place: string): Report {
    return (effect, what) => this.add(effect, place, what)
  }
}

/** Reports a change at a place that is known. */
export type Report = (effect: ChangeEffect, what: string) => void
