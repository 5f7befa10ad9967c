/** One line of the table. */
export interface Result {
  scenario: string
  ours: string
  reference: string
  /** Ours divided by the reference. */
  ratio: number
  /** The spread of ours: lowest and highest of the counted runs. */
  spread: string
  goal: string
}
