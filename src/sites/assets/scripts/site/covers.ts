import { all } from '../kit/find.ts'

/** Cards: a cover that cannot be loaded is removed, so that it leaves no empty box. */
export function startCovers(): void {
  for (const image of all<HTMLImageElement>('.card-cover'))
    if (image.complete && image.naturalWidth === 0) image.remove()
  // `error` events do not bubble, but they can be captured.
  const drop = ({ target }: Event) => {
    if (target instanceof Element && target.matches('.card-cover')) target.remove()
  }
  document.addEventListener('error', drop, true)
}
