import { memory } from '../kit/memory.ts'
import { root } from '../kit/root.ts'
import { deviceScheme, isDark } from '../kit/scheme.ts'

/** The button for the theme: light or dark, as the reader chooses; until then as the device. */
export function startThemeButton(): void {
  const button = document.querySelector('.tool.theme')
  if (!button) return

  const show = () => button.setAttribute('aria-pressed', String(isDark()))
  button.addEventListener('click', () => {
    const next = isDark() ? 'light' : 'dark'
    root.dataset.theme = next
    memory.set('lectern-theme', next)
    show()
  })
  deviceScheme.addEventListener('change', show)
  show()
}
