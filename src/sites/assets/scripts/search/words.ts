import { pageWords } from '../kit/page-words.ts'

/** The words of the search box. */
export const searchWords = pageWords({
  close: 'Close',
  search: 'Search',
  searchSite: 'Search this site',
  recentSearches: 'Recent searches',
  clearSearches: 'Clear',
})
