import { all } from '../kit/find.ts'

/** Print: unfolds all sections. */
export function startPrinting(): void {
  addEventListener('beforeprint', () => {
    for (const fold of all<HTMLDetailsElement>('details.expandable:not([open])')) {
      fold.open = true
      fold.dataset.folded = ''
    }
  })
  addEventListener('afterprint', () => {
    for (const fold of all<HTMLDetailsElement>('details[data-folded]')) {
      fold.open = false
      delete fold.dataset.folded
    }
  })
}
