// The forms that send requests to the operations of an API. The page describes the operations without this script. What a
// reader enters goes to the API alone, and to the server of the site only if the reader chooses that. Responses are shown
// as text.

const operations = document.querySelectorAll('[data-try]')
/** Bytes of a response that are read, and characters that are shown. */
const MOST_READ = 4_000_000
const MOST_SHOWN = 200_000
const TIME_LIMIT_MS = 60_000

/** The words of this script, in the language of the page. */
const words = {
  tryIt: 'Try it',
  sendRequest: 'Send',
  cancel: 'Cancel',
  sending: 'Sending the request…',
  token: 'Token',
  userName: 'User name',
  password: 'Password',
  key: 'Key',
  contentType: 'Content type',
  response: 'Response',
  responseHeaders: 'Headers of the response',
  noBody: 'The response has no body.',
  binary: 'The response is not text.',
  shortened: 'Only the beginning is shown.',
  unreachable: 'The browser received no response. The API may not permit requests from this site, or it cannot be reached.',
  proxyOffer: 'Send through this site',
  proxyNote: 'The server of this site then passes the request on, with what you entered. It does not store anything of it.',
  kept: 'Your browser keeps these until you close the tab.',
  choose: 'Choose…',
  commas: 'separated by commas',
  server: 'Server',
  authentication: 'Authentication',
  parameters: { path: 'Path parameters', query: 'Query parameters', header: 'Headers' },
  body: 'Request body',
  required: 'required',
  ...JSON.parse(document.body.dataset.words ?? '{}'),
}

/** What a reader entered to authenticate, until the tab is closed. Each value is only offered to the server it was for. */
const secrets = {
  kept: new Map(),
  get(name) {
    try {
      return sessionStorage.getItem(name) ?? ''
    } catch {
      return this.kept.get(name) ?? ''
    }
  },
  set(name, value) {
    this.kept.set(name, value)
    try {
      if (value === '') sessionStorage.removeItem(name)
      else sessionStorage.setItem(name, value)
    } catch {
      // Without storage the values last as long as the page.
    }
  },
}

function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...children.filter((one) => one !== undefined))
  return made
}

for (const card of operations) {
  const operation = JSON.parse(card.dataset.try)
  const button = element('button', { type: 'button', className: 'button secondary try-open', textContent: words.tryIt })
  button.setAttribute('aria-expanded', 'false')
  button.setAttribute('aria-label', `${words.tryIt}: ${operation.method} ${operation.path}`)
  let form
  button.addEventListener('click', () => {
    form ??= formOf(operation, card)
    form.hidden = button.getAttribute('aria-expanded') === 'true'
    button.setAttribute('aria-expanded', String(!form.hidden))
    if (!form.hidden) form.querySelector('input, select, textarea, button')?.focus()
  })
  card.append(button)
}

