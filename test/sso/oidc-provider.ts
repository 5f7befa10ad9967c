/** An OpenID provider of another implementation, over HTTP: oidc-provider, with its pages for signing in during development. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import type { Browser, Page } from './browser.ts'

export interface OidcProviderServer {
  issuer: string
  clientId: string
  clientSecret: string
  /** What the provider says about people, by the name with which they sign in. */
  claims: Map<string, Record<string, unknown>>
  /** Starts to listen, for a service that receives codes at this address. */
  start(callbackURL: string): Promise<void>
  /** Signs in at the page of the provider that an address leads to, and agrees. @returns where it sends the browser back to */
  signIn(user: Browser, location: string, name: string): Promise<string>
}

/** @param method how the client sends its secret */
export async function startOidcProvider(method = 'client_secret_basic'): Promise<OidcProviderServer> {
  const claims: OidcProviderServer['claims'] = new Map()
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  after(() => server.close())
  // Not the name of the service, because cookies know no ports.
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [clientId, clientSecret] = ['lectern', 'a secret of the client: 100% + more']

  return {
    issuer,
    clientId,
    clientSecret,
    claims,
    async start(callbackURL) {
      // A name in a variable, because the package has no types.
      const library = 'oidc-provider'
      const { Provider } = (await import(library)) as {
        Provider: new (issuer: string, configuration: object) => { callback(): () => void }
      }
      const warn = console.warn
      console.warn = () => undefined
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: clientId,
            client_secret: clientSecret,
            redirect_uris: [callbackURL],
            token_endpoint_auth_method: method,
          },
        ],
        clientAuthMethods: [method],
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
        findAccount: (_: unknown, name: string) => ({
          accountId: name,
          claims: () => ({ sub: name, ...claims.get(name) }),
        }),
        pkce: { required: () => true },
        cookies: { keys: ['a key for tests'] },
        features: { devInteractions: { enabled: true } },
        ttl: {},
      })
      console.warn = warn
      server.on('request', provider.callback())
    },
    async signIn(user, location, name) {
      let page = await user.load(location)
      for (let step = 0; step < 12; step += 1) {
        if (page.location !== undefined && new URL(page.location).origin !== issuer) return page.location
        page = await next(user, page, name)
      }
      throw new Error(`The provider never sent the browser back: ${page.text}`)
    },
  }
}

/** Follows a redirect, or fills in the form of the page. */
async function next(user: Browser, page: Page, name: string): Promise<Page> {
  if (page.location !== undefined) return user.load(page.location)
  const [, action = ''] = /<form[^>]*action="([^"]+)"/.exec(page.text) ?? []
  const [, prompt = ''] = /name="prompt" value="([^"]+)"/.exec(page.text) ?? []
  if (!action) throw new Error(`The provider has no form: ${page.status} ${page.text}`)
  return user.load(new URL(action, page.url).href, { prompt, login: name, password: 'any' })
}
