import { postJson } from './requests.ts'

const KEPT = 'lectern-link'

/** Links have a secret that a form sends: it is filled into the form, and is kept while the reader signs in. */
export function startLinkSecret(): void {
  const field = document.querySelector<HTMLInputElement>('[data-from-link]')
  const keeper = document.querySelector('[data-keep-link]')
  if (!field && !keeper) return
  const secret = takeSecret()
  // A person who signs in first comes back to the page of the link without its secret.
  if (keeper && secret !== '') sessionStorage.setItem(KEPT, secret)
  if (field) fillIn(field, secret)
}

/** The secret of a link is after `#`, which browsers do not send. It leaves the address, and so the history. */
function takeSecret(): string {
  const secret = decodeURIComponent(location.hash.slice(1))
  if (secret !== '') history.replaceState(null, '', location.pathname + location.search)
  return secret
}

function fillIn(field: HTMLInputElement, secret: string) {
  const known = secret || sessionStorage.getItem(KEPT) || ''
  sessionStorage.removeItem(KEPT)
  if (known !== '') field.value = known
  // A choice of another language loads the page again, and the secret must not be lost.
  document.querySelector('.languages')?.addEventListener('submit', () => {
    if (field.value !== '') sessionStorage.setItem(KEPT, field.value)
  })
  if (field.value === '') return
  const box = field.closest<HTMLElement>('.field')
  if (box) box.hidden = true
  const account = document.querySelector<HTMLElement>('[data-account]')
  if (account) void showAccount(account, field.value)
}

/** Shows the address of the account that a link is for, or why the link does not work. */
async function showAccount(account: HTMLElement, token: string) {
  try {
    const { email } = await postJson<{ email: string }>('/app/invitation/account', { token })
    account.querySelector('b')?.replaceChildren(email)
  } catch (error) {
    account.textContent = (error as Error).message
  }
  account.hidden = false
}
