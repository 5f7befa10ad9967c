import { report } from '../kit/events.ts'
import { rememberSearch } from './recent.ts'

/** What a reader has written into the search field. */
export interface WrittenQuery {
  text(): string
  /** Counts the query, once. */
  report(): void
  /** Counts the query, and offers it again later. */
  remember(): void
}

/** Reads the search field. */
export function writtenQuery(input: HTMLInputElement): WrittenQuery {
  let reported = ''
  const text = () => input.value.trim()

  function reportQuery() {
    const query = text()
    if (query === '' || query === reported) return
    reported = query
    report({ type: 'search_type_query', query })
  }

  function remember() {
    if (text() === '') return
    reportQuery()
    rememberSearch(text())
  }

  return { text, report: reportQuery, remember }
}
