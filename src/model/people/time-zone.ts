/** Names only: an offset such as `+01:00` is no time zone, because it does not know summer time. */
const NAME = /^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/

/** Whether a text is the name of a time zone of the IANA database, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  if (!NAME.test(name)) return false
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }) instanceof Intl.DateTimeFormat
  } catch {
    return false
  }
}
