/** A browser as far as signing in needs it: it keeps cookies, and sends those with SameSite=Lax as browsers do. */
import { request } from 'undici'

export interface Page {
  status: number
  url: string
  headers: Record<string, string | string[] | undefined>
  text: string
  /** Where it redirects to. */
  location: string | undefined
}

export type Browser = ReturnType<typeof browser>

export function browser() {
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (url: string) => {
    // Cookies know no ports.
    const { hostname } = new URL(url)
    const jar = jars.get(hostname) ?? new Map<string, string>()
    jars.set(hostname, jar)
    return jar
  }

  /** @param from the page that sends a form; a form from another host goes without cookies */
  async function load(url: string, form?: Record<string, string>, from = url): Promise<Page> {
    const jar = jarOf(url)
    const isCrossSite = new URL(from).host !== new URL(url).host
    const cookies = form && isCrossSite ? '' : [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await request(url, {
      method: form ? 'POST' : 'GET',
      headers: {
        ...(cookies && { cookie: cookies }),
        ...(form && {
          'content-type': 'application/x-www-form-urlencoded',
          origin: new URL(from).origin,
          'sec-fetch-site': isCrossSite ? 'cross-site' : 'same-origin',
        }),
        'user-agent': 'A test browser',
      },
      ...(form && { body: new URLSearchParams(form).toString() }),
    })
    for (const line of [response.headers['set-cookie'] ?? []].flat()) {
      const [pair = ''] = line.split(';')
      const name = pair.slice(0, pair.indexOf('='))
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name)
      else jar.set(name, pair.slice(name.length + 1))
    }
    const { location } = response.headers
    const text = await response.body.text()
    const target = typeof location === 'string' ? new URL(location, url).href : undefined
    return { status: response.statusCode, url, headers: response.headers, text, location: target }
  }

  return {
    load,
    /** Loads a URL and follows redirects, up to a page. */
    async open(url: string, form?: Record<string, string>, from?: string): Promise<Page> {
      let page = await load(url, form, from)
      for (let i = 0; page.location !== undefined && i < 10; i += 1) {
        if (page.status >= 400) return page
        page = await load(page.location)
      }
      return page
    },
    cookie: (url: string, name: string) => jarOf(url).get(name),
    cookies: (url: string) => [...jarOf(url)].map(([name, value]) => `${name}=${value}`).join('; '),
    setCookie: (url: string, name: string, value: string) => jarOf(url).set(name, value),
  }
}
