import type { ContentWords } from '../../../core/document/html/content-words.ts'

/** The words of the form that sends requests to an operation. */
export interface TryWords {
  /** The button that opens the form of an operation. */
  tryIt: string
  sendRequest: string
  cancel: string
  sending: string
  token: string
  userName: string
  password: string
  key: string
  contentType: string
  response: string
  responseHeaders: string
  noBody: string
  /** Said of a body that is no text. */
  binary: string
  /** Said of a long body. */
  shortened: string
  /** The API did not answer, or not this site. */
  unreachable: string
  proxyOffer: string
  proxyNote: string
  /** Said of what readers enter to authenticate. */
  kept: string
  choose: string
  /** Said of a field for several values. */
  commas: string
}

/** The text of the interface around the content, in one language. */
export interface Words {
  skip: string
  menu: string
  pages: string
  close: string
  /** The pages under a page of the tree. */
  under(title: string): string
  /** Links to the rest of a long level of the page tree. */
  earlierPages: string
  morePages: string
  breadcrumb: string
  outline: string
  siteLinks: string
  search: string
  /** The label of the search field. */
  searchSite: string
  searchResults(count: number): string
  nothingFound(query: string): string
  recentSearches: string
  clearSearches: string
  /** The links of a page of results that search all spaces of the site, and only the usual ones. */
  searchEverywhere: string
  searchLess: string
  sections: string
  /** The button that lists the sections of a site with many. */
  allSections: string
  /** The label of the field that filters a long list of links. */
  filter: string
  version(title: string): string
  darkTheme: string
  neighbours: string
  previous: string
  next: string
  lastUpdated: string
  edit: string
  viewMarkdown: string
  copyMarkdown: string
  copyMcp: string
  copyOtherMcp(name: string): string
  /** The headers that requests to a server need, by their names. */
  neededHeaders(names: string): string
  pdfOfPage: string
  pdfOfAll: string
  /** Asks readers to rate the page, and the answers. */
  helpful: string
  helpfulYes: string
  helpfulPartly: string
  helpfulNo: string
  thanks: string
  /** The label of an optional comment after a rating, and the button that sends it. */
  comment: string
  send: string
  pageActions: string
  openIn(name: string): string
  /** The prompt for an assistant about the page at this address. */
  askAbout(url: string): string
  announcement: string
  dismiss: string
  privacyPolicy: string
  publishedWith: string
  notFound: string
  notFoundText: string
  /** The headings of what a page for an unknown address suggests. */
  similarPages: string
  foundByAddress: string
  /** Of a space that has no page, or none that the reader may see. */
  emptyText: string
  failed: string
  failedText: string
  request(id: string): string
  toStart: string
  /** The name of a site that the reader may not know. */
  documentation: string
  signInTitle: string
  signInText: string
  signInExpired: string
  signInInvalid: string
  signIn: string
  /** Asks whether the reader wants to sign out, what happens then, and the button. */
  signOutTitle: string
  signOutText: string
  signOut: string
  signedOut: string
  signedOutText: string
  openSite: string
  /** The label of the bar above a preview, and what it says. */
  preview: string
  leavePreview: string
  previewOfSite: string
  previewOfChangeRequest(number: number): string
  previewOfRevision(when: string): string
  /** For the script of the page. */
  copied: string
  showAll: string
  showFewer: string
  enlarge: string
  video: string
  showSource: string
  hideSource: string
  /** The alternative text of a diagram that does not describe itself: what it is, and how to read it. */
  diagram: string
  diagramText: string
  /** Before the reason. */
  diagramFault: string
  diagramSlow: string
  /** For the content of pages. */
  tryIt: TryWords
  content: ContentWords
}
