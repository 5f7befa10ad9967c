/** Local storage, which the reader's browser may deny. */
export const memory = {
  get(key: string): string | null {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  },
  /** @param value null forgets the value */
  set(key: string, value: string | null): void {
    try {
      if (value === null) localStorage.removeItem(key)
      else localStorage.setItem(key, value)
    } catch {
      // Without storage the choice lasts as long as the page.
    }
  },
}
