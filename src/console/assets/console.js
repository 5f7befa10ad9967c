// The pages work without this script, but for passkeys. It fills in the secrets of links, and asks the browser for passkeys.

/** The secret of a link is after `#`, which browsers do not send. It leaves the address, and so the history. */
function takeSecretOfLink() {
  const secret = decodeURIComponent(location.hash.slice(1))
  if (secret !== '') history.replaceState(null, '', location.pathname + location.search)
  return secret
}

const KEPT = 'lectern-link'
const field = document.querySelector('[data-from-link]')
const keeper = document.querySelector('[data-keep-link]')
if (field || keeper) {
  const secret = takeSecretOfLink()
  // Whoever signs in first comes back to the page of the link without its secret.
  if (keeper && secret !== '') sessionStorage.setItem(KEPT, secret)
  if (field) {
    const known = secret || sessionStorage.getItem(KEPT) || ''
    sessionStorage.removeItem(KEPT)
    if (known !== '') field.value = known
    if (field.value !== '') field.closest('.field').hidden = true
    const account = document.querySelector('[data-account]')
    if (account && field.value !== '') void showAccount(account, field.value)
  }
}

// A choice of another language loads the page again, and the secret must not be lost.
document.querySelector('.languages')?.addEventListener('submit', () => {
  if (field && field.value !== '') sessionStorage.setItem(KEPT, field.value)
})

/** Shows the address of the account that a link is for, or why the link does not work. */
async function showAccount(account, token) {
  try {
    const { email } = await post('/app/invitation/account', { token })
    account.querySelector('b').textContent = email
  } catch (error) {
    account.textContent = error.message
  }
  account.hidden = false
}

/** Sends JSON to this server. @throws Error with the message of the server */
async function post(path, body) {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const content = await answer.json()
  if (!answer.ok) throw new Error(content.error?.message ?? document.querySelector('main').dataset.failed)
  return content
}

/** Runs what a button starts, and shows why it failed. A person who closes the browser's dialog knows why. */
async function attempt(box, work) {
  const message = box.querySelector('[role=alert]')
  const button = box.querySelector('button')
  message.hidden = true
  button.disabled = true
  try {
    await work()
  } catch (error) {
    if (error.name !== 'NotAllowedError' && error.name !== 'AbortError') {
      message.textContent = error.name === 'InvalidStateError' ? box.dataset.known : error.message
      message.hidden = false
    }
  } finally {
    button.disabled = false
  }
}

async function signInWithPasskey(box) {
  const { options } = await post('/sign-in/passkey/options', {})
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = await navigator.credentials.get({ publicKey })
  const { location: to } = await post('/sign-in/passkey', {
    credential: credential.toJSON(),
    next: box.dataset.next,
  })
  location.assign(to)
}

async function registerPasskey(form) {
  const { label, password } = Object.fromEntries(new FormData(form))
  const { options } = await post('/app/passkeys/challenges', password ? { password } : {})
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const credential = await navigator.credentials.create({ publicKey })
  await post('/app/passkeys', { label, credential: credential.toJSON() })
  location.assign('/app/me?note=passkey-added')
}

if (globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON && PublicKeyCredential.prototype.toJSON) {
  for (const box of document.querySelectorAll('[data-passkey]')) {
    box.hidden = false
    const form = box.querySelector('form')
    if (form)
      form.addEventListener('submit', (event) => {
        event.preventDefault()
        void attempt(box, () => registerPasskey(form))
      })
    else
      box
        .querySelector('button')
        .addEventListener('click', () => void attempt(box, () => signInWithPasskey(box)))
  }
}

// Browsers have no clipboard for pages that come over HTTP from another machine.
for (const box of document.querySelectorAll('[data-copies]')) {
  const button = box.querySelector('button')
  const copied = document.querySelector(box.dataset.copies)
  box.hidden = !navigator.clipboard
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(copied.innerText).then(() => (button.textContent = box.dataset.copied))
  })
}

// A second click would send a form twice, and the browser would show the answer to the second request: that the link or
// the code was used before. After a while, the person may have stopped the first one, and can send the form again.
const ONCE_MS = 5000
for (const form of document.querySelectorAll('form[method=post]')) {
  let sentAt = -ONCE_MS
  form.addEventListener('submit', (event) => {
    if (event.timeStamp - sentAt < ONCE_MS) event.preventDefault()
    else sentAt = event.timeStamp
  })
}
