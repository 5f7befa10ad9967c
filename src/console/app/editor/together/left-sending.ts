/** Sends what closed tabs could not save. */
import { allLeftTexts, type LeftText } from '../saving/kept-text.ts'
import { send, sendSource } from '../saving/page-requests.ts'
import { type PagePlace } from '../../api/page-place.ts'
import { isUnanswered } from '../saving/session-machine.ts'
import { store } from '../../api/browser-storage.ts'

/** A text that the server does not have, and why. */
export interface RefusedText extends LeftText {
  error: Error
}

/** The refusals of the server, by their texts: the server would refuse the same text again. */
const refusals = new Map<string, Error>()

/** Sends the texts that closed tabs have left. @param except leaves those of some pages to others */
export async function sendLeftTexts(
  except: (place: PagePlace) => boolean,
): Promise<{ refused: RefusedText[]; isAnySent: boolean }> {
  const refused: RefusedText[] = []
  let isAnySent = false
  for (const left of await allLeftTexts(except)) {
    const error = await sendLeft(left)
    left.leave()
    if (error) refused.push({ ...left, error })
    else isAnySent = true
  }
  return { refused, isAnySent }
}

/** @returns why the server does not have it */
async function sendLeft({ name, place, unsaved }: LeftText): Promise<Error | undefined> {
  const text = JSON.stringify([name, unsaved])
  const known = refusals.get(text)
  if (known) return known
  try {
    await ('source' in unsaved ? sendSource(place, unsaved) : send(place, unsaved))
    store(name, undefined)
    return undefined
  } catch (error) {
    if (!isUnanswered(error)) refusals.set(text, error as Error)
    return error as Error
  }
}
