/** An event that the page reports to its site. */
type SiteEvent =
  | { type: 'page_view'; referrer: string }
  | { type: 'search_open' }
  | { type: 'search_type_query'; query: string }
  | { type: 'search_open_result'; query: string; result: string }
  | { type: 'page_post_feedback'; rating: string }
  | { type: 'page_post_feedback_comment'; rating: string; comment: string }

/** Reports what a reader sends on purpose. */
export function sendEvent(event: SiteEvent): void {
  const address = document.body.dataset.events
  if (address) navigator.sendBeacon(address, JSON.stringify({ path: location.pathname, ...event }))
}

/** Reports what a reader does, without cookies or storage. A reader who asks not to be tracked is not counted. */
export function report(event: SiteEvent): void {
  const { globalPrivacyControl, doNotTrack } = navigator as Navigator & {
    globalPrivacyControl?: boolean
    doNotTrack?: string | null
  }
  if (globalPrivacyControl !== true && doNotTrack !== '1') sendEvent(event)
}

/** Reports the view of this page, when the reader sees it. */
export function reportView(): void {
  const view = () => report({ type: 'page_view', referrer: document.referrer })
  const isPrerendering = 'prerendering' in document && document.prerendering === true
  if (isPrerendering) document.addEventListener('prerenderingchange', view, { once: true })
  else view()
}