function formOf(operation, card) {
  const form = element('form', { className: 'try-form', noValidate: false, autocomplete: 'off' })
  form.setAttribute('aria-label', `${words.tryIt}: ${operation.method} ${operation.path}`)

  const server = choice(words.server, operation.servers)
  const origin = () => new URL(server.value()).origin
  const ofSecrets = operation.security.map((scheme) => securityOf(scheme, origin))
  server.input.addEventListener('change', () => ofSecrets.forEach(({ load }) => load()))
  const parameters = operation.parameters.map((one) => ({ ...one, field: fieldOf(one) }))
  const body = bodyOf(operation.bodies)

  form.append(server.label)
  if (ofSecrets.length > 0) {
    const note = element('p', { className: 'try-note', textContent: words.kept })
    form.append(group(words.authentication, ...ofSecrets.flatMap(({ labels }) => labels), note))
  }
  for (const place of ['path', 'query', 'header']) {
    const fields = parameters.filter((one) => one.in === place)
    if (fields.length > 0) form.append(group(words.parameters[place], ...fields.map(({ field }) => field.label)))
  }
  if (body) form.append(body.group)

  const send = element('button', { className: 'button primary', textContent: words.sendRequest })
  const cancel = element('button', { type: 'button', className: 'button secondary', textContent: words.cancel, hidden: true })
  const status = element('p', { className: 'try-status' })
  status.setAttribute('role', 'status')
  const shown = element('div', { className: 'try-response' })
  form.append(element('div', { className: 'try-actions' }, send, cancel), status, shown)

  let running
  cancel.addEventListener('click', () => running?.abort())
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void run(sendFromBrowser)
  })

  async function run(way) {
    running?.abort()
    const own = (running = new AbortController())
    const clock = setTimeout(() => own.abort(), TIME_LIMIT_MS)
    cancel.hidden = false
    shown.replaceChildren()
    status.classList.remove('failed')
    status.textContent = words.sending
    try {
      const start = performance.now()
      const response = await way(requestOf(operation, server.value(), parameters, ofSecrets, body), own.signal)
      if (own === running) show(response, performance.now() - start)
    } catch (error) {
      if (own === running) fail(error, way)
    } finally {
      clearTimeout(clock)
      if (own === running) cancel.hidden = true
    }
  }

  function fail(error, way) {
    status.classList.add('failed')
    if (error.name === 'AbortError') {
      status.textContent = ''
      return
    }
    status.textContent = error.said ?? words.unreachable
    const proxy = document.body.dataset.proxy
    const canProxy = operation.spec && proxy && way === sendFromBrowser && !['OPTIONS', 'QUERY'].includes(operation.method)
    if (!canProxy) return
    const again = element('button', { type: 'button', className: 'button secondary', textContent: words.proxyOffer })
    again.addEventListener('click', () => {
      send.focus()
      void run((request, signal) => sendThroughSite(operation, proxy, request, signal))
    })
    shown.replaceChildren(element('p', { className: 'try-note', textContent: words.proxyNote }), again)
  }

  function show({ status: code, statusText, headers, bytes, cut }, ms) {
    const size = bytes.length < 1000 ? `${bytes.length} B` : `${(bytes.length / 1000).toFixed(1)} kB`
    status.classList.toggle('failed', code >= 400)
    status.textContent = [`${words.response}: ${code} ${statusText ?? ''}`.trim(), `${Math.round(ms)} ms`, size].join(' · ')
    const list = element('dl', {}, ...headers.flatMap(([name, value]) => [element('dt', { textContent: name }), element('dd', { textContent: value })]))
    const folded = element('details', { className: 'try-headers' }, element('summary', { textContent: `${words.responseHeaders} (${headers.length})` }), list)
    shown.replaceChildren(...(headers.length > 0 ? [folded] : []), ...bodyShown(bytes, cut))
  }

  card.after(form)
  return form
}

/** The body of a response as text, and never as anything that a browser runs. */
function bodyShown(bytes, cut) {
  if (bytes.length === 0) return [element('p', { className: 'try-note', textContent: words.noBody })]
  let text
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: cut })
  } catch {
    return [element('p', { className: 'try-note', textContent: words.binary })]
  }
  try {
    if (!cut) text = JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // A text that is no JSON is shown as it is.
  }
  const pre = element('pre', { tabIndex: 0 }, element('code', { textContent: text.slice(0, MOST_SHOWN) }))
  pre.setAttribute('role', 'group')
  pre.setAttribute('aria-label', words.response)
  const isCut = cut || text.length > MOST_SHOWN
  return [pre, ...(isCut ? [element('p', { className: 'try-note', textContent: words.shortened })] : [])]
}

// Fields

function group(title, ...children) {
  return element('fieldset', {}, element('legend', { textContent: title }), ...children)
}

function labelled(name, about, input) {
  const text = element('span', { className: 'try-name' }, element('code', { textContent: name }), about ? ` ${about}` : '')
  return element('label', { className: 'try-field' }, text, input)
}

function choice(title, values) {
  const input = element('select', {}, ...values.map((value) => element('option', { value, textContent: value })))
  const label = element('label', { className: 'try-field' }, element('span', { className: 'try-name', textContent: title }), input)
  return { input, label, value: () => input.value }
}

