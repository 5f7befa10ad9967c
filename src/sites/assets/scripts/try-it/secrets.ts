const kept = new Map<string, string>()

/** What a reader entered to authenticate, until the tab is closed. Each value is only offered to the server it was for. */
export const secrets = {
  get(name: string): string {
    try {
      return sessionStorage.getItem(name) ?? ''
    } catch {
      return kept.get(name) ?? ''
    }
  },
  set(name: string, value: string): void {
    kept.set(name, value)
    try {
      if (value === '') sessionStorage.removeItem(name)
      else sessionStorage.setItem(name, value)
    } catch {
      // Without storage the values last as long as the page.
    }
  },
}
