import { all } from '../../../sites/assets/scripts/kit/find.ts'

/** After this time, the person may have stopped the first request, and can send the form again. */
const ONCE_MS = 5000

/**
 * A second click would send a form twice, and the browser would show the response to the second request: that the link or
 * the code was used before.
 */
export function startSendingOnce(): void {
  for (const form of all<HTMLFormElement>('form[method=post]')) {
    let sentAt = -ONCE_MS
    form.addEventListener('submit', (event) => {
      if (event.timeStamp - sentAt < ONCE_MS) event.preventDefault()
      else sentAt = event.timeStamp
    })
  }
}