/** The field of a parameter, or of a form in the body. */
function fieldOf({ name, type, required, kind, values, value }) {
  const options = values ?? (kind === 'boolean' ? ['true', 'false'] : undefined)
  const input = options
    ? element('select', {}, element('option', { value: '', textContent: required ? words.choose : '' }), ...options.map((one) => element('option', { value: one, textContent: one })))
    : element('input', { type: kind === 'file' ? 'file' : 'text', spellcheck: false, autocapitalize: 'none', autocomplete: 'off' })
  if (value !== undefined && kind !== 'file') input.value = value
  input.required = required === true
  const about = [type, kind === 'list' ? words.commas : '', required ? words.required : ''].filter(Boolean).join(', ')
  return { label: labelled(name, about, input), value: () => (kind === 'file' ? input.files[0] : input.value) }
}

function securityOf({ name, kind, key }, origin) {
  const titles = kind === 'basic' ? [words.userName, words.password] : [kind === 'bearer' ? words.token : words.key]
  const inputs = titles.map((title, i) =>
    element('input', { type: kind === 'basic' && i === 0 ? 'text' : 'password', spellcheck: false, autocapitalize: 'none', autocomplete: 'off' }),
  )
  const place = (i) => `lectern-try ${origin()} ${name} ${i}`
  const load = () => inputs.forEach((input, i) => (input.value = secrets.get(place(i))))
  inputs.forEach((input, i) => input.addEventListener('input', () => secrets.set(place(i), input.value)))
  load()
  return { name, kind, key, load, labels: inputs.map((input, i) => labelled(name, titles[i], input)), values: () => inputs.map(({ value }) => value) }
}

function bodyOf(bodies) {
  if (bodies.length === 0) return undefined
  const type = choice(words.contentType, bodies.map((one) => one.type))
  const parts = bodies.map(({ type: named, text, fields }) => {
    if (fields) {
      const made = fields.map((one) => ({ ...one, field: fieldOf(one) }))
      return { made, content: element('div', {}, ...made.map(({ field }) => field.label)) }
    }
    const input = element('textarea', { value: text, rows: Math.min(Math.max(text.split('\n').length, 3), 16), spellcheck: false })
    return { input, content: labelled(named, '', input) }
  })
  const show = () => {
    for (const [i, { content }] of parts.entries()) {
      content.hidden = i !== type.input.selectedIndex
      // The browser demands no field of a body that is not sent.
      for (const input of content.querySelectorAll('input, select, textarea')) input.disabled = content.hidden
    }
  }
  type.input.addEventListener('change', show)
  show()
  return {
    group: group(words.body, ...(bodies.length > 1 ? [type.label] : []), ...parts.map(({ content }) => content)),
    read: () => readBody(bodies[type.input.selectedIndex].type, parts[type.input.selectedIndex]),
  }
}

function readBody(type, { input, made = [] }) {
  if (input) return input.value === '' ? undefined : { type, body: input.value }
  const isMultipart = type.toLowerCase().startsWith('multipart/')
  const body = isMultipart ? new FormData() : new URLSearchParams()
  for (const { name, kind, field } of made) {
    const value = field.value()
    if (value === '' || value === undefined) continue
    if (kind === 'list') for (const one of listOf(value)) body.append(name, one)
    else if (isMultipart || kind !== 'file') body.append(name, value)
  }
  // The browser adds the boundary of the parts.
  return isMultipart ? { body } : { type, body: body.toString() }
}

// Requests

const listOf = (text) => text.split(',').map((one) => one.trim())

