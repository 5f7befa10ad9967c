/** The steps by which a writer changes the page tree: from the menu of a row, by keys, and by dragging. */
import { type RefObject, useEffect, useRef } from 'react'
import type { WritablePath } from '../../api/paths.ts'
import {
  deleteStep,
  type Direction,
  moveStep,
  stepsOf,
  type TreePlace,
  useIsTreeChanging,
  usePageChanges,
} from '../../content/tree/changes.ts'
import type { OutlinePage } from '../../content/tree/levels.ts'
import type { TreeOfPages } from '../../content/tree/page-tree.ts'
import { tellDone } from '../../ui/toasts.tsx'
import { forPeople } from '../../words/refusals.ts'
import { duplicateStep } from './duplicate.ts'
import { rowOf, useRowFocus } from './row-focus.ts'

/** The callbacks of the tree to the screen around it. */
export interface TreeActions {
  open: (page: OutlinePage) => void
  showOptions: (page: OutlinePage) => void
  addBelow: (page: OutlinePage) => void
  /** Shows a screen about the page. */
  showAbout: (page: OutlinePage, what: 'history' | 'links') => void
  /** Called after the page, with the pages below it, was deleted. */
  deleted: (page: OutlinePage) => void
}

export interface EditTreeProps {
  content: WritablePath
  tree: TreeOfPages
  current: OutlinePage | undefined
  actions: TreeActions
}

export type TreeSteps = ReturnType<typeof useTreeSteps>

/** @param frame the element around the rows */
export function useTreeSteps(
  { content, tree, actions }: EditTreeProps,
  frame: RefObject<HTMLElement | null>,
) {
  const send = usePageChanges(content)
  const isChanging = useIsTreeChanging(content)
  const isBusy = () => isChanging() || !tree.isUpToDate()
  const known = new Map(tree.known().map((page) => [page.id, page]))
  const focusInstead = useRowFocus(frame, isBusy())
  const move = (page: OutlinePage, place: TreePlace | undefined) => {
    if (!place) return
    const above = known.get(place.into ?? '')
    if (above) tree.setOpen(above, true)
    send.mutate(moveStep(tree, page, place))
  }
  const rename = (page: OutlinePage, title: string | undefined) => {
    if (title !== undefined) send.mutate({ changes: [{ operation: 'update_page', page: page.id, title }] })
  }
  const refused = (error: Error) => tellDone(forPeople(error))
  const run = (name: string, page: OutlinePage) => {
    if (name === 'options') actions.showOptions(page)
    else if (name === 'history' || name === 'links') actions.showAbout(page, name)
    else if (name === 'below') actions.addBelow(page)
    else if (name === 'copy') duplicateStep(content, tree, page).then(send.mutate, refused)
    else if (name === 'delete') {
      const next = neighbourOf(rowOf(frame.current, page.id))
      deleteStep(content, page).then((step) => {
        focusInstead(page.id, next)
        return send.mutate(step, { onSuccess: () => actions.deleted(page) })
      }, refused)
    } else move(page, stepsOf(tree, page)[name as Direction])
  }
  // A key that comes while a move is sent, or the tree is read again, means the tree after that.
  const waiting = useRef<[name: string, id: string][]>([])
  const runInTurn = (name: string, page: OutlinePage) => {
    if (isBusy()) waiting.current.push([name, page.id])
    else run(name, page)
  }
  useEffect(() => {
    // A key that sends nothing leaves the next one to this turn.
    while (waiting.current.length > 0 && !isBusy()) {
      const [name, id] = waiting.current.shift()!
      const page = known.get(id)
      if (page) run(name, page)
    }
  })
  return { known, move, rename, run, runInTurn }
}

/** The id of the page in the row after the page of a row and the pages below it, or else in the row before. */
function neighbourOf(row: Element | null | undefined): string | undefined {
  const level = Number(row?.getAttribute('aria-level'))
  let after = row?.nextElementSibling
  while (after && Number(after.getAttribute('aria-level')) > level) after = after.nextElementSibling
  return ((after ?? row?.previousElementSibling) as HTMLElement | null)?.dataset.key
}
