/** Lists of blocks and lines while conditions are put into them. */
import type { Tag } from '../tags.ts'

/** A condition that is open. */
export interface OpenCondition {
  opener: Tag
  /** The list in which it began; undefined if it began in data. */
  home: object | undefined
  /** Whether a node around the current place is hidden as a whole. */
  isCovered: boolean
}

/** The conditions that are open, in the order of the source. */
export interface OpenConditions {
  stack: OpenCondition[]
  /** Changes with the stack. */
  version: number
}

/** Makes the node of a condition. `start` and `end` are its tags, as far as they are in the list. */
export type Wrap<T> = (opener: Tag, inner: T[], start?: T, end?: T) => T

/** A list that puts what is added to it into the open conditions. */
export interface ConditionList<T> {
  add(node: T): void
  /** Opens the conditions around the next node, as far as `isWanted` says so. */
  surround(isWanted?: (condition: OpenCondition) => boolean): void
  open(opener: Tag, node: T): void
  /** @returns whether the list has the condition around what it holds */
  close(condition: OpenCondition, node: T): boolean
  /** Replaces the last node, if any. */
  extend(change: (last: T) => T): boolean
  /** Ends the list. Conditions that began in it and have not ended hide what follows it. */
  end(): T[]
}

/** The conditions that a list is to have around its next node. What a page hides already is not hidden twice. */
function wantedConditions(stack: readonly OpenCondition[], home: object): OpenCondition[] {
  const known = new Set<string>()
  return stack.filter(({ opener, home: began, isCovered }) => {
    const isHidden = isCovered || (began !== home && known.has(opener.argument))
    known.add(opener.argument)
    return !isHidden
  })
}

/** Begins a list. */
export function conditionList<T>(conditions: OpenConditions, wrap: Wrap<T>): ConditionList<T> {
  const root: T[] = []
  const open: { condition: OpenCondition; inner: T[]; start?: T }[] = []
  let version = -1

  const innermost = () => open.at(-1)?.inner ?? root
  const finish = (end?: T) => {
    const { condition, inner, start } = open.pop()!
    innermost().push(wrap(condition.opener, inner, start, end))
  }
  const list: ConditionList<T> = {
    add: (node) => {
      innermost().push(node)
    },
    surround(isWanted) {
      if (!isWanted && version === conditions.version) return
      version = isWanted ? -1 : conditions.version
      const wanted = wantedConditions(conditions.stack, list).filter(isWanted ?? (() => true))
      let same = 0
      while (same < open.length && open[same]!.condition === wanted[same]) same += 1
      while (open.length > same) finish()
      for (const condition of wanted.slice(same)) open.push({ condition, inner: [] })
    },
    open(opener, node) {
      list.surround()
      const condition = { opener, home: list, isCovered: false }
      conditions.stack.push(condition)
      conditions.version += 1
      version = conditions.version
      open.push({ condition, inner: [], start: node })
    },
    close(condition, node) {
      const at = open.findIndex((one) => one.condition === condition)
      if (at === -1) return false
      while (open.length > at + 1) finish()
      finish(node)
      return true
    },
    extend(change) {
      const inner = innermost()
      const last = inner.pop()
      if (last === undefined) return false
      inner.push(change(last))
      return true
    },
    end() {
      while (open.length > 0) finish()
      return root
    },
  }
  return list
}