function requestOf({ method, path }, server, parameters, ofSecrets, body) {
  const query = []
  const headers = []
  let filled = path
  const pair = (name, value) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
  for (const { name, in: place, kind, style, explode, field } of parameters) {
    const value = field.value()
    if (value === '' && place !== 'path') continue
    const isList = kind === 'list'
    if (place === 'path') {
      const written = (isList ? listOf(value) : [value]).map(encodeURIComponent).join(',')
      filled = filled.replaceAll(`{${name}}`, () => written)
    } else if (place === 'header') headers.push([name, value])
    else if (style === 'deepObject') query.push(...deepPairs(name, value).map(([at, one]) => pair(at, one)))
    else if (isList && explode !== false) query.push(...listOf(value).map((one) => pair(name, one)))
    else if (isList) {
      const between = { spaceDelimited: '%20', pipeDelimited: '|' }[style] ?? ','
      query.push(`${encodeURIComponent(name)}=${listOf(value).map(encodeURIComponent).join(between)}`)
    } else query.push(pair(name, value))
  }
  for (const { kind, key, values } of ofSecrets) {
    const [first, second = ''] = values()
    if (first === '' && second === '') continue
    if (kind === 'bearer') headers.push(['Authorization', `Bearer ${first}`])
    else if (kind === 'basic') headers.push(['Authorization', `Basic ${base64(new TextEncoder().encode(`${first}:${second}`))}`])
    else if (kind === 'header') headers.push([key, first])
    else query.push(pair(key, first))
  }
  const sent = ['GET', 'HEAD'].includes(method) ? undefined : body?.read()
  if (sent?.type) headers.push(['Content-Type', sent.type])
  const [before, own] = filled.split('?')
  const search = [...(own ? [own] : []), ...query].join('&')
  return { method, url: server + before + (search === '' ? '' : `?${search}`), headers, body: sent?.body }
}

/** An object such as `{"a": 1}` as `name[a]=1`. */
function deepPairs(name, value) {
  try {
    const fields = JSON.parse(value)
    return Object.entries(fields).map(([key, one]) => [`${name}[${key}]`, typeof one === 'string' ? one : JSON.stringify(one)])
  } catch {
    return [[name, value]]
  }
}

/** The browser sends neither cookies nor the address of the page. */
async function sendFromBrowser({ method, url, headers, body }, signal) {
  let prepared
  try {
    prepared = new Headers(headers)
  } catch (error) {
    throw Object.assign(error, { said: error.message })
  }
  const response = await fetch(url, { method, headers: prepared, body, signal, credentials: 'omit', cache: 'no-store', referrerPolicy: 'no-referrer' })
  const { bytes, cut } = await readBytes(response)
  return { status: response.status, statusText: response.statusText, headers: [...response.headers], bytes, cut }
}

async function readBytes(response) {
  const chunks = []
  let length = 0
  const reader = response.body?.getReader()
  while (reader && length < MOST_READ) {
    const { done, value } = await reader.read()
    if (done) return { bytes: joined(chunks, length), cut: false }
    chunks.push(value)
    length += value.length
  }
  void reader?.cancel()
  return { bytes: joined(chunks, length), cut: reader !== undefined }
}

function joined(chunks, length) {
  const all = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}

async function sendThroughSite({ spec, path }, proxy, { method, url, headers, body }, signal) {
  const made = new Request(url, { method: 'POST', body: body ?? '' })
  const bytes = new Uint8Array(await made.arrayBuffer())
  // Only the browser knows the boundary of the parts of a form.
  const all = body instanceof FormData ? [...headers, ['Content-Type', made.headers.get('content-type')]] : headers
  const wanted = { page: location.pathname, spec, path, method, url, headers: all, body: base64(bytes) }
  // As text, because browsers ask before they send JSON from an opaque origin.
  const response = await fetch(proxy, { method: 'POST', body: JSON.stringify(wanted), headers: { 'content-type': 'text/plain' }, signal, cache: 'no-store' })
  const text = await response.text()
  if (!response.ok) throw Object.assign(new Error(text), { said: text.trim().slice(0, 500) })
  const { status, headers: returned, body: content } = JSON.parse(text)
  return { status, headers: returned, bytes: Uint8Array.from(atob(content), (one) => one.charCodeAt(0)), cut: false }
}

function base64(bytes) {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}
