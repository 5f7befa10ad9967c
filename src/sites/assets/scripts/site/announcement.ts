import { memory } from '../kit/memory.ts'
import { root } from '../kit/root.ts'

/** Announcement: a reader who dismissed it does not see it again, until there is another one. */
export function startAnnouncement(): void {
  document.querySelector('.dismiss')?.addEventListener('click', () => {
    memory.set('lectern-dismissed', root.dataset.announcement ?? null)
    root.classList.add('dismissed')
  })
}
