import type { SearchParts } from './parts.ts'

const optionsIn = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>('[role="option"]')]

/** The option of the list that the Enter key opens. */
export function selectedOption({ list }: SearchParts): HTMLElement | null {
  return list.querySelector<HTMLElement>('[aria-selected="true"]')
}

/** Selects an option, or none. The focus stays in the field. */
export function selectOption(parts: SearchParts, option: HTMLElement | undefined): void {
  const { input } = parts
  selectedOption(parts)?.setAttribute('aria-selected', 'false')
  if (!option) {
    input.removeAttribute('aria-activedescendant')
    return
  }
  option.setAttribute('aria-selected', 'true')
  input.setAttribute('aria-activedescendant', option.id)
  option.scrollIntoView({ block: 'nearest' })
}

/** Selects the next option, or the one before. At each end, it continues at the other one. */
export function moveSelection(parts: SearchParts, step: 1 | -1): void {
  const options = optionsIn(parts.list)
  const selected = selectedOption(parts)
  const at = selected ? options.indexOf(selected) : -1
  const next = at < 0 && step < 0 ? -1 : at + step
  if (options.length > 0) selectOption(parts, options.at(next) ?? options[0])
}

/** Shows a list, none of which is selected. @param note what screen readers say about it */
export function showOptions(parts: SearchParts, content: Node | string, note: string): void {
  const { list, status, input } = parts
  list.replaceChildren(content)
  status.textContent = note
  input.setAttribute('aria-expanded', String(optionsIn(list).length > 0))
  selectOption(parts, undefined)
}
