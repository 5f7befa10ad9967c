import { all } from '../../../sites/assets/scripts/kit/find.ts'
import { postJson } from './requests.ts'

/** The boxes for passkeys are shown if the browser has them, and ask it for one. */
export function startPasskeys(): void {
  const hasPasskeys =
    'PublicKeyCredential' in globalThis &&
    'parseRequestOptionsFromJSON' in PublicKeyCredential &&
    'toJSON' in PublicKeyCredential.prototype
  if (!hasPasskeys) return

  for (const box of all('[data-passkey]')) {
    box.hidden = false
    const form = box.querySelector('form')
    const button = box.querySelector('button')
    const message = box.querySelector<HTMLElement>('[role=alert]')
    if (!button || !message) continue
    if (form)
      form.addEventListener('submit', (event) => {
        event.preventDefault()
        void attempt({ button, message, known: box.dataset.known }, () => registerPasskey(form))
      })
    else
      button.addEventListener(
        'click',
        () => void attempt({ button, message }, () => signInWithPasskey(box.dataset.next)),
      )
  }
}

interface Attempt {
  button: HTMLButtonElement
  message: HTMLElement
  /** Shown if the device has a passkey already. */
  known?: string | undefined
}

/** Runs what a button starts, and shows why it failed. A person who closes the browser's dialog knows why. */
async function attempt({ button, message, known = '' }: Attempt, work: () => Promise<void>) {
  message.hidden = true
  button.disabled = true
  try {
    await work()
  } catch (error) {
    const { name, message: reason } = error as Error
    if (name !== 'NotAllowedError' && name !== 'AbortError') {
      message.textContent = name === 'InvalidStateError' ? known : reason
      message.hidden = false
    }
  } finally {
    button.disabled = false
  }
}

async function signInWithPasskey(next: string | undefined) {
  type Options = { options: PublicKeyCredentialRequestOptionsJSON }
  const { options } = await postJson<Options>('/sign-in/passkey/options', {})
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = toJson(await navigator.credentials.get({ publicKey }))
  const { location: to } = await postJson<{ location: string }>('/sign-in/passkey', { credential, next })
  location.assign(to)
}

async function registerPasskey(form: HTMLFormElement) {
  const { label, password } = Object.fromEntries(new FormData(form))
  type Options = { options: PublicKeyCredentialCreationOptionsJSON }
  const { options } = await postJson<Options>('/app/passkeys/challenges', password ? { password } : {})
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const credential = toJson(await navigator.credentials.create({ publicKey }))
  await postJson('/app/passkeys', { label, credential })
  location.assign('/app/me?note=passkey-added')
}

/** A request for `publicKey` returns a credential of that kind. */
const toJson = (credential: Credential | null) => (credential as PublicKeyCredential).toJSON()
