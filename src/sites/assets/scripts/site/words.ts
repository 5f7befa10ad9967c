import { pageWords } from '../kit/page-words.ts'

/** The words of the script of every page. */
export const siteWords = pageWords({
  copied: 'Copied',
  showAll: 'Show all lines',
  showFewer: 'Show fewer lines',
  enlarge: 'Enlarge image',
  image: 'Image',
  video: 'Video',
  close: 'Close',
})
