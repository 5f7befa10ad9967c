/** The map of keys: those that work everywhere, and those of the screen below it. */
import { useState } from 'react'
import { CheckField } from '../../ui/fields.tsx'
import { OpenDialog } from '../../ui/open-dialog.tsx'
import { useShared } from '../../ui/shared-value.ts'
import { t } from '../../words/words.ts'
import { PALETTE_KEYS } from '../palette/palette-state.ts'
import { keyMapOpen, lettersOfScreen, lettersOn } from './shortcuts.ts'

/** What something does, after the keys that do it, each with spaces between what is pressed. */
type KeyRow = readonly [keys: string, does: string, others?: string]

/** The dialog with the map, which is open for as long as it is shown. */
export function KeyMap() {
  // Before the dialog is there: it hides the screen.
  const [here] = useState<KeyRow[]>(() =>
    lettersOfScreen().map(([letter, button]) => [letter, button.textContent.trim()]),
  )
  const isOn = useShared(lettersOn)
  const everywhere: KeyRow[] = [
    [PALETTE_KEYS.replace('⌘', '⌘ '), t('keys.palette'), '/'],
    ['Ctrl \\', t('sidebar.show-or-hide')],
    ['G H', t('keys.go-to-place', { place: t('sidebar.home') })],
    ['G I', t('keys.go-to-place', { place: t('sidebar.inbox') })],
    ['G D', t('keys.go-to-place', { place: t('sidebar.my-drafts') })],
    ...(here.some(([letter]) => letter === 'C') ? [] : [['C', t('place.new-space')] as const]),
    ['?', t('keys.title')],
  ]
  return (
    <OpenDialog title={t('keys.title')} onClose={() => keyMapOpen.set(false)}>
      {here.length > 0 && <KeyRows name={t('app.on-this-screen')} rows={here} />}
      <KeyRows name={t('app.everywhere')} rows={everywhere} />
      <CheckField label={t('keys.letters')} isChecked={isOn} onChange={(next) => lettersOn.set(next)} />
    </OpenDialog>
  )
}

function KeyRows({ name, rows }: { name: string; rows: readonly KeyRow[] }) {
  return (
    <table className="key-rows">
      <caption>{name}</caption>
      <tbody>
        {rows.map(([keys, does, others]) => (
          <tr key={keys}>
            <th scope="row">{does}</th>
            <td>{[keys, others].map((one) => one && <Pressed key={one} keys={one} />)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Pressed({ keys }: { keys: string }) {
  return (
    <span className="pressed">
      {keys.split(' ').map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  )
}
