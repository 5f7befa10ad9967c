import type { TryOperation } from '../../../../core/openapi/try-it.ts'
import { element } from '../kit/element.ts'
import { bodyFields } from './body-fields.ts'
import { choice, fieldGroup, makeField, securityFields } from './fields.ts'
import { buildRequest } from './request.ts'
import { responseContent, responseSummary, tryNote } from './response.ts'
import { NotSent, sendFromBrowser, type SendRequest, sendThroughSite } from './send.ts'
import { tryWords } from './words.ts'

const TIME_LIMIT_MS = 60_000

/** An operation on the page. It has `spec` if the server of the site may send its requests. */
export interface PageOperation extends TryOperation {
  spec?: string
}

/** The form of an operation, whose requests the reader can send. */
export function makeForm(operation: PageOperation): HTMLFormElement {
  const form = element('form', { className: 'try-form', noValidate: false, autocomplete: 'off' })
  form.setAttribute('aria-label', `${tryWords.tryIt}: ${operation.method} ${operation.path}`)

  const request = addFields(form, operation)
  const send = element('button', { className: 'button primary', textContent: tryWords.sendRequest })
  const cancel = element('button', {
    type: 'button',
    className: 'button secondary',
    textContent: tryWords.cancel,
    hidden: true,
  })
  const status = element('p', { className: 'try-status' })
  status.setAttribute('role', 'status')
  const shown = element('div', { className: 'try-response' })
  form.append(element('div', { className: 'try-actions' }, send, cancel), status, shown)

  let running: AbortController | undefined
  cancel.addEventListener('click', () => running?.abort())
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void run(sendFromBrowser)
  })

  async function run(way: SendRequest) {
    running?.abort()
    const own = (running = new AbortController())
    const clock = setTimeout(() => own.abort(), TIME_LIMIT_MS)
    cancel.hidden = false
    shown.replaceChildren()
    status.classList.remove('failed')
    status.textContent = tryWords.sending
    try {
      const start = performance.now()
      const response = await way(request(), own.signal)
      if (own !== running) return
      status.classList.toggle('failed', response.status >= 400)
      status.textContent = responseSummary(response, performance.now() - start)
      shown.replaceChildren(...responseContent(response))
    } catch (error) {
      if (own === running) fail(error, way)
    } finally {
      clearTimeout(clock)
      if (own === running) cancel.hidden = true
    }
  }

  function fail(error: unknown, way: SendRequest) {
    status.classList.add('failed')
    if (error instanceof Error && error.name === 'AbortError') {
      status.textContent = ''
      return
    }
    status.textContent = error instanceof NotSent ? error.message : tryWords.unreachable
    const throughSite = otherWay(operation)
    if (!throughSite || way !== sendFromBrowser) return
    const again = element('button', {
      type: 'button',
      className: 'button secondary',
      textContent: tryWords.proxyOffer,
    })
    again.addEventListener('click', () => {
      send.focus()
      void run(throughSite)
    })
    shown.replaceChildren(tryNote(tryWords.proxyNote), again)
  }

  return form
}

/** Adds the fields of an operation to its form. @returns reads the request from them */
function addFields(form: HTMLElement, operation: TryOperation) {
  const { input: server, label } = choice(tryWords.server, operation.servers)
  const security = operation.security.map((scheme) =>
    securityFields(scheme, () => new URL(server.value).origin),
  )
  server.addEventListener('change', () => {
    for (const { load } of security) load()
  })
  const parameters = operation.parameters.map((one) => ({ ...one, field: makeField(one) }))
  const body = bodyFields(operation.bodies)

  form.append(label)
  if (security.length > 0) {
    const labels = security.flatMap(({ labels: ofScheme }) => ofScheme)
    form.append(fieldGroup(tryWords.authentication, ...labels, tryNote(tryWords.kept)))
  }
  for (const place of ['path', 'query', 'header'] as const) {
    const labels = parameters.filter((one) => one.in === place).map(({ field }) => field.label)
    if (labels.length > 0) form.append(fieldGroup(tryWords.parameters[place], ...labels))
  }
  if (body) form.append(body.group)
  return () => buildRequest(operation, { server: server.value, parameters, security, body: body?.read() })
}

/** The server of the site sends the requests of an operation, if it may and can. */
function otherWay({ method, path, spec }: PageOperation): SendRequest | undefined {
  const { proxy } = document.body.dataset
  if (!spec || !proxy || ['OPTIONS', 'QUERY'].includes(method)) return undefined
  return sendThroughSite(proxy, { spec, path })
}
