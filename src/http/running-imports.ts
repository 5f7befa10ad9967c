/** An import that has not ended. */
export interface RunningImport {
  stage: 'waiting' | 'fetching' | 'reading' | 'writing'
  /** The pages that are read, or the texts and files that are stored. */
  done?: number
  /** Their number in the whole source. */
  total?: number
  /** A timestamp. */
  startedAt: string
}

/** A stage with its amounts. */
export type ImportStage = Omit<RunningImport, 'startedAt'>

/** The progress of one import. Disposing it ends it. */
export interface TrackedImport extends Disposable {
  enter(stage: ImportStage): void
  /** Adds to what is done. */
  add(amount: number): void
}

/** The imports of all copies of the server on one database. */
export interface RunningImports {
  /** Tracks an import into a space from when it waits. */
  track(spaceId: string, now: Date): TrackedImport
  /** The imports into a space, oldest first. */
  of(spaceId: string): Promise<RunningImport[]>
  /** The stages of the imports of this process. */
  stages(): RunningImport['stage'][]
  /** Tells the other copies how far the imports of this one are. The server does it every second. */
  publish(): Promise<void>
}
